import type { Language } from './language.ts';
import { keepRecent } from './recent.ts';
import { wordTable } from './word-table.ts';

/** Shortest word that is mended: shorter ones have too many neighbours. */
const SHORTEST = 4;
/** Longest word, which bounds the time. */
const LONGEST = 24;
/** Most corrections of one word. */
const MOST = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The English words that differ from a word by one typing error: a letter left out, added, replaced, or two swapped.
 *
 * @see https://norvig.com/spell-correct.html
 * @param language of the text around it, if known
 * @returns the most frequent ones first, at most 4; none for a word that is English itself, or of other letters
 */
export function correctionsOf(word: string, language: Language | undefined): readonly string[] {
  if (language !== undefined && language !== 'en') return NONE;
  if (word.length < SHORTEST || word.length > LONGEST || wordTable().rows.has(word)) return NONE;
  return /^[a-z]+$/.test(word) ? corrected(word) : NONE;
}

const NONE: readonly string[] = [];

/** The names of an agent's world come again in what it asks, and each takes some hundred look-ups. */
const corrected = keepRecent(1_000, (word): readonly string[] => {
  const { rows } = wordTable();
  const found = new Set<string>();
  const offer = (candidate: string) => {
    if (rows.has(candidate)) found.add(candidate);
  };
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    offer(before + after.slice(1));
    if (after.length > 1) offer(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) {
      offer(before + letter + after.slice(1));
      offer(before + letter + after);
    }
  }
  return [...found].sort((a, b) => (rows.get(a) ?? 0) - (rows.get(b) ?? 0)).slice(0, MOST);
});
