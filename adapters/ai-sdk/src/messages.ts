import { callTurns, resultTurns, saidTurns, type Turn, toJson } from '@svc-memory/core/adapter';
import { markOf } from './mark.ts';

/**
 * What the messages of `ai` 6 and 7 and the prompts of their providers have in common. Only this much is read, so that
 * one adapter serves them all; whatever else a message holds is passed on as it is.
 */
export interface Message {
  readonly role: string;
  readonly content: string | readonly MessagePart[];
  readonly providerOptions?: unknown;
}

/** One part of a message: a text, a file, a tool call, ... */
export interface MessagePart {
  readonly type: string;
}

/** What a message says and does, as turns to keep; the same for a message and for the prompt made of it. */
export function turnsOf(message: Message): Turn[] {
  const parts = partsOf(message);
  switch (message.role) {
    case 'user':
      return saidTurns('user', parts.map(nameOrText).filter(Boolean).join('\n'));
    case 'assistant':
      return [...saidTurns('assistant', parts.map(textOf).join('')), ...parts.flatMap(toolTurns)];
    case 'tool':
      return parts.flatMap(toolTurns);
    default:
      return [];
  }
}

/** What an answer says and calls, as the turns that it is in the next call's prompt. What a tool answers is known only there. */
export function answerTurns(parts: readonly MessagePart[]): Turn[] {
  const calls = parts.filter(({ type }) => type === 'tool-call');
  return [
    ...saidTurns('assistant', parts.map(textOf).join('')),
    ...calls.flatMap((part) => callTurns(String(member(part, 'toolName')), parsed(member(part, 'input')))),
  ];
}

/** A model gives the input of a tool as JSON text; a prompt has what that says. */
export function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** The parts of a message; a plain text is one part. */
export function partsOf({ content }: Message): readonly MessagePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content } as MessagePart] : content;
}

/** A member of a part, whatever the version of the SDK calls its type. */
export function member(part: object, name: string): unknown {
  return Reflect.get(part, name);
}

/** The text of a text part, else nothing. */
function textOf(part: MessagePart): string {
  const text = part.type === 'text' ? member(part, 'text') : undefined;
  return typeof text === 'string' ? text : '';
}

/**
 * The text of a part that the user sent, or a name for a file or an image. In a prompt an image is a file with an image's media
 * type.
 */
function nameOrText(part: MessagePart): string {
  if (markOf(part)) return '';
  if (part.type !== 'image' && part.type !== 'file') return textOf(part);
  const isImage = part.type === 'image' || String(member(part, 'mediaType')).startsWith('image');
  const name = member(part, 'filename');
  return `[${isImage ? 'image' : 'file'}${typeof name === 'string' ? ` ${name}` : ''}]`;
}

function toolTurns(part: MessagePart): Turn[] {
  const name = String(member(part, 'toolName'));
  if (part.type === 'tool-call') return callTurns(name, member(part, 'input'));
  return part.type === 'tool-result' ? resultTurns(name, outputText(member(part, 'output'))) : [];
}

/** A tool's output as text: itself, as JSON, or the texts of its content. */
export function outputText(output: unknown): string {
  if (typeof output !== 'object' || output === null) return String(output);
  const value = member(output, 'value');
  if (typeof value === 'string') return value;
  if (member(output, 'type') !== 'content' || !Array.isArray(value)) {
    return toJson(value ?? member(output, 'reason') ?? member(output, 'type'));
  }
  return value
    .map((part: MessagePart) => (part.type === 'text' ? textOf(part) : `[${part.type}]`))
    .join('\n');
}
