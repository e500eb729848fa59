import type { Candidate } from './candidates.ts';
import { isDerived, ShareCounter } from './near-copies.ts';
import type { Scored } from './rank-input.ts';
import { roundedSimilarity } from './rank-similarity.ts';

/** Most results of one wording, and of one group of near-copies, that come before others. */
const MAX_ALIKE = 1;
const MAX_NEAR = 3;
/** Near-copies crowd the results when this share of them exceeds these limits. */
const CROWDED_SHARE = 1 / 4;
/** Share of the results that one source may take while others have some. */
const SOURCE_SHARE = 1 / 2;
/** Share of the best result's evidence that a result needs to come before near-copies. */
const RELEVANT_SHARE = 1 / 2;

/** The requested number of results and their least similarity. */
export interface ResultLimits {
  /** Least similarity. */
  readonly threshold: number;
  /** Infinite when a number of tokens decides. */
  readonly wanted: number;
  /** Most results. */
  readonly most: number;
}

/**
 * Picks the best ranked memories that reach the threshold. Leaves out contents that equal a better result but for letter case
 * and spacing. When near-copies or one source would take too many results, other relevant memories come first, and the
 * near-copies and the rest of that source fill what is left.
 */
export function pickResults(
  ranked: readonly Scored[],
  candidates: readonly Candidate[],
  { threshold, wanted, most }: ResultLimits,
): readonly Scored[] {
  const proposed = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const distinct = eachOnce(ranked, proposed);
  const all = distinct.filter((item) => roundedSimilarity(item) >= threshold);
  const best = all.slice(0, wanted);
  const source = hasOneSource(candidates) ? Number.POSITIVE_INFINITY : Math.ceil(most * SOURCE_SHARE);
  if (!isUnfair(best.slice(0, most), proposed, source)) return best;

  const shares = new ShareCounter({ alike: MAX_ALIKE, near: MAX_NEAR, source });
  const relevant = RELEVANT_SHARE * (ranked[0]?.evidence ?? 0);
  const [first, later]: [Scored[], Scored[]] = [[], []];
  for (const item of all) {
    const candidate = proposed.get(item.id);
    const hasRoom = candidate ? shares.take(candidate).hasRoom : !shares.isShared;
    (hasRoom && item.evidence >= relevant ? first : later).push(item);
  }
  return [...first, ...later].slice(0, wanted);
}

function eachOnce(ranked: readonly Scored[], proposed: ReadonlyMap<string, Candidate>): Scored[] {
  const said = new Set<string>();
  return ranked.filter(({ id }) => {
    const { type, fingerprint = id } = proposed.get(id) ?? {};
    const exactly = `${type} ${fingerprint}`;
    if (said.has(exactly)) return false;
    said.add(exactly);
    return true;
  });
}

function hasOneSource(candidates: readonly Candidate[]): boolean {
  return new Set(candidates.map(({ source }) => source).filter((source) => !isDerived(source))).size <= 1;
}

/** Whether near-copies crowd the results, or one source exceeds its share. */
function isUnfair(
  best: readonly Scored[],
  proposed: ReadonlyMap<string, Candidate>,
  mostOfSource: number,
): boolean {
  const shares = new ShareCounter({ alike: MAX_ALIKE, near: MAX_NEAR, source: Number.POSITIVE_INFINITY });
  const sources = new Map<string, number>();
  let beyond = 0;
  for (const { id } of best) {
    const candidate = proposed.get(id);
    if (!candidate) continue;
    if (!shares.take(candidate).hasRoom) beyond += 1;
    const { source } = candidate;
    if (!isDerived(source)) sources.set(source, (sources.get(source) ?? 0) + 1);
  }
  return beyond > best.length * CROWDED_SHARE || [...sources.values()].some((count) => count > mostOfSource);
}
