import { hasQuestion } from '../text/question.ts';
import { isCall, storable, type Turn } from './turns.ts';

/** What a model call is about. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** What to recall for: what the user asked last, or the talk that it belongs to. */
  readonly hint?: string | undefined;
  /** Nothing has been answered yet. */
  readonly isStart: boolean;
}

/** Most characters of a hint, and of each turn before the last one in it. */
const LONGEST = { hint: 2_000, turn: 400 };
/** Turns that tell what a talk is about. */
const TURNS_BEFORE = 6;
/** A question of fewer characters ("Why?") asks nothing by itself. */
const SHORTEST_QUESTION = 20;

/** What a conversation is about, read from its turns. */
export function toConversation(turns: readonly Turn[], isStart: boolean): Conversation {
  const hint = storable(hintOf(turns));
  return { turns, isStart, ...(hint === '' ? {} : { hint }) };
}

/**
 * The text to recall by. A question is taken as it is, since earlier turns would drown it. A statement is understood only with the
 * last turns before it. Turns of tools do not count: they are about a file or a page.
 */
function hintOf(turns: readonly Turn[]): string {
  const place = turns.findLastIndex(({ role }) => role === 'user');
  const said = (turns[place]?.content ?? '').trim().slice(0, LONGEST.hint);
  if (said === '' || isQuestion(said)) return said;
  const before = turns
    .slice(0, place)
    .filter(({ role, content }) => role === 'user' || (role === 'assistant' && !isCall(content)))
    .slice(-TURNS_BEFORE)
    .map(({ content }) => content.slice(0, LONGEST.turn));
  return [...before, said].join('\n').slice(-LONGEST.hint);
}

function isQuestion(said: string): boolean {
  return hasQuestion(said) && said.length >= SHORTEST_QUESTION;
}
