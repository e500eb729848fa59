import type { AnalyzedQuery, QueryTerm } from '../../../text/analyze-query.ts';
import type { Corpus, MatchedTerm, RankInput } from './input.ts';

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
 * The average length that BM25 compares a memory's with is at most this many words. Where the replies of an agent are long,
 * their average would make a short message, which holds the fact, no better than a reply that holds all words.
 */
export const LONGEST_AVERAGE = 30;
/**
 * Length in words at which a longer memory is found: one of its passages may answer the query. The ranking then judges the
 * passages one by one.
 */
export const LONGEST_FOUND = 300;

/** What each of the query's words contributes to a memory, most informative word first. */
type WordShares = readonly number[];
/** Scores terms that a text of some length in words holds. */
type ScoreWords = (matched: readonly MatchedTerm[], length: number) => WordShares;

/**
 * BM25 word by word, as shares of what the query can attain: the shares add up to 1 when a memory of average
 * length holds each of the query's words once, to a little more when it repeats them.
 * @returns for one candidate the share of each of the query's words, most informative word first
 */
export function lexicalEvidence(query: AnalyzedQuery, corpus: Corpus): (candidate: RankInput) => WordShares {
  const score = wordScorer(query, corpus);
  return ({ matched, length }) => {
    const whole = score(matched, length);
    return matched.some(({ passages }) => passages)
      ? orBestPassage(whole, matched, (terms) => score(terms, PASSAGE_LENGTH * corpus.averageLength))
      : whole;
  };
}

/** What the terms of the query tell: of each its word and its gain. */
interface Gains {
  readonly ofTerm: ReadonlyMap<
    string,
    { readonly place: number; readonly gain: number; readonly whole: boolean }
  >;
  /** The gain of each word. */
  readonly attainable: readonly number[];
}

function wordScorer(query: AnalyzedQuery, corpus: Corpus): ScoreWords {
  const gains = gainsOf(query, corpus);
  const { ofTerm, attainable } = gains;
  const none: WordShares = Array.from(attainable, () => 0);
  const total = totalOf(query, gains);
  const average = corpus.averageLength || 1;
  return (matched, length) => {
    if (matched.length === 0) return none;
    const norm = SATURATION * (1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * length) / average);
    const wholes = none.slice();
    let parts: number[] | undefined;
    for (const { term, frequency } of matched) {
      const known = ofTerm.get(term);
      if (known === undefined) continue;
      if (!known.whole) parts ??= none.slice();
      const side = known.whole ? wholes : (parts ?? wholes);
      const value = (known.gain * frequency * (SATURATION + 1)) / (frequency + norm);
      side[known.place] = (side[known.place] ?? 0) + value / total;
    }
    if (!parts) return wholes;
    // What stands for a word only speaks where the word itself does not, and never louder than it would.
    for (let place = 0; place < parts.length; place += 1) {
      if ((wholes[place] ?? 0) > 0) continue;
      wholes[place] = Math.min(parts[place] ?? 0, (attainable[place] ?? 0) / total);
    }
    return wholes;
  };
}

/** The gain of a memory that holds what can be expected of one that matches the query in full. */
function totalOf({ expectedWords }: AnalyzedQuery, { attainable }: Gains): number {
  return sumOf([...attainable].sort((a, b) => b - a).slice(0, expectedWords)) || 1;
}

function gainsOf({ terms }: AnalyzedQuery, corpus: Corpus): Gains {
  const isHeld = (term: string) => (corpus.documentFrequency.get(term) ?? 0) > 0;
  const heldWords = new Set(terms.filter(({ whole, term }) => whole && isHeld(term)).map(({ word }) => word));
  const isMeant = ({ mended, word, term }: QueryTerm) => !mended || (!heldWords.has(word) && isHeld(term));
  const places = new Map<number, number>();
  const ofTerm = new Map<string, { place: number; gain: number; whole: boolean }>();
  const attainable: number[] = [];
  for (const item of terms) {
    const { term, word, weight, commonness, whole, mended } = item;
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    attainable[place] ??= 0;
    if (!isMeant(item)) continue;
    const gain = weight * inverseDocumentFrequency(corpus, term, commonness);
    ofTerm.set(term, { place, gain, whole });
    if (whole || mended) attainable[place] = Math.max(attainable[place] ?? 0, gain);
  }
  // A word with a typing error counts as the word that was meant, not as a rare one.
  for (const { term, word, mended } of terms) {
    const [place = 0, meant] = [places.get(word), ofTerm.get(term)];
    if (mended && meant) attainable[place] = meant.gain;
  }
  return { ofTerm, attainable };
}

/** Times the length of an average memory that a passage counts as: it says more than the one fact that is asked for. */
const PASSAGE_LENGTH = 2;
/** Share of what the passages beside it hold of the query's words that a passage lacks. */
const BESIDE_SHARE = 0.5;

/**
 * The shares of the best passage, where that speaks louder than the memory as a whole. A passage that holds nearly all of the
 * query answers it as if it stood alone; one that holds some of it hardly counts, as a long text has many of those.
 */
function orBestPassage(
  whole: WordShares,
  matched: readonly MatchedTerm[],
  score: (terms: readonly MatchedTerm[]) => WordShares,
): WordShares {
  const termsIn = new Map<number, MatchedTerm[]>();
  for (const { term, passages = [] } of matched) {
    for (const passage of passages) {
      const terms = termsIn.get(passage);
      if (terms) terms.push({ term, frequency: 1 });
      else termsIn.set(passage, [{ term, frequency: 1 }]);
    }
  }
  const sharesOf = new Map([...termsIn].map(([passage, terms]) => [passage, score(terms)]));
  let [best, most] = [whole, 0];
  for (const [passage, shares] of sharesOf) {
    const [before, after] = [sharesOf.get(passage - 1), sharesOf.get(passage + 1)];
    const all = shares.map((share, place) =>
      share > 0 ? share : BESIDE_SHARE * Math.max(before?.[place] ?? 0, after?.[place] ?? 0),
    );
    const sum = sumOf(all);
    if (sum > most) [best, most] = [all, sum];
  }
  const trust = Math.min(1, most) ** 2;
  return most * trust > sumOf(whole) ? best.map((share) => share * trust) : whole;
}

/** What the query's words contributed together. */
export function sumOf(shares: WordShares): number {
  let total = 0;
  // Without an iterator, which puts each number in a box.
  for (let place = 0; place < shares.length; place += 1) total += shares[place] ?? 0;
  return total;
}

/**
 * How rare a term is: among the tenant's memories, and as long as these are few, in general.
 * @param commonness share of memories in general that are expected to hold the term
 */
export function inverseDocumentFrequency(corpus: Corpus, term: string, commonness: number): number {
  const documents = corpus.documents + PRIOR_DOCUMENTS;
  const holding = (corpus.documentFrequency.get(term) ?? 0) + PRIOR_DOCUMENTS * commonness;
  return rarityOf(holding, documents);
}

/** How rare something is that so many of the memories hold, as BM25 has it. */
function rarityOf(holding: number, documents: number): number {
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}

/**
 * The share of something that is no word but asked for like one: what it tells, of what the words of the query can.
 *
 * @param holding How many memories have it.
 * @param weight How much it tells beside a word.
 * @returns at most 1
 */
export function shareBesideWords(
  query: AnalyzedQuery,
  corpus: Corpus,
  { holding, weight }: { readonly holding: number; readonly weight: number },
): number {
  const gain = weight * rarityOf(holding, corpus.documents + PRIOR_DOCUMENTS);
  return Math.min(1, gain / totalOf(query, gainsOf(query, corpus)));
}
