import type { AnalyzedQuery, QueryTerm } from './analyze-query.ts';
import type { Language } from './language.ts';
import { commonnessOf, termOf, variantsOf } from './terms.ts';
import { wordTable } from './word-table.ts';
import type { Word } from './words.ts';

/** Shortest word that is mended: shorter ones have too many neighbours. */
const SHORTEST = 4;
/** Longest word, which bounds the time. */
const LONGEST = 24;
/** Most words of a query that are mended, the most informative ones, and most corrections of each. */
const MOST = { words: 3, corrections: 4 };
/** What may be meant by a word with a typing error, beside the word itself. */
const MENDED_WEIGHT = 0.8;
/**
 * Shortest stem in which an error of each kind is taken for one where English does not know the outcome. It may be a name, of which
 * shorter ones differ by as much.
 */
const SHORTEST_WITH = { swapped: 5, missing: 6, added: 6, replaced: 7 };
/** The letters of each script whose words are mended. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ',
  'αβγδεζηθικλμνξοπρστυφχψω',
].map((letters) => ({ letters: Array.from(letters), only: new RegExp(`^[${letters}]+$`, 'u') }));

/** A word of a query that may have been meant by another one, which no memory holds. */
interface Correction {
  /** Place of the word that it stands for. */
  readonly place: number;
  readonly word: Word;
  readonly term: string;
}

/**
 * What the words of a query that no memory holds differ from by one typing error: a letter left out, added, replaced, or two
 * swapped. Which of these the memories hold is asked next: they are the dictionary, of names and of all languages.
 *
 * @see https://norvig.com/spell-correct.html
 * @param isHeld Whether a memory holds a term.
 * @returns some hundred of each word; none of a talk, which says enough, and of a word that is English or no word.
 */
export function correctionsOf(query: AnalyzedQuery, isHeld: (term: string) => boolean): Correction[] {
  const { isConversation, language, unknownWords } = query;
  if (isConversation) return [];
  const isFound = (word: Word) => [termOf(word, language), ...variantsOf(word, language)].some(isHeld);
  return [...unknownWords]
    .filter(([, word]) => !isFound(word))
    .slice(0, MOST.words)
    .flatMap(([place, { text }]) =>
      [...oneErrorFrom(text, language)].map((candidate) => {
        const word: Word = { text: candidate, kind: 'word' };
        return { place, word, term: termOf(word, language) };
      }),
    );
}

/** A query that is also looked up by what was meant, of what memories hold. */
export function withCorrections(
  query: AnalyzedQuery,
  corrections: readonly Correction[],
  held: ReadonlySet<string>,
): AnalyzedQuery {
  const mended: QueryTerm[] = [];
  for (const { term: own, word: place, weight } of query.terms.filter(({ whole }) => whole)) {
    const terms = new Map(
      corrections
        .filter((one) => one.place === place && held.has(one.term))
        .map(({ term, word }) => [term, word]),
    );
    terms.delete(own);
    for (const [term, word] of [...terms].slice(0, MOST.corrections)) {
      const commonness = commonnessOf(word, query.language);
      mended.push({
        term,
        word: place,
        weight: MENDED_WEIGHT * weight,
        commonness,
        whole: false,
        mended: true,
      });
    }
  }
  return mended.length === 0 ? query : { ...query, terms: [...query.terms, ...mended] };
}

/** The words that differ from a word by one typing error. Of two alike the first letter is the same, but for English ones. */
function oneErrorFrom(text: string, language: Language | undefined): Set<string> {
  const found = new Set<string>();
  const alphabet = ALPHABETS.find(({ only }) => only.test(text));
  if (!alphabet || text.length < SHORTEST || text.length > LONGEST) return found;
  const { rows } = wordTable();
  const { length } = termOf({ text, kind: 'word' }, language);
  const isEnglish = (word: string) => (language ?? 'en') === 'en' && rows.has(word);
  const offer = (candidate: string, shortest: number, at: number) => {
    const isLikely = length >= shortest && at > 0;
    if (candidate !== text && (isLikely || isEnglish(candidate))) found.add(candidate);
  };
  for (let at = 0; at < text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    const isLast = after.length === 1;
    if (!isLast)
      offer(before + after.charAt(1) + after.charAt(0) + after.slice(2), SHORTEST_WITH.swapped, at);
    offer(before + after.slice(1), isLast ? Number.POSITIVE_INFINITY : SHORTEST_WITH.added, at);
    for (const letter of alphabet.letters) {
      offer(before + letter + after, SHORTEST_WITH.missing, at);
      offer(before + letter + after.slice(1), SHORTEST_WITH.replaced, at);
    }
  }
  for (const letter of alphabet.letters) offer(text + letter, Number.POSITIVE_INFINITY, text.length);
  return found;
}
