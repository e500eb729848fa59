import dictionary from 'dictionary-en';
import nspell from 'nspell';
import { wordTable } from '../../../text/word-table.ts';
import { NAMED_THINGS } from './words.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Shorter words have too many neighbours, and many names of tools are such. */
const SHORTEST = 5;
const SHORTEST_SWAPPED = 3;
/** How many times as frequent as any other word a misspelt one may have meant the right one must be. */
const CLEARLY_MEANT = 20;
/** How much likelier than other slips two swapped letters are, and one typed twice or once instead of twice. */
const COMMON_SLIP = 8;

interface English {
  readonly speller: ReturnType<typeof nspell>;
  /** Names that are another word in small letters: `Polish`, `May`, `US`. */
  readonly ambiguousNames: ReadonlySet<string>;
}

let english: English | undefined;

/** The dictionary, read at first need (about 100 ms) and kept. */
function load(): English {
  if (english) return english;
  const [aff, dic] = [Buffer.from(dictionary.aff), Buffer.from(dictionary.dic)];
  const names = dic.toString('utf8').match(/^\p{Lu}[\p{L}\p{M}]*/gmu) ?? [];
  english = {
    speller: nspell({ aff, dic }),
    ambiguousNames: new Set(names),
  };
  return english;
}

/** Whether a word, in small letters, is an English one. */
export function isEnglishWord(word: string): boolean {
  return load().speller.correct(word);
}

/** Whether a word, as it is written, is a name that in small letters is another word. */
export function isAmbiguousCapital(word: string): boolean {
  const { speller, ambiguousNames } = load();
  const small = word.toLowerCase();
  return NAMED_THINGS.has(small) || (ambiguousNames.has(word) && speller.correct(small));
}

/**
 * Whether a change mends a misspelt English word and cannot make another of it: the old one is no word, the new one
 * is, one slip apart, and clearly the one that was meant.
 *
 * @param from The word as it stands, in small letters.
 * @param to The word as it would stand, in small letters.
 */
export function isMend(from: string, to: string): boolean {
  if (!/^[a-z]+$/.test(from) || !/^[a-z]+$/.test(to)) return false;
  const shortest = isSwap(from, to) ? SHORTEST_SWAPPED : SHORTEST;
  const length = doubles(from, to) ? Math.max(from.length, to.length) : Math.min(from.length, to.length);
  if (length < shortest || !isPlausibleSlip(from, to)) return false;
  const ranks = wordTable().rows;
  if (!ranks.has(to) || !isEnglishWord(to) || isEnglishWord(from)) return false;
  if (mayBeWord(from) && !doubles(from, to)) return false;
  const near = [...neighbours(from)].filter(isEnglishWord);
  if (!near.includes(to)) return false;
  const likelihood = (word: string) =>
    (isSwap(from, word) || doubles(from, word) ? COMMON_SLIP : 1) / ((ranks.get(word) ?? ranks.size) + 1);
  return near.every((word) => word === to || likelihood(to) >= likelihood(word) * CLEARLY_MEANT);
}

const PREFIX = /^(?:un|non|dis|mis|pre|post|sub|super|over|under|inter|multi|anti)/;
const SUFFIX = /(?:e?rs?|ors?|able|ness|less|ful|ish|ism|ist)$/;

/** Whether a word that no dictionary lists may be one all the same, such as `untrusted` or `deployer`. */
function mayBeWord(word: string): boolean {
  const isRoot = (part: string) => part.length > 2 && part !== word && isEnglishWord(part);
  const stem = word.replace(SUFFIX, '');
  return isRoot(word.replace(PREFIX, '')) || isRoot(stem) || (stem !== word && isRoot(`${stem}e`));
}

/**
 * Whether a slip explains the difference: another letter in place of one must sound like it, or be its neighbour on
 * the keyboard. Otherwise `figma` would be a misspelt `sigma`.
 */
function isPlausibleSlip(from: string, to: string): boolean {
  if (from.length !== to.length || isSwap(from, to)) return true;
  const at = [...from].findIndex((letter, index) => letter !== to[index]);
  const [one = '', other = ''] = [from[at], to[at]];
  return CONFUSED.has([one, other].sort().join('')) || areKeysAdjacent(one, other);
}

/** Letters that sound alike. */
const CONFUSED = new Set(['ae', 'ei', 'ai', 'ao', 'cs', 'ck', 'iy', 'sz']);
const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

function areKeysAdjacent(one: string, other: string): boolean {
  const placeOf = (letter: string) => {
    const row = KEY_ROWS.findIndex((keys) => keys.includes(letter));
    // Each row is shifted to the right by about half a key.
    return { row, column: (KEY_ROWS[row] ?? '').indexOf(letter) + row / 2 };
  };
  const [a, b] = [placeOf(one), placeOf(other)];
  return Math.abs(a.row - b.row) <= 1 && Math.abs(a.column - b.column) <= 1;
}

function isSwap(from: string, to: string): boolean {
  const differing = [...from].flatMap((letter, at) => (letter === to[at] ? [] : [at]));
  const [first = -1, second = -1] = differing;
  return (
    from.length === to.length &&
    differing.length === 2 &&
    second === first + 1 &&
    from[first] === to[second] &&
    from[second] === to[first]
  );
}

/** Whether one has a letter twice in a row that the other has once. */
function doubles(one: string, other: string): boolean {
  const once = (word: string) => word.replace(/(.)\1/g, '$1');
  return Math.abs(one.length - other.length) === 1 && once(one) === once(other);
}

/** All strings one letter away: left out, added, replaced, or two swapped. */
function neighbours(word: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, behind] = [word.slice(0, at), word.slice(at)];
    if (behind !== '') found.add(before + behind.slice(1));
    if (behind.length > 1) found.add(before + behind.charAt(1) + behind.charAt(0) + behind.slice(2));
    for (const letter of LETTERS) {
      found.add(before + letter + behind);
      if (behind !== '') found.add(before + letter + behind.slice(1));
    }
  }
  found.delete(word);
  return found;
}
