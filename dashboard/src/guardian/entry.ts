import type { AnswerOf } from '../api/call.ts';

/** A change to a protected memory, waiting or decided. */
export type ReviewEntry = AnswerOf<'GET /guardian/{id}'>['entry'];
export type ReviewSettings = AnswerOf<'GET /guardian/settings'>['settings'];

const WHO: Readonly<Record<ReviewEntry['requested_by']['kind'], string>> = {
  agent: 'your agent',
  human: 'you',
  sync: 'a synced file',
  import: 'an import',
  webhook: 'a webhook',
  reflection: 'reflection',
};

/** Who asked or decided, in the words of a human. */
export function whoOf({ kind }: ReviewEntry['requested_by']): string {
  return WHO[kind];
}

/** Sorts the changes that need the human first, and then those that go furthest. */
export function byGravity(one: ReviewEntry, other: ReviewEntry): number {
  const needs = ({ concerns }: ReviewEntry) => Number(concerns.length > 0);
  return needs(other) - needs(one) || other.drift - one.drift;
}
