import type { AnswerOf } from '../api/call.ts';

/** A change to a protected memory, waiting or decided. */
export type ReviewEntry = AnswerOf<'GET /guardian/{id}'>['entry'];
export type ReviewSettings = AnswerOf<'GET /guardian/settings'>['settings'];

/**
 * How dangerous it is to approve an entry. `large`: it would make the agent somebody else; `meaning`: it changes what the agent
 * is told; `harmless`: it cannot change the meaning.
 */
export type Danger = 'large' | 'meaning' | 'harmless';

/** Tells how dangerous an entry is. A memory that the agent stored itself is there already, and is never `large`. */
export function dangerOf(
  { status, drift, concerns }: ReviewEntry,
  { drift_limit }: Pick<ReviewSettings, 'drift_limit'>,
): Danger {
  if (status !== 'added' && drift > 0 && drift >= drift_limit) return 'large';
  return concerns.length > 0 ? 'meaning' : 'harmless';
}

/** Sorts the changes that need the human first, and then those that go furthest. */
export function byGravity(one: ReviewEntry, other: ReviewEntry): number {
  const needs = ({ concerns }: ReviewEntry) => Number(concerns.length > 0);
  return needs(other) - needs(one) || other.drift - one.drift;
}
