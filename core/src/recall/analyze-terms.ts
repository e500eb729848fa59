import { stemmer } from 'stemmer';
import { wordFrequency } from '../embedding/static/word-frequency.ts';
import { wordTable } from '../embedding/static/word-table.ts';
import { irregularForms } from './analyze-irregular-words.ts';
import { agentWords, foreignFunctionWords, functionWords } from './analyze-stop-words.ts';
import { synonyms } from './analyze-synonyms.ts';
import type { Word } from './analyze-words.ts';

/** Words of a typical memory, over which a word's frequency in text becomes its chance to be in a memory. */
const TYPICAL_MEMORY_WORDS = 25;
/** Share of memories expected to hold a word that the word table does not know. */
const UNKNOWN_COMMONNESS = 0.0005;
/** The same for a number and for one or two characters of a script without spaces. */
const NUMBER_COMMONNESS = 0.01;
const GRAM_COMMONNESS = 0.005;
/** The same for words that are expected everywhere. */
const EVERYWHERE_COMMONNESS = 0.3;
/** Shortest word whose trigrams are kept: shorter ones have too few to tell words apart. */
const SHORTEST_WITH_TRIGRAMS = 5;
/** Trigrams kept of one word, from its start; words longer than this are rarely words. */
const MOST_TRIGRAMS_PER_WORD = 24;
/** Marks trigram terms, so that the trigram "api" and the word "api" stay two terms. */
const TRIGRAM_MARK = '~';

/** The term under which a word is looked up: its stem where it is English-like, else the word itself. */
export function termOf(word: Word): string {
  if (word.kind !== 'word' || !/^[a-z]{3,}$/.test(word.text)) return word.text;
  return stemmer(irregularForms.get(word.text) ?? word.text);
}

/** Share of all memories in general, 0 to 1, that are expected to hold the word. */
export function commonnessOf(word: Word): number {
  if (word.kind === 'number') return NUMBER_COMMONNESS;
  if (word.kind === 'gram') return GRAM_COMMONNESS;
  if (foreignFunctionWords.has(word.text) || agentWords.has(word.text)) return EVERYWHERE_COMMONNESS;
  const rank = functionWords.has(word.text) ? 0 : wordTable().rows.get(word.text);
  if (rank === undefined) return UNKNOWN_COMMONNESS;
  return 1 - (1 - wordFrequency(rank)) ** TYPICAL_MEMORY_WORDS;
}

/**
 * The trigrams of a word that the English word table does not know: names, inflected words of other
 * languages, compounds and typing errors still meet their relatives by them. Known words have none, which
 * keeps an English memory at about one term per word.
 */
export function trigramsOf(word: Word): string[] {
  if (word.kind !== 'word' || word.text.length < SHORTEST_WITH_TRIGRAMS) return [];
  if (wordTable().rows.has(word.text)) return [];
  const characters = Array.from(word.text);
  const count = Math.min(characters.length - 2, MOST_TRIGRAMS_PER_WORD);
  return Array.from(
    { length: Math.max(0, count) },
    (_, i) => TRIGRAM_MARK + characters.slice(i, i + 3).join(''),
  );
}

/** Words, stemmed nowhere yet, that people use for the same as this one. */
export function synonymsOf(word: Word): Word[] {
  if (word.kind !== 'word') return [];
  const base = irregularForms.get(word.text) ?? word.text;
  const known = synonyms.get(base) ?? synonyms.get(base.replace(/s$/, ''));
  return [...(known ?? [])].map((text) => ({ text, kind: 'word' }));
}
