import type { AnalyzedQuery } from './analyze.ts';
import type { Candidate, Corpus } from './rank.ts';

/** BM25's k1: how fast further occurrences of a term stop adding. Memories are short, so soon. */
export const SATURATION = 0.7;
/** BM25's b: how much longer memories are discounted. */
export const LENGTH_NORMALISATION = 0.4;
/**
 * Memories that the general expectation of a term counts for: in a store of a few memories, English decides
 * which words are rare; in a store of hundreds, the store does.
 */
export const PRIOR_DOCUMENTS = 20;

/**
 * BM25 word by word, as shares of what the query can attain: the shares add up to 1 when a memory of average
 * length holds each of the query's words once, to a little more when it repeats them.
 * @returns for one candidate the share of each of the query's words, most informative term first
 */
export function lexicalEvidence(
  query: AnalyzedQuery,
  corpus: Corpus,
): (candidate: Candidate) => readonly number[] {
  const places = new Map<number, number>();
  const gains = new Map<string, { place: number; gain: number; whole: boolean }>();
  for (const { term, word, weight, commonness, whole } of query.terms) {
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    gains.set(term, { place, gain: weight * inverseDocumentFrequency(corpus, term, commonness), whole });
  }
  const none = Array.from(places, () => 0);
  const attainable = [...none];
  for (const { place, gain, whole } of gains.values()) if (whole) attainable[place] = gain;
  const total = attainable.reduce((sum, gain) => sum + gain, 0) || 1;
  const average = corpus.averageLength || 1;

  return ({ matched, length }) => {
    if (matched.length === 0) return none;
    const norm = SATURATION * (1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * length) / average);
    const wholes = none.slice();
    let parts: number[] | undefined;
    for (const { term, frequency } of matched) {
      const known = gains.get(term);
      if (known === undefined) continue;
      if (!known.whole) parts ??= none.slice();
      const side = known.whole ? wholes : (parts ?? wholes);
      const value = (known.gain * frequency * (SATURATION + 1)) / (frequency + norm);
      side[known.place] = (side[known.place] ?? 0) + value / total;
    }
    if (!parts) return wholes;
    // A word's trigrams only speak where the word itself does not, and never louder than it would.
    for (let place = 0; place < parts.length; place += 1) {
      if ((wholes[place] ?? 0) > 0) continue;
      wholes[place] = Math.min(parts[place] ?? 0, (attainable[place] ?? 0) / total);
    }
    return wholes;
  };
}

/**
 * How rare a term is: among the tenant's memories, and as long as these are few, in general.
 * @param commonness share of memories in general that are expected to hold the term
 */
export function inverseDocumentFrequency(corpus: Corpus, term: string, commonness: number): number {
  const documents = corpus.documents + PRIOR_DOCUMENTS;
  const holding = (corpus.documentFrequency.get(term) ?? 0) + PRIOR_DOCUMENTS * commonness;
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}
