import type { Candidate } from '../candidates.ts';
import type { Scored } from './input.ts';
import { CopyGroups, isDerived, ShareCounter } from './near-copies.ts';
import { EVEN, evenBeside, type Scale, similarityScale } from './similarity.ts';

/** Most results of one wording, and of one group of near-copies, that come before others. */
const MAX_ALIKE = 1;
const MAX_NEAR = 3;
/** Near-copies crowd the results when this share of them exceeds these limits. */
const CROWDED_SHARE = 1 / 4;
/** Share of the results that one source may take while others have some. */
const SOURCE_SHARE = 1 / 2;
/** Best memories of which the loudest is told. */
const COMPARED = 10;
/** Share of the best result's evidence that a result needs to come before near-copies. */
const RELEVANT_SHARE = 1 / 2;

/** Results, and what their similarity is told by. */
export interface Picked extends Scale {
  readonly results: readonly Scored[];
}

/** The requested number of results and their least similarity. */
export interface ResultLimits {
  /** Least similarity. */
  readonly threshold: number;
  /** Infinite when a number of tokens decides. */
  readonly wanted: number;
  /** Most results. */
  readonly most: number;
  /** Whether it is a question for one thing, of which it tells something how far the best is ahead of the others. */
  readonly isForOne: boolean;
}

/**
 * Picks the best ranked memories that reach the threshold. Leaves out contents that equal a better result but for letter case
 * and spacing. When near-copies or one source would take too many results, other relevant memories come first, and the
 * near-copies and the rest of that source fill what is left.
 *
 * @param unraised The memories without the evidence that newer facts were given by those that they contradict. The similarity is
 *   told by these: being raised changes the order, but makes no other memory irrelevant.
 * @param proposed The candidates by id.
 */
export function pickResults(
  { ranked, unraised }: { readonly ranked: readonly Scored[]; readonly unraised: readonly Scored[] },
  proposed: ReadonlyMap<string, Candidate>,
  { threshold, wanted, most, isForOne }: ResultLimits,
): Picked {
  const distinct = eachOnce(ranked, proposed, Math.max(COMPARED, wanted));
  const compared = unraised === ranked ? distinct : eachOnce(unraised, proposed, COMPARED);
  const likely = compared.slice(0, COMPARED);
  const even = isForOne ? evenAmong(likely, proposed) : EVEN;
  const scale = { loudest: loudestOf(likely, proposed, even), even };
  const similarityOf = similarityScale(scale);
  const reaches = ({ evidence }: Scored) => similarityOf(evidence) >= threshold;
  const best = distinct.filter(reaches).slice(0, wanted);
  const source = hasOneSource(proposed) ? Number.POSITIVE_INFINITY : Math.ceil(most * SOURCE_SHARE);
  if (!isUnfair(best.slice(0, most), proposed, source)) return { results: best, ...scale };

  const shares = new ShareCounter({ alike: MAX_ALIKE, near: MAX_NEAR, source });
  const relevant = RELEVANT_SHARE * (ranked[0]?.evidence ?? 0);
  const [first, later]: [Scored[], Scored[]] = [[], []];
  for (const item of eachOnce(ranked.filter(reaches), proposed, Number.POSITIVE_INFINITY)) {
    const candidate = proposed.get(item.id);
    const hasRoom = candidate ? shares.take(candidate).hasRoom : !shares.isShared;
    (hasRoom && item.evidence >= relevant ? first : later).push(item);
  }
  return { results: [...first, ...later].slice(0, wanted), ...scale };
}

/**
 * The evidence that others are compared with: that of the best memory. Where several sources have a likely one, it is that of the
 * source whose best is the least, and crowding near-copies do not count, so that neither makes other memories irrelevant.
 *
 * @param best Best first.
 */
function loudestOf(best: readonly Scored[], proposed: ReadonlyMap<string, Candidate>, even: number): number {
  const likely = best.filter(({ id, evidence }) => evidence >= even && proposed.has(id));
  const crowding = likely.length > MAX_NEAR ? crowdingAmong(likely, proposed) : undefined;
  const loudest = new Map<string, number>();
  for (const { id, evidence } of likely) {
    const { source = '' } = proposed.get(id) ?? {};
    const voice = isDerived(source) ? '' : source;
    if (!loudest.has(voice) && !crowding?.has(id)) loudest.set(voice, evidence);
  }
  return loudest.size === 0 ? 0 : Math.min(...loudest.values());
}

/**
 * The evidence that is even odds, by how far the best is ahead of the second: the next that is no near-copy of it. Where there are
 * only near-copies among those compared, nothing tells. Neighbours do not count: they have their evidence from others.
 */
function evenAmong(best: readonly Scored[], proposed: ReadonlyMap<string, Candidate>): number {
  const groups = new CopyGroups<Candidate>();
  const found = best.flatMap(({ id, evidence }) => {
    const candidate = proposed.get(id);
    return candidate ? [{ evidence, group: groups.firstOf(candidate) }] : [];
  });
  const [first] = found;
  const second = found.find(({ group }) => group !== first?.group);
  if (!second && best.length >= COMPARED) return EVEN;
  return evenBeside(first?.evidence ?? 0, second?.evidence ?? 0, proposed.size);
}

/** Ids of the memories of groups of near-copies that have too many. */
function crowdingAmong(
  best: readonly Scored[],
  proposed: ReadonlyMap<string, Candidate>,
): ReadonlySet<string> {
  const copies = new CopyGroups<Candidate>();
  const groups = new Map<Candidate, string[]>();
  for (const { id } of best) {
    const candidate = proposed.get(id);
    if (!candidate) continue;
    const first = copies.firstOf(candidate);
    const group = groups.get(first);
    if (group) group.push(id);
    else groups.set(first, [id]);
  }
  return new Set([...groups.values()].filter(({ length }) => length > MAX_NEAR).flat());
}

/** The first of those with the same words, up to a number. */
function eachOnce(
  ranked: readonly Scored[],
  proposed: ReadonlyMap<string, Candidate>,
  most: number,
): Scored[] {
  const said = new Set<string>();
  const distinct: Scored[] = [];
  for (const item of ranked) {
    if (distinct.length >= most) break;
    const { type, fingerprint = item.id } = proposed.get(item.id) ?? {};
    const exactly = `${type} ${fingerprint}`;
    if (said.has(exactly)) continue;
    said.add(exactly);
    distinct.push(item);
  }
  return distinct;
}

function hasOneSource(proposed: ReadonlyMap<string, Candidate>): boolean {
  let only: string | undefined;
  for (const { source } of proposed.values()) {
    if (source === only || isDerived(source)) continue;
    if (only !== undefined) return false;
    only = source;
  }
  return true;
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
