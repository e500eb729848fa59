import type { BaseMessage, ContentBlock, MessageContent } from '@langchain/core/messages';
import { AIMessage } from '@langchain/core/messages';
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

/** The texts of a message's content, and names for what is no text. */
export function readableText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.map(nameOrText).filter(Boolean).join('\n');
}

function nameOrText(block: ContentBlock): string {
  if (block.type === 'text') return typeof block.text === 'string' ? block.text : '';
  const name = block.filename ?? block.name;
  return `[${block.type.replace(/_url$/, '')}${typeof name === 'string' ? ` ${name}` : ''}]`;
}
