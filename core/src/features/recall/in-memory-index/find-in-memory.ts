import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import type { QueryVector } from '../../embedding/embed.ts';
import { presentImportance } from '../../records/importance.ts';
import type { Sketched } from '../../search-index/sketch.ts';
import type { Candidate } from '../candidates.ts';
import { type Candidates, toCosine } from '../candidates.ts';
import { type Filters, includesCoveredDigests } from '../filters.ts';
import type { EmbeddedSearch, MemoryIndex } from '../memory-index.ts';
import type { NeighbourLink } from '../ranking/context.ts';
import type { Corpus } from '../ranking/input.ts';
import { LONGEST_AVERAGE, SATURATION } from '../ranking/lexical.ts';
import { semanticEvidence } from '../ranking/semantic.ts';
import { CANDIDATE_LIMIT, CONTEXT_SEEDS, NEIGHBOURS, scaledLimit } from '../search-limits.ts';
import { COUNTED, COVERED, DELETED } from './document-columns.ts';
import { FilterMask } from './filter-mask.ts';
import { HeldCandidate } from './held-candidate.ts';
import { matchesOf, scoreByWords, type WordScores } from './score-words.ts';
import type { TenantIndex } from './tenant-index.ts';
import { TopK } from './top-k.ts';
import type { Workspace } from './workspace.ts';

/** A search of one index. */
interface InMemorySearch {
  readonly query: AnalyzedQuery;
  /** Undefined: only words count. */
  readonly vector: QueryVector | undefined;
  readonly filters: Filters;
  /** Requested results. */
  readonly limit: number;
  readonly now: Date;
  /** Ids of memories that are searched as if they did not exist. */
  readonly without?: readonly string[];
}

/**
 * Searches the tenant's memories in this process.
 *
 * @param held Undefined when the tenant is not cached.
 */
export function inMemoryIndex(
  held: TenantIndex | undefined,
  { model, view, ...search }: EmbeddedSearch,
  now: Date,
): MemoryIndex {
  return {
    find: async (without = []) =>
      view.isFull && held?.model === model ? findInMemory(held, { ...search, now, without }) : undefined,
    holding: async (terms) => new Set(held ? heldTerms(held, search.filters, terms) : []),
    sketches: async () => (held ? allSketches(held) : []),
  };
}

/** Finds in memory what `candidatesStatement` finds in the database, by the same rules. */
function findInMemory(index: TenantIndex, search: InMemorySearch): Candidates {
  const { kinds } = index.columns;
  const hidden = (search.without ?? []).flatMap((id) => {
    const slot = index.ids.slotOf(id);
    return slot === undefined ? [] : [{ slot, kind: kinds[slot] ?? DELETED }];
  });
  // The search is synchronous, so nothing else reads the index meanwhile.
  for (const { slot } of hidden) kinds[slot] = DELETED;
  try {
    return findVisible(index, search, hidden.length);
  } finally {
    for (const { slot, kind } of hidden) kinds[slot] = kind;
  }
}

/** Those of some terms that a memory holds. */
function heldTerms(
  { postings, columns, scratch, slots }: TenantIndex,
  filters: Filters,
  terms: readonly string[],
): string[] {
  scratch.reserve(slots);
  const last = lastKind(filters);
  return terms.filter((term) => postings.read(term, columns.kinds, last, scratch.entries) > 0);
}

/** The last kind of memories that count. */
function lastKind(filters: Filters): number {
  return includesCoveredDigests(filters) ? COVERED : COUNTED;
}

/** The sketches of all memories. */
function allSketches({ columns, ids, slots }: TenantIndex): Sketched[] {
  const all: Sketched[] = [];
  for (let slot = 0; slot < slots; slot += 1) {
    if (columns.kinds[slot] === DELETED) continue;
    all.push({ id: ids.textOf(slot), sketch: columns.sketchOf(slot) });
  }
  return all;
}

function findVisible(index: TenantIndex, search: InMemorySearch, left: number): Candidates {
  const { filters, limit, query, vector } = search;
  const { scratch } = index;
  scratch.reserve(index.slots);
  const last = lastKind(filters);
  const mask = new FilterMask(index, filters, search.now);
  const most = scaledLimit(CANDIDATE_LIMIT, limit);
  const words = scoreByWords(index, query, { last, left });
  const worded = bestByWords(index, words, { most, mask });
  const near = vector ? bestByVector(index, vector, { most, mask, last }) : [];
  const slots = union(worded, near, scratch);
  const candidates = describeCandidates(index, search, { slots, words, worded: worded.length });
  scratch.scores.fill(0);
  const anchors = bestJudged(index, candidates, scaledLimit(CONTEXT_SEEDS, limit));
  return {
    corpus: words.corpus,
    candidates,
    ...neighboursOf(index, anchors, { mask, within: reachOf(words.corpus) }),
    load: async (ids) =>
      ids.flatMap((id) => {
        const slot = index.ids.slotOf(id);
        const isHeld = slot !== undefined && index.columns.kinds[slot] !== DELETED;
        return isHeld ? [index.memory(slot, id)] : [];
      }),
  };
}

/** All of both, each once. */
function union(first: readonly number[], second: readonly number[], { marks }: Workspace): readonly number[] {
  for (const slot of first) marks[slot] = 1;
  const all = [...first, ...second.filter((slot) => marks[slot] === 0)];
  for (const slot of first) marks[slot] = 0;
  return all;
}

interface SelectionOptions {
  readonly most: number;
  readonly mask: FilterMask;
}

function bestByWords(
  { ids, scratch }: TenantIndex,
  { touched }: WordScores,
  { most, mask }: SelectionOptions,
) {
  const best = new TopK(most, ids);
  for (let n = 0; n < touched; n += 1) {
    const slot = scratch.touched[n] ?? 0;
    const score = scratch.scores[slot] ?? 0;
    if (score >= best.least && mask.fits(slot)) best.offer(slot, score);
  }
  return best.take();
}

function bestByVector(
  { ids, slots, columns, vectors, scratch }: TenantIndex,
  { values }: QueryVector,
  { most, mask, last }: SelectionOptions & { readonly last: number },
) {
  const best = new TopK(most, ids);
  const { cosines } = scratch;
  const { kinds } = columns;
  vectors.cosines(values, scratch.products, cosines);
  for (let slot = 0; slot < slots; slot += 1) {
    const cosine = cosines[slot] ?? 0;
    if (cosine < best.least || (kinds[slot] ?? 0) > last || !vectors.has(slot)) continue;
    if (mask.fits(slot)) best.offer(slot, cosine);
  }
  return best.take();
}

/** Reads what the ranking needs of each candidate. The first `worded` were found by words. */
function describeCandidates(
  index: TenantIndex,
  { query, vector, now }: InMemorySearch,
  { slots, words, worded }: { slots: readonly number[]; words: WordScores; worded: number },
): HeldCandidate[] {
  const { columns, vectors, scratch } = index;
  const matched = matchesOf(index, query, slots.slice(0, worded));
  const attainable = words.attainable / (SATURATION + 1);
  return slots.map((slot, number) => {
    const cosine = vector && vectors.has(slot) ? (scratch.cosines[slot] ?? null) : null;
    const said = number < worded ? Math.min(1, (scratch.scores[slot] ?? 0) / attainable) : 0;
    const meant = vector ? semanticEvidence(cosine ?? 0, vector.calibration) : 0;
    const time = columns.times[slot] ?? 0;
    const importance = columns.importances[slot] ?? 0;
    return new HeldCandidate(index, slot, {
      judged: said + (1 - said) * meant,
      cosine: toCosine(cosine),
      matched: matched[number] ?? NO_MATCHES,
      importance: presentImportance({ type: index.typeOf(slot), importance, time }, now),
    });
  });
}

/** The candidates that words and meaning alone speak for most, best first. */
function bestJudged(
  { ids, scratch: { marks } }: TenantIndex,
  candidates: readonly HeldCandidate[],
  most: number,
): HeldCandidate[] {
  const best = new TopK(most, ids);
  // A mark is a candidate's place among them, from 1 on.
  for (const [place, { slot, judged }] of candidates.entries()) {
    marks[slot] = place + 1;
    if (judged >= best.least) best.offer(slot, judged);
  }
  const found = best.take().flatMap((slot) => candidates[(marks[slot] ?? 0) - 1] ?? []);
  for (const { slot } of candidates) marks[slot] = 0;
  return found;
}

const NO_MATCHES: Candidate['matched'] = [];

/** How many places away neighbours are looked for. */
function reachOf({ averageLength }: Corpus): number {
  return averageLength < LONGEST_AVERAGE ? NEIGHBOURS.most : NEIGHBOURS.within;
}

/** The contents of the context seeds and of their neighbours that pass the filters. */
function neighboursOf(
  { ids, sessions, texts, scratch }: TenantIndex,
  anchors: readonly HeldCandidate[],
  { mask, within }: { mask: FilterMask; within: number },
): Pick<Candidates, 'links' | 'contents'> {
  const { marks } = scratch;
  const links: NeighbourLink[] = [];
  const contents = new Map<string, string>();
  // A mark is a memory's number among those that are shown, from 1 on.
  const shown: { readonly slot: number; readonly id: string }[] = [];
  const show = (slot: number, id: string) => {
    marks[slot] = shown.push({ slot, id });
    contents.set(id, texts.content(slot));
    return id;
  };
  for (const { slot, id } of anchors) show(slot, id);
  const fits = (slot: number) => mask.fits(slot);
  for (const { slot, id } of anchors) {
    sessions.around(slot, { wanted: { ...NEIGHBOURS, within }, fits }, (other, distance) => {
      const neighbourId = shown[(marks[other] ?? 0) - 1]?.id ?? show(other, ids.textOf(other));
      links.push({ id, neighbourId, distance });
    });
  }
  for (const { slot } of shown) marks[slot] = 0;
  return { links, contents };
}
