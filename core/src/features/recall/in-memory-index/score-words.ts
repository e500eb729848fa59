import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import type { Corpus, MatchedTerm } from '../ranking/input.ts';
import {
  inverseDocumentFrequency,
  LENGTH_NORMALISATION,
  LONGEST_AVERAGE,
  LONGEST_FOUND,
  SATURATION,
} from '../ranking/lexical.ts';
import { COUNTED, COVERED } from './document-columns.ts';
import { slotOf } from './postings.ts';
import type { TenantIndex } from './tenant-index.ts';

/** What the words of a query tell of an index' memories; their scores are in `scratch.scores`. */
export interface WordScores {
  readonly corpus: Corpus;
  /** Places that got a score: the first so many of `scratch.touched`. */
  readonly touched: number;
  /** What the words themselves, without what stands for them, can give. */
  readonly attainable: number;
}

/**
 * BM25 of every memory of a kind up to `last` that holds a term of the query.
 *
 * @param left How many memories do not count.
 */
export function scoreByWords(
  index: TenantIndex,
  { terms }: AnalyzedQuery,
  { last, left }: { last: number; left: number },
): WordScores {
  const { postings, columns, scratch } = index;
  const { scores, entries, touched } = scratch;
  const { kinds, lengths } = columns;
  const documentFrequency = new Map<string, number>();
  const corpus = { ...corpusOf(index, last, left), documentFrequency };
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
      const slot = slotOf(entry);
      const frequency = postings.frequencyOf(term, entry);
      const length = Math.min(lengths[slot] ?? 0, LONGEST_FOUND) / averageLength;
      const norm = 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length;
      const before = scores[slot] ?? 0;
      if (before === 0) {
        touched[touchedCount] = slot;
        touchedCount += 1;
      }
      scores[slot] = before + (gain * frequency) / (frequency + SATURATION * norm);
    }
  }
  return { corpus, touched: touchedCount, attainable };
}

function corpusOf(
  { counted, echoing }: TenantIndex,
  last: number,
  left: number,
): Omit<Corpus, 'documentFrequency'> {
  const sizes = last === COUNTED ? [counted] : [counted, echoing];
  const documents = sizes.reduce((sum, size) => sum + size.documents, 0);
  const words = sizes.reduce((sum, size) => sum + size.words, 0);
  return {
    documents: Math.max(0, documents - left),
    averageLength: words > 0 && documents > 0 ? Math.min(LONGEST_AVERAGE, words / documents) : 1,
  };
}

type Matches = MatchedTerm[];

/** Of each of some slots the query's terms that it holds. */
export function matchesOf(
  { postings, passages, columns, scratch }: TenantIndex,
  { terms }: AnalyzedQuery,
  slots: readonly number[],
): readonly Matches[] {
  const { marks, entries } = scratch;
  const matched = slots.map((): Matches => []);
  // A mark is a slot's number among them, from 1 on.
  for (const [number, slot] of slots.entries()) marks[slot] = number + 1;
  for (const { term } of terms) {
    const holding = postings.read(term, columns.kinds, COVERED, entries);
    for (let n = 0; n < holding; n += 1) {
      const entry = entries[n] ?? 0;
      const slot = slotOf(entry);
      const mark = marks[slot] ?? 0;
      if (mark === 0) continue;
      const frequency = postings.frequencyOf(term, entry);
      matched[mark - 1]?.push({ term, frequency, passages: passages.read(slot, postings.numberOf(term)) });
    }
  }
  for (const slot of slots) marks[slot] = 0;
  return matched;
}
