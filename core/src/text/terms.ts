import { irregularForms } from './irregular-words.ts';
import { isStopWordOf, type Language, stem } from './language.ts';
import { simplify } from './simplified.ts';
import { agentWords, functionWords } from './stop-words.ts';
import { wordFrequency } from './word-frequency.ts';
import { wordTable } from './word-table.ts';
import { fold, type Word } from './words.ts';

/** Words of a typical memory, over which a word's frequency in text becomes its chance to be in a memory. */
const TYPICAL_MEMORY_WORDS = 25;
/** Shorter words are their own stems. */
const SHORTEST_STEMMED = 3;
/** Languages in which a word of unknown language is looked up. */
const USUAL_LANGUAGES: readonly Language[] = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'ru'];
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
/** Marks stop words, so that the Portuguese "com" is no stem of "comer". */
const STOP_WORD_MARK = '=';
/** Marks trigram terms, so that the trigram "api" and the word "api" stay two terms. */
export const TRIGRAM_MARK = '~';

/**
 * The term under which a word is looked up: its stem in the language of its text; English unless told. The stem is that of the
 * word as written and loses its diacritics afterwards, since "informação" and "informações" meet by their endings only. Chinese is
 * looked up in simplified characters, and a stop word of another language than English as what it is.
 */
export function termOf(word: Word, language: Language = 'en'): string {
  if (word.kind === 'gram') return simplify(word.text);
  if (language !== 'en' && word.kind === 'word' && isStopWordOf(language, word.text))
    return STOP_WORD_MARK + word.text;
  if (word.kind !== 'word' || word.text.length < SHORTEST_STEMMED) return withDots(word.text);
  if (language === 'en') return withDots(stem(irregularForms.get(word.text) ?? word.text, language));
  const found = stem(word.written ?? word.text, language);
  return withDots(word.written === undefined ? found : fold(found));
}

/** Many write the dotless "ı" of Turkish as "i". Its stems need it, what they are looked up by does not. */
function withDots(text: string): string {
  return text.replaceAll('ı', 'i');
}

/**
 * The terms of a memory's word. What the word table holds may be an English word in a text of another language, such as a
 * loan or a technical term: that is found by its English stem too. A word with diacritics is also found by whoever types none.
 */
export function documentTermsOf(word: Word, language: Language): string[] {
  const term = termOf(word, language);
  if (language === 'en') return [term];
  if (term.startsWith(STOP_WORD_MARK)) return [term];
  const terms = [term];
  if (isEnglish(word)) terms.push(termOf(word, 'en'));
  if (word.written !== undefined || language === 'vi') terms.push(termOf(withoutDiacritics(word), language));
  return terms.length === 1 ? terms : [...new Set(terms)];
}

function withoutDiacritics({ text, kind }: Word): Word {
  return { text: fold(text), kind };
}

/**
 * Further terms of a query's word: a memory of a few words may not show its language, nor may a query. Then the stems of both
 * can differ, as can the German "ü" and "ue".
 *
 * @param language of the query, if known
 */
export function variantsOf(word: Word, language: Language | undefined): string[] {
  if (word.kind !== 'word' || language === 'en' || (language === undefined && isEnglish(word))) return [];
  const { kind } = word;
  const plain = withoutDiacritics(word);
  const spellings = [word, plain, { text: word.text.replace(/([aou])e/g, '$1'), kind }];
  const languages = language === undefined ? USUAL_LANGUAGES : ([language, 'en'] as const);
  const terms = spellings.flatMap((spelling) => languages.map((one) => termOf(spelling, one)));
  return [...new Set(terms)].filter((term) => term !== termOf(word, language));
}

/** Whether the word table holds the word. */
function isEnglish({ text, kind }: Word): boolean {
  return kind === 'word' && wordTable().rows.has(text);
}

/** Share of all memories in general, 0 to 1, that are expected to hold the word. */
export function commonnessOf(word: Word, language: Language = 'en'): number {
  if (word.kind === 'number') return NUMBER_COMMONNESS;
  if (word.kind === 'gram') return GRAM_COMMONNESS;
  if (agentWords.has(word.text)) return EVERYWHERE_COMMONNESS;
  if (language !== 'en' && isStopWordOf(language, word.text)) return EVERYWHERE_COMMONNESS;
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
  if (isEnglish(word)) return [];
  const characters = Array.from(withDots(word.text));
  const count = Math.min(characters.length - 2, MOST_TRIGRAMS_PER_WORD);
  return Array.from(
    { length: Math.max(0, count) },
    (_, i) => TRIGRAM_MARK + characters.slice(i, i + 3).join(''),
  );
}

/** Whether a term is a trigram of a word. */
export function isTrigram(term: string): boolean {
  return term.startsWith(TRIGRAM_MARK);
}
