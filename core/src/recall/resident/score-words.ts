import type { AnalyzedQuery } from '../analyze.ts';
import type { Corpus } from '../rank.ts';
import { inverseDocumentFrequency, LENGTH_NORMALISATION, SATURATION } from '../rank-lexical.ts';
import { COUNTED, ECHOING } from './columns.ts';
import { placeOf } from './postings.ts';
import type { ResidentIndex } from './resident-index.ts';

/** What the words of a query tell of an index' memories; their scores are in `scratch.scores`. */
export interface WordScores {
  readonly corpus: Corpus;
  /** Places that got a score: the first so many of `scratch.touched`. */
  readonly touched: number;
  /** What the words themselves, without what stands for them, can give. */
  readonly attainable: number;
}

/** BM25 of every memory of a kind up to `last` that holds a term of the query. */
export function scoreByWords(index: ResidentIndex, { terms }: AnalyzedQuery, last: number): WordScores {
  const { postings, columns, scratch } = index;
  const { scores, entries, touched } = scratch;
  const { kinds, lengths } = columns;
  const documentFrequency = new Map<string, number>();
  const corpus = { ...corpusOf(index, last), documentFrequency };
  const { averageLength } = corpus;
  let touchedCount = 0;
  let attainable = 0;
  for (const { term, weight, commonness, whole } of terms) {
    const holding = postings.read(term, kinds, last, entries);
    documentFrequency.set(term, holding);
    const gain = weight * inverseDocumentFrequency(corpus, term, commonness);
    if (whole) attainable += gain;
    for (let n = 0; n < holding; n += 1) {
      const entry = entries[n] ?? 0;
      const place = placeOf(entry);
      const frequency = postings.frequencyOf(term, entry);
      const length = (lengths[place] ?? 0) / averageLength;
      const norm = 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length;
      const before = scores[place] ?? 0;
      if (before === 0) {
        touched[touchedCount] = place;
        touchedCount += 1;
      }
      scores[place] = before + (gain * frequency) / (frequency + SATURATION * norm);
    }
  }
  return { corpus, touched: touchedCount, attainable };
}

function corpusOf({ counted, echoing }: ResidentIndex, last: number): Omit<Corpus, 'documentFrequency'> {
  const sizes = last === COUNTED ? [counted] : [counted, echoing];
  const documents = sizes.reduce((sum, size) => sum + size.documents, 0);
  const words = sizes.reduce((sum, size) => sum + size.words, 0);
  return { documents, averageLength: words > 0 && documents > 0 ? words / documents : 1 };
}

type Matches = { term: string; frequency: number }[];

/** Of each of some places the query's terms that it holds. */
export function matchesOf(
  { postings, columns, scratch }: ResidentIndex,
  { terms }: AnalyzedQuery,
  places: readonly number[],
): readonly Matches[] {
  const { marks, entries } = scratch;
  const matched = places.map((): Matches => []);
  // A mark is a place's number among them, from 1 on.
  for (const [number, place] of places.entries()) marks[place] = number + 1;
  for (const { term } of terms) {
    const holding = postings.read(term, columns.kinds, ECHOING, entries);
    for (let n = 0; n < holding; n += 1) {
      const entry = entries[n] ?? 0;
      const mark = marks[placeOf(entry)] ?? 0;
      if (mark > 0) matched[mark - 1]?.push({ term, frequency: postings.frequencyOf(term, entry) });
    }
  }
  for (const place of places) marks[place] = 0;
  return matched;
}
