import { type Message, storable, type Turn, turnsOf } from './messages.ts';

const HINT_CHARACTERS = 2_000;

/** What a model call is about. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** What the user said last: what to recall for. */
  readonly hint?: string;
  /** Nothing has been answered yet. */
  readonly isStart: boolean;
}

/** Reads a conversation from its messages. */
export function conversationOf(messages: readonly Message[]): Conversation {
  const turns = messages.flatMap(turnsOf);
  const said = turns.findLast(({ role }) => role === 'user')?.content;
  return {
    turns,
    isStart: !messages.some(({ role }) => role === 'assistant'),
    ...(said === undefined ? {} : { hint: storable(said.trim().slice(0, HINT_CHARACTERS)) }),
  };
}
