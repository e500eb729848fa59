import { type Language, languageOf } from './language.ts';
import { passagesOf } from './passages.ts';
import { isFunctionWord } from './stop-words.ts';
import { documentTermsOf, trigramsOf } from './terms.ts';
import { lengthInWords, splitWords, type Word } from './words.ts';

/** What the lexical index keeps of a memory. */
export interface DocumentTerms {
  /** Term → how often it occurs. At most 6,000 terms of at most 64 characters each. */
  readonly terms: ReadonlyMap<string, number>;
  /** Length of the text in words, for BM25's length normalisation. */
  readonly length: number;
  /** Of a text of several passages, the numbers of those that hold each term, ascending from 0. */
  readonly passages?: ReadonlyMap<string, readonly number[]>;
}

/**
 * Version of the analysis. Memories that an earlier version analysed are analysed again in the background: raise it when
 * the terms of a document change, or what the index keeps of them.
 */
export const ANALYSIS_VERSION = 9;

/** All distinct words of a text of 32,768 characters. */
const MOST_TERMS = 6000;
/** Trigram terms of one memory: enough for every word of a short one, a small share of a long one's rows. */
const MOST_TRIGRAMS = 160;

/**
 * Splits a memory's content into the terms of the lexical index: stems of words, numbers, identifiers as written and in
 * parts, character pairs of scripts without spaces, trigrams of words outside the word table.
 */
export function analyzeDocument(text: string): DocumentTerms {
  const passages = passagesOf(text).map(({ start, end }) => splitWords(text.slice(start, end)));
  const words = passages.flat();
  const length = Math.ceil(lengthInWords(words));
  const places = passages.length > 1 ? new Map<string, number[]>() : undefined;
  const collected = new TermCollector(languageOf(words) ?? 'en', words.every(isFunctionWord), places);
  for (const [number, some] of passages.entries()) collected.add(some, number);
  const { terms } = collected;
  return places ? { terms, length, passages: places } : { terms, length };
}

/** Counts the terms of a document, passage by passage. */
class TermCollector {
  readonly terms = new Map<string, number>();
  readonly #places: Map<string, number[]> | undefined;
  readonly #language: Language;
  readonly #keepsFunctionWords: boolean;
  readonly #trigramsOf = new Map<string, readonly string[]>();
  #trigrams = 0;

  /** @param places Gets for each term the passages that hold it; undefined where there is one only. */
  constructor(language: Language, keepsFunctionWords: boolean, places: Map<string, number[]> | undefined) {
    this.#language = language;
    this.#keepsFunctionWords = keepsFunctionWords;
    this.#places = places;
  }

  add(words: readonly Word[], passage: number): void {
    const wordsHere = new Set<string>();
    for (const word of words) {
      if (!this.#keepsFunctionWords && isFunctionWord(word)) continue;
      for (const term of documentTermsOf(word, this.#language)) this.#count(term, passage);
      // A repeated word is no more alike to others than one.
      if (wordsHere.has(word.text)) continue;
      wordsHere.add(word.text);
      for (const trigram of this.#trigramsIn(word)) this.#count(trigram, passage);
    }
  }

  #trigramsIn(word: Word): readonly string[] {
    const known = this.#trigramsOf.get(word.text);
    if (known) return known;
    const trigrams = this.#trigrams < MOST_TRIGRAMS ? trigramsOf(word) : [];
    this.#trigrams += trigrams.length;
    this.#trigramsOf.set(word.text, trigrams);
    return trigrams;
  }

  #count(term: string, passage: number): void {
    const known = this.terms.get(term);
    if (known === undefined && this.terms.size >= MOST_TERMS) return;
    this.terms.set(term, (known ?? 0) + 1);
    if (!this.#places) return;
    const places = this.#places.get(term);
    if (!places) this.#places.set(term, [passage]);
    else if (places.at(-1) !== passage) places.push(passage);
  }
}
