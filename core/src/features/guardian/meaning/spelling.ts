import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import nspell from 'nspell';
import { wordTable } from '../../../text/word-table.ts';
import { meantBy } from './misspellings.ts';
import { NAMED_THINGS } from './words.ts';

/** Many names of tools are shorter: `cron` is no misspelt `corn`. */
const SHORTEST = 5;
/** `delte` may be `delete` or `delta`. */
const SHORTEST_CUT = 6;
/** From here on few words are one letter from another, so that any letter may be missing, or doubled. */
const LONG = 7;
/** Of rarer words names are made: `overseerr` of `overseer`, `scrapy` of `scrappy`. */
const COMMON_WORDS = 22_000;

interface English {
  readonly speller: ReturnType<typeof nspell>;
  /** Names that are another word in small letters: `Polish`, `May`, `US`. */
  readonly ambiguousNames: ReadonlySet<string>;
}

let english: English | undefined;

/**
 * The dictionary, read at first need (about 100 ms) and kept. Its files are read, since its module awaits them while it is
 * loaded: then no CommonJS program could `require` the engine.
 */
function load(): English {
  if (english) return english;
  const folder = dirname(createRequire(import.meta.url).resolve('dictionary-en'));
  const [aff, dic] = [readFileSync(join(folder, 'index.aff')), readFileSync(join(folder, 'index.dic'))];
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
 * Whether a change mends a misspelt English word and cannot make another of it: it is a misspelling that many make, or has two
 * letters swapped behind its first, or lacks a vowel, which makes no word, and put right only this one. A long one may also lack
 * another letter, or have one twice, where what it makes is a common word.
 *
 * @param from The word as it stands, in small letters.
 * @param to The word as it would stand, in small letters.
 */
export function isMend(from: string, to: string): boolean {
  // Of `definatly` one slip makes `defiantly`, which nobody meant.
  return meantBy.has(from) ? isMisspelling(from, to) : isSlip(from, to);
}

/** Whether one is a misspelling of the other that many make. */
export function isMisspelling(from: string, to: string): boolean {
  return meantBy.get(from) === to && !isEnglishWord(from);
}

/** Whether the old one is no word, and the new one the only word that one slip makes it of. */
function isSlip(from: string, to: string): boolean {
  const { rows } = wordTable();
  if (!/^[a-z]+$/.test(from) || from.length < SHORTEST || isEnglishWord(from) || rows.has(from)) return false;
  // Somebody may be called `marai`, and `maria` be another; `chartres` is no misspelt `charters`.
  const isName =
    isEnglishWord(capitalised(from)) || !isEnglishWord(to) || isAmbiguousCapital(capitalised(to));
  if (isName || !rows.has(to) || !(isSmallSlip(from, to) || isLongSlip(from, to))) return false;
  return near(from).every((word) => word === to || !isEnglishWord(word));
}

function isSmallSlip(from: string, to: string): boolean {
  return [...swapsOf(from), ...withVowel(from)].includes(to);
}

/**
 * Whether only one letter within a long word, not its first or last, is missing or doubled. With another vowel it may be a word
 * that the dictionary lacks: a `calender`.
 */
function isLongSlip(from: string, to: string): boolean {
  if (from.length < SHORTEST_CUT || (wordTable().rows.get(to) ?? COMMON_WORDS) >= COMMON_WORDS) return false;
  let at = 0;
  while (from.charAt(at) === to.charAt(at)) at += 1;
  const [was, is] = [from.slice(at), to.slice(at)];
  if (at === 0 || was.length < 2) return false;
  // `alowed` lacks the second of two.
  if (was === is.slice(1)) return from.length >= LONG || is.charAt(0) === from.charAt(at - 1);
  const isDoubled = was.slice(1) === is && was.charAt(0) === from.charAt(at - 1);
  // "dribbble" is called so.
  return isDoubled && from.length >= LONG && was.charAt(0) !== from.charAt(at - 2);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Every string that is another letter, one more, one fewer, or two swapped away. */
function near(word: string): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const edited = Array.from({ length: word.length + 1 }, (_, at) => {
    const [before, behind] = [word.slice(0, at), word.slice(at)];
    const others = letters.flatMap((letter) => [before + letter + behind, before + letter + behind.slice(1)]);
    return [before + behind.slice(1), ...others];
  });
  return [...swapsOf(word), ...edited.flat()];
}

/** What a word becomes by swapping two neighbouring letters behind its first. */
function swapsOf(word: string): readonly string[] {
  const swapped = Array.from(
    { length: word.length - 2 },
    (_, at) => word.slice(0, at + 1) + word.charAt(at + 2) + word.charAt(at + 1) + word.slice(at + 3),
  );
  return [...new Set(swapped)].filter((other) => other !== word);
}

/** What a word becomes by one vowel more between two consonants: `customer`, of `custmer`. */
function withVowel(word: string): readonly string[] {
  if (word.length < SHORTEST_CUT) return [];
  const places = [...word].flatMap((_, at) => (/^[^aeiou]{2}$/.test(word.slice(at, at + 2)) ? at + 1 : []));
  return places.flatMap((at) => [...'aeiou'].map((vowel) => word.slice(0, at) + vowel + word.slice(at)));
}
