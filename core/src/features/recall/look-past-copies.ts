import { type SQL, sql } from 'drizzle-orm';
import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import type { Calibration } from '../embedding/embedder.ts';
import { memories } from '../records/schema.ts';
import { type Sketch, type Sketched, sharedWords, wordingOf } from '../search-index/sketch.ts';
import type { Candidate, Candidates } from './candidates.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Corpus } from './ranking/input.ts';
import { CopyGroups, ShareCounter } from './ranking/near-copies.ts';
import { scoreCandidates } from './ranking/score-candidates.ts';
import { besideCrowd } from './ranking/semantic.ts';

/** Candidates of one wording, and of one group of near-copies, that are kept. */
const KEPT = { alike: 2, near: 10, source: Number.POSITIVE_INFINITY };
/** Near-copies crowd the candidates when this share of them exceeds what is kept. */
const CROWDED = 1 / 4;
/** A wording with this many memories is a flood, whether or not this recall found it. */
const FLOOD = 20;
/** Candidates that are compared with each other at first: of crowding copies many are among them. */
const SAMPLE = 32;
/** Further searches. Each takes as long as a recall. */
const MAX_SEARCHES = 2;

/**
 * Searches again without near-copies that crowd out all other candidates. A flood of near-copies fills the candidates, and
 * makes its words so common that they carry no weight, so that the wanted memory is not found. This reads the sketches of all
 * memories, leaves out all but a few near-copies of each crowding group, and searches at most twice more. Floods of more than
 * about three groups, none with 20 copies, may still crowd others out.
 *
 * @returns the first candidates when nothing crowds; otherwise those of all searches, with the statistics of the last one.
 */
export async function lookPastCopies(
  query: AnalyzedQuery,
  first: Candidates,
  { calibration, index }: { calibration: Calibration; index: MemoryIndex },
): Promise<Candidates> {
  let found = first;
  let latest = first;
  let sketches: readonly Sketched[] | undefined;
  for (let search = 0; search < MAX_SEARCHES && isCrowded(latest.candidates); search += 1) {
    sketches ??= sorted(await index.sketches());
    const best = inOrder(
      found.candidates,
      scoreCandidates(query, found.corpus, found.candidates, besideCrowd(calibration, [found.candidates])),
    );
    const again = await index.find(copiesBeyond(best, sketches));
    if (!again) break;
    latest = again;
    const candidates = union(again.candidates, found.candidates);
    found = {
      ...again,
      corpus: {
        ...countingGroupsOnce(again),
        copies: { groups: groupsOf(candidates), documentFrequency: first.corpus.documentFrequency },
      },
      candidates,
    };
  }
  return found;
}

/**
 * The sketches of a tenant's memories.
 *
 * @param readable Condition on those that the caller may read.
 */
export function sketchesStatement(tenantId: string, readable: SQL | undefined): SQL {
  return sql`SELECT json_agg(json_build_array(id, sketch)) AS found FROM ${memories}
    WHERE tenant_id = ${tenantId}::uuid AND archived_at IS NULL AND sketch IS NOT NULL ${readable ? sql`AND ${readable}` : sql``}`;
}

/** Whether near-copies crowd the candidates, so that others may not have been found. */
function isCrowded(candidates: readonly Candidate[]): boolean {
  // Sorted, so that the result does not depend on the index that found them.
  const all = sorted(candidates);
  // Comparing all with all takes longer than the ranking, and hardly any recall is crowded.
  const step = Math.ceil(all.length / SAMPLE);
  if (step > 1 && !hasCopies(all.filter((_, place) => place % step === 0))) return false;
  const shares = new ShareCounter<Candidate>(KEPT);
  const beyond = all.filter((candidate) => !shares.take(candidate).hasRoom);
  return beyond.length > candidates.length * CROWDED;
}

/** Whether more than one memory is a near-copy of another. */
function hasCopies(candidates: readonly Candidate[]): boolean {
  const groups = new CopyGroups<Candidate>();
  return candidates.filter((candidate) => groups.firstOf(candidate) !== candidate).length > 1;
}

/** Ids of near-copies to leave out. Of each group, the best that were found and the oldest stay. */
function copiesBeyond(best: readonly Candidate[], all: readonly Sketched[]): string[] {
  const shares = new ShareCounter<Candidate>(KEPT);
  const kept = new Set<string>();
  const groups = new Set<Sketch>();
  for (const candidate of best) {
    const { hasRoom, first } = shares.take(candidate);
    if (hasRoom) kept.add(candidate.id);
    else groups.add(first.sketch);
  }
  const wordings = all.map(({ sketch }) => wordingOf(sketch));
  const sizes = new Map<number, number>();
  for (const wording of wordings) sizes.set(wording, (sizes.get(wording) ?? 0) + 1);
  const left: string[] = [];
  const taken = new Map<Sketch | number, number>();
  const take = (group: Sketch | number) => {
    taken.set(group, (taken.get(group) ?? 0) + 1);
    return taken.get(group) ?? 0;
  };
  for (const [place, { id, sketch }] of all.entries()) {
    const wording = wordings[place] ?? 0;
    const group = [...groups].find((one) => sharedWords(one, sketch) > 0);
    if (group === undefined && (sizes.get(wording) ?? 0) < FLOOD) continue;
    const isBeyond = take(wording) > KEPT.alike || (group !== undefined && take(group) > KEPT.near);
    if (isBeyond && !kept.has(id)) left.push(id);
  }
  return left;
}

/** The statistics as if each group had one memory: even the few that stay make a word common. */
function countingGroupsOnce({ corpus, candidates }: Candidates): Corpus {
  const groups = new CopyGroups<Candidate>();
  const documentFrequency = new Map(corpus.documentFrequency);
  let { documents } = corpus;
  for (const candidate of sorted(candidates)) {
    if (groups.firstOf(candidate) === candidate) continue;
    documents -= 1;
    for (const { term } of candidate.matched) {
      documentFrequency.set(term, Math.max(1, (documentFrequency.get(term) ?? 0) - 1));
    }
  }
  return { ...corpus, documents: Math.max(1, documents), documentFrequency };
}

/** The group of each memory that resembles another, by its oldest member's id. */
function groupsOf(candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  const groups = new CopyGroups<Candidate>();
  return new Map(sorted(candidates).map((candidate) => [candidate.id, groups.firstOf(candidate).id]));
}

/** Sorts by id, the oldest first. */
function sorted<One extends { readonly id: string }>(all: readonly One[]): One[] {
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function inOrder(candidates: readonly Candidate[], scored: readonly { readonly id: string }[]): Candidate[] {
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  return scored.flatMap(({ id }) => byId.get(id) ?? []);
}

function union(some: readonly Candidate[], more: readonly Candidate[]): Candidate[] {
  const ids = new Set(some.map(({ id }) => id));
  return [...some, ...more.filter(({ id }) => !ids.has(id))];
}
