import type { QueryVector } from '../../embedding/embed-query.ts';
import { presentImportance } from '../../memory/importance.ts';
import type { AnalyzedQuery } from '../analyze.ts';
import { echoesCount, type Filters, isFiltered } from '../filters.ts';
import { ANCHORS, PROPOSALS, REACH, within } from '../find-candidates.ts';
import { type Findings, toCosine } from '../findings.ts';
import type { Proposed } from '../prefer-newer.ts';
import type { NeighbourLink } from '../rank-context.ts';
import { SATURATION } from '../rank-lexical.ts';
import { semanticEvidence } from '../rank-semantic.ts';
import { BestOf } from './best-of.ts';
import { COUNTED, ECHOING } from './columns.ts';
import { Narrowing } from './narrowing.ts';
import type { ResidentIndex } from './resident-index.ts';
import { matchesOf, scoreByWords, type WordScores } from './score-words.ts';
import type { Scratch } from './scratch.ts';

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
interface Known extends Proposed {
  readonly place: number;
  /** How much of the query it answers, roughly as the ranking will see it. */
  readonly judged: number;
}

/** Finds in memory what `candidatesStatement` finds in the database, by the same rules. */
export function findResident(index: ResidentIndex, search: ResidentSearch): Findings {
  const { filters, limit, query, vector } = search;
  const { scratch } = index;
  scratch.makeRoom(index.places);
  const last = echoesCount(filters) ? ECHOING : COUNTED;
  const narrowing = isFiltered(filters) ? new Narrowing(index, filters) : undefined;
  const most = within(PROPOSALS, limit);
  const words = scoreByWords(index, query, last);
  const worded = bestByWords(index, words, { most, narrowing });
  const near = vector ? bestByVector(index, vector, { most, narrowing, last }) : [];
  const places = union(worded, near, scratch);
  const known = knownOf(index, search, { places, words, worded: worded.length });
  scratch.scores.fill(0);
  const anchors = [...known]
    .sort((a, b) => {
      if (a.judged !== b.judged) return a.judged > b.judged ? -1 : 1;
      return index.ids.isBefore(a.place, b.place) ? -1 : 1;
    })
    .slice(0, within(ANCHORS, limit));
  return {
    corpus: words.corpus,
    candidates: known,
    ...surroundingsOf(index, anchors, narrowing),
    load: async (ids) =>
      ids.flatMap((id) => {
        const place = index.ids.placeOf(id);
        return place === undefined ? [] : [index.memory(place, id)];
      }),
  };
}

/** All of both, each once. */
function union(first: readonly number[], second: readonly number[], { marks }: Scratch): readonly number[] {
  for (const place of first) marks[place] = 1;
  const all = [...first, ...second.filter((place) => marks[place] === 0)];
  for (const place of first) marks[place] = 0;
  return all;
}

interface Proposing {
  readonly most: number;
  readonly narrowing: Narrowing | undefined;
}

function bestByWords(
  { ids, scratch }: ResidentIndex,
  { touched }: WordScores,
  { most, narrowing }: Proposing,
) {
  const best = new BestOf(most, ids);
  for (let n = 0; n < touched; n += 1) {
    const place = scratch.touched[n] ?? 0;
    const score = scratch.scores[place] ?? 0;
    if (score >= best.least && (narrowing?.fits(place) ?? true)) best.offer(place, score);
  }
  return best.take();
}

function bestByVector(
  { ids, places, columns, vectors, scratch }: ResidentIndex,
  { values }: QueryVector,
  { most, narrowing, last }: Proposing & { readonly last: number },
) {
  const best = new BestOf(most, ids);
  const { cosines } = scratch;
  const { kinds } = columns;
  vectors.cosines(values, scratch.products, cosines);
  for (let place = 0; place < places; place += 1) {
    const cosine = cosines[place] ?? 0;
    if (cosine < best.least || (kinds[place] ?? 0) > last || !vectors.has(place)) continue;
    if (narrowing?.fits(place) ?? true) best.offer(place, cosine);
  }
  return best.take();
}

/** What the ranking has to know of what was proposed, by words the first. */
function knownOf(
  index: ResidentIndex,
  { query, vector, now }: ResidentSearch,
  { places, words, worded }: { places: readonly number[]; words: WordScores; worded: number },
): Known[] {
  const { columns, ids, texts, vectors, scratch } = index;
  const matched = matchesOf(index, query, places.slice(0, worded));
  const attainable = words.attainable / (SATURATION + 1);
  return places.map((place, number) => {
    const cosine = vector && vectors.has(place) ? (scratch.cosines[place] ?? null) : null;
    const said = number < worded ? Math.min(1, (scratch.scores[place] ?? 0) / attainable) : 0;
    const meant = vector ? semanticEvidence(cosine ?? 0, vector.calibration) : 0;
    const type = index.typeOf(place);
    const time = columns.times[place] ?? 0;
    const importance = columns.importances[place] ?? 0;
    return {
      place,
      judged: said + (1 - said) * meant,
      id: ids.textOf(place),
      cosine: toCosine(cosine),
      matched: matched[number] ?? [],
      length: columns.lengths[place] ?? 0,
      importance: presentImportance({ type, importance, time }, now),
      time,
      type,
      fingerprint: columns.fingerprints[place] ?? 0n,
      supersededBy: texts.more(place).supersededBy,
    };
  });
}

/** What the anchors say, and those next to them in their session that pass the filters. */
function surroundingsOf(
  { ids, sessions, texts, scratch }: ResidentIndex,
  anchors: readonly Known[],
  narrowing: Narrowing | undefined,
): Pick<Findings, 'links' | 'contents'> {
  const { marks } = scratch;
  const links: NeighbourLink[] = [];
  const contents = new Map<string, string>();
  // A mark is a memory's number among those that are shown, from 1 on.
  const shown: { readonly place: number; readonly id: string }[] = [];
  const show = (place: number, id: string) => {
    marks[place] = shown.push({ place, id });
    contents.set(id, texts.content(place));
    return id;
  };
  for (const { place, id } of anchors) show(place, id);
  const fits = (place: number) => narrowing?.fits(place) ?? true;
  for (const { place, id } of anchors) {
    sessions.around(place, { most: REACH, fits }, (other, distance) => {
      const neighbourId = shown[(marks[other] ?? 0) - 1]?.id ?? show(other, ids.textOf(other));
      links.push({ id, neighbourId, distance });
    });
  }
  for (const { place } of shown) marks[place] = 0;
  return { links, contents };
}
