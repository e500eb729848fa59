import type { QueryVector } from '../../embedding/embed-query.ts';
import { presentImportance } from '../../memory/importance.ts';
import type { AnalyzedQuery } from '../analyze.ts';
import { echoesCount, type Filters, isFiltered, passes } from '../filters.ts';
import { ANCHORS, PROPOSALS, REACH, within } from '../find-candidates.ts';
import { type Findings, type Remembered, toCosine } from '../findings.ts';
import type { Proposed } from '../prefer-newer.ts';
import { byId, type Corpus } from '../rank.ts';
import { inverseDocumentFrequency, LENGTH_NORMALISATION, SATURATION } from '../rank-lexical.ts';
import { semanticEvidence } from '../rank-semantic.ts';
import { BestOf } from './best-of.ts';
import { COUNTED, ECHOING, GONE, type Kept, placeIn, type ResidentIndex } from './resident-index.ts';

/** A query, and what it asks for. */
export interface ResidentSearch {
  readonly query: AnalyzedQuery;
  /** Without it only words count. */
  readonly vector: QueryVector | undefined;
  readonly filters: Filters;
  /** Results asked for. */
  readonly limit: number;
  readonly now: Date;
}

/** A memory that was proposed, with what the ranking has to know of it. */
interface Known {
  readonly memory: Kept;
  readonly candidate: Proposed;
  /** How much of the query it answers, roughly as the ranking will see it. */
  readonly judged: number;
}

/** Finds in memory what `candidatesStatement` finds in the database, by the same rules. */
export function findResident(index: ResidentIndex, search: ResidentSearch): Findings {
  const { filters, limit } = search;
  const known = propose(index, search);
  const anchors = [...known.candidates]
    .sort((a, b) => b.judged - a.judged || byId(a.memory, b.memory))
    .slice(0, within(ANCHORS, limit));
  const memories = new Map<string, Remembered>(anchors.map(({ memory }) => [memory.id, memory]));
  const links = anchors.flatMap(({ memory }) =>
    neighboursOf(index, memory, filters).map(({ neighbour, distance }) => {
      memories.set(neighbour.id, neighbour);
      return { id: memory.id, neighbourId: neighbour.id, distance };
    }),
  );
  return {
    corpus: known.corpus,
    candidates: known.candidates.map(({ candidate }) => candidate),
    links,
    memories,
    load: async (ids) => {
      const wanted = new Set(ids);
      return known.candidates.flatMap(({ memory }) => (wanted.has(memory.id) ? [memory] : []));
    },
  };
}

/** The best by words and the best by vector, each as many as may be proposed. */
function propose(index: ResidentIndex, search: ResidentSearch): { corpus: Corpus; candidates: Known[] } {
  const { query, vector, filters, limit, now } = search;
  const { memories, kinds, embedded } = index;
  const last = echoesCount(filters) ? ECHOING : COUNTED;
  const counts = (place: number) => kinds[place] !== GONE && (kinds[place] ?? GONE) <= last;
  const fits = isFiltered(filters)
    ? (place: number) => {
        const memory = memories[place];
        return memory !== undefined && passes(memory, filters);
      }
    : () => true;
  const isBefore = (one: number, other: number) => (memories[one]?.id ?? '') < (memories[other]?.id ?? '');
  const most = within(PROPOSALS, limit);

  const lexical = scoreByWords(index, search, counts);
  const worded = new BestOf(most, isBefore);
  for (const place of lexical.touched) {
    if (fits(place)) worded.offer(place, lexical.scores[place] ?? 0);
  }
  const near = new BestOf(most, isBefore);
  const cosines = vector && cosinesOf(index, vector.values);
  if (cosines) {
    for (let place = 0; place < memories.length; place += 1) {
      const cosine = cosines[place] ?? 0;
      if (cosine >= near.least && embedded[place] && counts(place) && fits(place)) near.offer(place, cosine);
    }
  }

  const matched = matchesOf(index, query, worded.places());
  const attainable = lexical.attainable / (SATURATION + 1);
  const candidates = [...new Set([...worded.places(), ...near.places()])].flatMap((place): Known[] => {
    const memory = memories[place];
    if (!memory) return [];
    const cosine = cosines && embedded[place] ? (cosines[place] ?? null) : null;
    const words = matched.has(place) ? Math.min(1, (lexical.scores[place] ?? 0) / attainable) : 0;
    const meant = vector ? semanticEvidence(cosine ?? 0, vector.calibration) : 0;
    const candidate = {
      id: memory.id,
      cosine: toCosine(cosine),
      matched: matched.get(place) ?? [],
      length: memory.length,
      importance: presentImportance(memory, now),
      occurredAt: memory.occurredAt,
      said: memory.said,
      supersededBy: memory.supersededBy,
    };
    return [{ memory, candidate, judged: words + (1 - words) * meant }];
  });
  return { corpus: lexical.corpus, candidates };
}

/** BM25 of every memory that holds a term of the query. */
function scoreByWords(
  index: ResidentIndex,
  { query, filters }: ResidentSearch,
  counts: (place: number) => boolean,
) {
  const { lengths, postings, scores } = index;
  const corpus = corpusOf(index, filters);
  const documentFrequency = new Map<string, number>();
  scores.fill(0);
  const touched: number[] = [];
  let attainable = 0;
  for (const { term, weight, commonness, whole } of query.terms) {
    const list = postings.get(term) ?? [];
    let holding = 0;
    for (let entry = 0; entry < list.length; entry += 2) if (counts(list[entry] ?? 0)) holding += 1;
    documentFrequency.set(term, holding);
    const gain = weight * inverseDocumentFrequency({ ...corpus, documentFrequency }, term, commonness);
    if (whole) attainable += gain;
    for (let entry = 0; entry < list.length; entry += 2) {
      const place = list[entry] ?? 0;
      if (!counts(place)) continue;
      const frequency = list[entry + 1] ?? 1;
      const length = (lengths[place] ?? 0) / corpus.averageLength;
      const norm = 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length;
      if (scores[place] === 0) touched.push(place);
      scores[place] = (scores[place] ?? 0) + (gain * frequency) / (frequency + SATURATION * norm);
    }
  }
  return { corpus: { ...corpus, documentFrequency }, scores, touched, attainable };
}

function corpusOf({ counted, echoing }: ResidentIndex, filters: Filters): Omit<Corpus, 'documentFrequency'> {
  const sizes = echoesCount(filters) ? [counted, echoing] : [counted];
  const documents = sizes.reduce((sum, size) => sum + size.documents, 0);
  const words = sizes.reduce((sum, size) => sum + size.words, 0);
  return { documents, averageLength: words > 0 && documents > 0 ? words / documents : 1 };
}

/** The query's terms that each of some places holds. */
function matchesOf(
  { postings }: ResidentIndex,
  { terms }: AnalyzedQuery,
  places: readonly number[],
): ReadonlyMap<number, { term: string; frequency: number }[]> {
  const matched = new Map(places.map((place) => [place, [] as { term: string; frequency: number }[]]));
  for (const { term } of terms) {
    const list = postings.get(term) ?? [];
    for (let entry = 0; entry < list.length; entry += 2) {
      matched.get(list[entry] ?? 0)?.push({ term, frequency: list[entry + 1] ?? 1 });
    }
  }
  return matched;
}

/** The cosine of each place's vector and the query's, both being of unit length. */
function cosinesOf(index: ResidentIndex, query: Float32Array): Float64Array {
  const { vectors, dimensions, memories, cosines } = index;
  const asked = Float64Array.from(query);
  for (let place = 0; place < memories.length; place += 1) {
    cosines[place] = product(vectors, place * dimensions, asked);
  }
  return cosines;
}

/** Four sums side by side, since each addition waits for the one before. */
function product(vectors: Float32Array, start: number, asked: Float64Array): number {
  const inFours = asked.length - (asked.length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let k = 0; k < inFours; k += 4) {
    const at = start + k;
    a += (vectors[at] as number) * (asked[k] as number);
    b += (vectors[at + 1] as number) * (asked[k + 1] as number);
    c += (vectors[at + 2] as number) * (asked[k + 2] as number);
    d += (vectors[at + 3] as number) * (asked[k + 3] as number);
  }
  for (let k = inFours; k < asked.length; k += 1) a += (vectors[start + k] as number) * (asked[k] as number);
  return a + b + c + d;
}

/** Those next to a memory in its session that pass the filters, with their places before (negative) or after it. */
function neighboursOf({ sessions }: ResidentIndex, memory: Kept, filters: Filters) {
  const session = memory.sessionId === null ? undefined : sessions.get(memory.sessionId);
  if (!session) return [];
  const own = placeIn(session, memory);
  return ([-1, 1] as const).flatMap((direction) => {
    const found: { neighbour: Kept; distance: number }[] = [];
    for (let place = own + direction; found.length < REACH; place += direction) {
      const neighbour = session[place];
      if (!neighbour) break;
      if (passes(neighbour, filters)) found.push({ neighbour, distance: direction * (found.length + 1) });
    }
    return found;
  });
}
