import { judgeFacts } from '../supersession/judge.ts';
import { mayReplace } from '../supersession/may-replace.ts';
import { readFact } from '../supersession/read-fact.ts';
import type { Recalled } from './contract.ts';
import type { Scored } from './rank-input.ts';

/** Results that are compared with each other: each with each. */
const MOST_COMPARED = 20;
/** The least by which a newer fact comes before an older one that it puts in doubt. */
const JUST_ABOVE = 1 + 1e-6;

/** By id of an older result the ids of newer ones that say otherwise, so that perhaps it holds no longer. */
export type Doubts = ReadonlyMap<string, readonly string[]>;

/** Compares the results that say what is so: what storing left in doubt, or did not compare, is told where it is read. */
export function doubtsAmong(results: readonly Recalled[], at: Date): Doubts {
  const facts = results
    .filter((result) => isFactAt(result, at))
    .slice(0, MOST_COMPARED)
    .map((result) => ({ id: result.id, start: startOf(result), fact: readFact(result.content) }));
  const doubts = new Map<string, string[]>();
  for (const newer of facts) {
    for (const older of facts) {
      if (older.start >= newer.start || !newer.fact.single) continue;
      if (!mayReplace(older.fact.content, newer.fact)) continue;
      if (judgeFacts(older.fact, newer.fact).verdict === 'coexists') continue;
      doubts.set(older.id, [...(doubts.get(older.id) ?? []), newer.id]);
    }
  }
  return doubts;
}

function startOf({ valid_from, occurred_at }: Recalled): number {
  return Date.parse(valid_from ?? occurred_at);
}

function isFactAt(result: Recalled, at: Date): boolean {
  const { type, truncated, superseded_by, valid_to } = result;
  if (type !== 'semantic' && type !== 'working') return false;
  if (truncated || superseded_by) return false;
  return startOf(result) <= at.getTime() && (!valid_to || Date.parse(valid_to) > at.getTime());
}

/** Gives a newer fact the evidence of the older one that it puts in doubt, and a little more, so that it comes first. */
export function raiseNewer(ranked: readonly Scored[], doubts: Doubts): readonly Scored[] {
  if (doubts.size === 0) return ranked;
  const evidenceOf = new Map(ranked.map(({ id, evidence }) => [id, evidence]));
  // Best first, so that what was raised may be raised again by what it stands before.
  for (const { id } of ranked) {
    const needed = (evidenceOf.get(id) ?? 0) * JUST_ABOVE;
    for (const newer of doubts.get(id) ?? []) {
      evidenceOf.set(newer, Math.max(evidenceOf.get(newer) ?? 0, needed));
    }
  }
  return ranked.map((item) => ({ ...item, evidence: evidenceOf.get(item.id) ?? item.evidence }));
}
