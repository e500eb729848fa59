import type { BaseMessage, MessageContent } from '@langchain/core/messages';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import {
  type Conversation,
  callTurns,
  resultTurns,
  saidTurns,
  type Turn,
  toConversation,
} from '@svc-memory/core/adapter';

/** What a message says and does, as turns to keep. System messages and summaries are not said by anyone. */
export function turnsOf(message: BaseMessage): Turn[] {
  if (summaryOf(message) !== undefined) return [];
  switch (message.getType()) {
    case 'human':
      return saidTurns('user', readableText(message.content));
    case 'ai':
      return [
        ...saidTurns('assistant', message.text),
        ...(AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []).flatMap(({ name, args }) =>
          callTurns(name, args),
        ),
      ];
    case 'tool':
      return resultTurns(message.name ?? 'a tool', readableText(message.content));
    default:
      return [];
  }
}

/** What the messages of a model call are about. */
export function conversationOf(messages: readonly BaseMessage[]): Conversation {
  return toConversation(messages.flatMap(turnsOf), !messages.some((message) => message.getType() === 'ai'));
}

/** The text that `summarizationMiddleware` has put in place of earlier messages, if this message is one. */
export function summaryOf({ additional_kwargs, text }: BaseMessage): string | undefined {
  return additional_kwargs?.lc_source === 'summarization' ? text : undefined;
}

/** A message of the user with a text behind its own. */
export function withText(message: BaseMessage, text: string): BaseMessage {
  const { content } = message;
  return new HumanMessage({
    ...message,
    content: typeof content === 'string' ? `${content}\n\n${text}` : [...content, { type: 'text', text }],
  });
}

/** The texts of a message's content, and names for what is no text. */
export function readableText(content: MessageContent): string {
  return Array.isArray(content) ? content.map(nameOrText).filter(Boolean).join('\n') : nameOrText(content);
}

/** Providers have blocks of their own, of which some have no type. */
function nameOrText(block: unknown): string {
  if (typeof block === 'string') return block;
  const { type, text, ...more } = Object(block);
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (typeof type !== 'string') return '';
  const name = nameOf(more);
  return `[${type.replace(/_url$/, '')}${name === undefined ? '' : ` ${name}`}]`;
}

/** The name of a file or image, in any of the places that LangChain and providers give it. */
function nameOf({ filename, name, metadata, file }: Readonly<Record<string, unknown>>): string | undefined {
  const places = [
    filename,
    name,
    ...[metadata, file].map(Object).flatMap((held) => [held.filename, held.name]),
  ];
  return places.find((place) => typeof place === 'string' && place !== '');
}
