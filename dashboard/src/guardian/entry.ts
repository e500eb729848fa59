import type { AnswerOf } from '../api/call.ts';

/** A change to a protected memory, waiting or decided. */
export type ReviewEntry = AnswerOf<'GET /guardian/{id}'>['entry'];
export type ReviewSettings = AnswerOf<'GET /guardian/settings'>['settings'];

/** The space whose Guardian is shown. */
export interface GuardedSpace {
  readonly id: string;
  readonly name: string;
}

/** An entry that waits for the human, with the space whose Guardian keeps it; without one it is the agent's own. */
export type WaitingEntry = ReviewEntry & { readonly space?: GuardedSpace };

/** Returns what waits for the human by the overview: in the agent's own Guardian, and in those of its spaces. */
export function waitingIn({
  guardian,
  unconfirmed,
  spaces,
}: Pick<AnswerOf<'GET /dashboard'>, 'guardian' | 'unconfirmed' | 'spaces'>) {
  const shared = (which: 'guardian' | 'unconfirmed') =>
    spaces.flatMap((space) => space[which].map((entry): WaitingEntry => ({ ...entry, space })));
  return {
    pending: [...guardian, ...shared('guardian')] as readonly WaitingEntry[],
    unconfirmed: [...unconfirmed, ...shared('unconfirmed')] as readonly WaitingEntry[],
  };
}

/**
 * How dangerous it is to approve an entry. `large`: it would make the agent somebody else; `meaning`: it changes what the agent
 * is told; `harmless`: it cannot change the meaning.
 */
export type Danger = 'large' | 'meaning' | 'harmless';

/**
 * Tells how dangerous an entry is. A memory that the agent stored itself is there already, and is never `large`; nor is one that
 * only joins the others of a space.
 */
export function dangerOf(
  { status, drift, concerns, current }: ReviewEntry,
  { drift_limit }: Pick<ReviewSettings, 'drift_limit'>,
  inSpace: boolean,
): Danger {
  if (inSpace && current === null) return 'meaning';
  if (status !== 'added' && drift > 0 && drift >= drift_limit) return 'large';
  return concerns.length > 0 ? 'meaning' : 'harmless';
}

/** Sorts the changes that need the human first, and then those that go furthest. */
export function byGravity(one: ReviewEntry, other: ReviewEntry): number {
  const needs = ({ concerns }: ReviewEntry) => Number(concerns.length > 0);
  return needs(other) - needs(one) || other.drift - one.drift;
}
