import type { Recalled } from './contract.ts';
import { byEvidence, type Candidate, type Scored } from './rank.ts';

/** A candidate with what tells it from others. */
export interface Proposed extends Candidate {
  readonly type: Recalled['type'];
  /** A number of 64 bits, or its digits: the same for contents that differ in letter case and spacing only. */
  readonly fingerprint: bigint | string;
  /** The newer memory that contradicts it. */
  readonly supersededBy: string | null;
}

/** What a memory keeps that a newer one contradicts. */
const SUPERSEDED_KEEPS = 0.6;

/** Puts what supersedes before what it supersedes: what speaks for the older speaks for the newer at least as much. */
export function preferNewer(ranked: readonly Scored[], candidates: readonly Proposed[]): readonly Scored[] {
  const newerOf = new Map<string, string>();
  for (const { id, supersededBy } of candidates) if (supersededBy !== null) newerOf.set(id, supersededBy);
  if (newerOf.size === 0) return ranked;
  const inherited = new Map<string, number>();
  for (const { id, evidence } of ranked) {
    const newer = newerOf.get(id);
    if (newer !== undefined) inherited.set(newer, Math.max(inherited.get(newer) ?? 0, evidence));
  }
  return ranked
    .map(({ id, evidence, words }) => {
      const own = newerOf.has(id) ? evidence * SUPERSEDED_KEEPS : evidence;
      return { id, evidence: Math.max(own, newerOf.has(id) ? 0 : (inherited.get(id) ?? 0)), words };
    })
    .sort(byEvidence);
}
