import { isForeignSpelling } from './foreign-spelling.ts';
import { lower, type MeaningUnit } from './meaning-unit.ts';
import { isAmbiguousCapital, isEnglishWord, isMend, isMisspelling } from './spelling.ts';
import { inAmerican, isSpellingVariant, namesVariety } from './spelling-variants.ts';
import { IDENTIFIER_NOUNS, SHOUTED, wordSet } from './words.ts';

/** Words around one that tell whether it stands in an English sentence. */
const CONTEXT_WORDS = 8;
const LEAST_ENGLISH = 0.75;

/**
 * Whether a word of a text and one of its edit are the same in other letters, and the text does not tell the two apart elsewhere.
 */
export function isSameWord(
  old: readonly MeaningUnit[],
  at: number,
  next: readonly MeaningUnit[],
  nextAt: number,
): boolean {
  const [one, other] = [old[at], next[nextAt]];
  if (one?.kind !== 'word' || other?.kind !== 'word' || !saysTheSame(one, other, old, at)) return false;
  return !isBothWays(one.text, old) && !isBothWays(other.text, next) && !hasBoth(one, other, old);
}

/** Whether a text has a word in two spellings, as "maya" and "Maya": there the case may tell two apart. */
function isBothWays(word: string, units: readonly MeaningUnit[]): boolean {
  const letters = word.toLowerCase();
  if (SHOUTED.has(letters)) return false;
  return units.some(
    ({ text, startsSentence }) => text !== word && !startsSentence && text.toLowerCase() === letters,
  );
}

/** Whether a text has a word in the other spelling, too: "I mend recieve to receive" speaks of both. */
function hasBoth(one: MeaningUnit, other: MeaningUnit, units: readonly MeaningUnit[]): boolean {
  const to = other.text.toLowerCase();
  return one.text.toLowerCase() !== to && to !== 'the' && has(units, to);
}

/** Whether a text has a word or a number, in whatever case. */
export function has(units: readonly MeaningUnit[], text: string): boolean {
  return units.some((unit) => lower(unit) === text);
}

function saysTheSame(
  one: MeaningUnit,
  other: MeaningUnit,
  units: readonly MeaningUnit[],
  at: number,
): boolean {
  const [from, to] = [one.text.toLowerCase(), other.text.toLowerCase()];
  if (from === to) return isSameInOtherCase(one, other.text, units, at);
  const isNamed = namesIdentifier(units, at) || isMentioned(units, at);
  if (!isNamed && isForeignSpelling(one.text, other.text, units, one.startsSentence)) return true;
  const keepsCase = /^\p{Lu}/u.test(one.text) === /^\p{Lu}/u.test(other.text) || one.startsSentence;
  // What begins with a capital elsewhere is a name, and no dictionary knows how that is spelt.
  const isName = /\p{Lu}/u.test(one.text.slice(one.startsSentence ? 1 : 0));
  if (!keepsCase || isName || isNamed) return false;
  if (!isInEnglish(units, at)) return false;
  if (isSpellingVariant(one.text, other.text)) return !namesVariety(units.map(({ text }) => text));
  // At the start of a sentence a name looks like any other word.
  return /^\p{Lu}/u.test(one.text) ? isMisspelling(from, to) : isMend(from, to);
}

/** Behind these stands what is said, letter by letter: "I say nine when I mean no". */
const BEFORE_SAID = wordSet(
  'say says said saying shout type types typed typing write writes wrote writing read reads reading word',
);

/** A letter by itself that is no word, of English or of the other languages. */
const LETTER = /^(?![aio])\p{L}$/iu;
const FOREIGN_LETTER = /^(?![aioyeuéàôавиксуоя])\p{L}$/iu;

/** Whether a text may speak of a word itself, and not by it: as what is said, or of its letters. */
export function isMentioned(units: readonly MeaningUnit[], at: number): boolean {
  const letter = isInEnglish(units, at) ? LETTER : FOREIGN_LETTER;
  return BEFORE_SAID.has(lower(units[at - 1])) || units.some(({ text }) => letter.test(text));
}

/** Whether a word may be the name of what the next words say, which machines compare letter by letter: "the colour property". */
function namesIdentifier(units: readonly MeaningUnit[], at: number): boolean {
  return units
    .slice(at + 1, at + 3)
    .some((unit) => IDENTIFIER_NOUNS.has(lower(unit)) && !BEFORE_NAMES.has(lower(unit)));
}

/** The name stands behind these, and never before. */
const BEFORE_NAMES = wordSet('called named');

/** Names with capitals within, which are no other word in small letters. */
const BRANDS: ReadonlyMap<string, string> = new Map(
  `TypeScript JavaScript GitHub GitLab PostgreSQL MySQL SQLite MongoDB GraphQL YouTube LinkedIn WhatsApp PayPal OpenAI ChatGPT`
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

/** Not where machines may read it: a package, a branch. */
function isBrand(word: string, other: string, units: readonly MeaningUnit[]): boolean {
  return BRANDS.get(word) === other && !units.some((unit) => IDENTIFIER_NOUNS.has(lower(unit)));
}

/** Letters of a unit of measurement. */
const LONGEST_UNIT = 3;

function isSameInOtherCase(
  one: MeaningUnit,
  other: string,
  units: readonly MeaningUnit[],
  at: number,
): boolean {
  const word = other.toLowerCase();
  const [from, to] = [caseOf(one.text), caseOf(other)];
  if (from === 'mixed' || to === 'mixed') return from === 'lower' && isBrand(word, other, units);
  // Turkish writes I as the capital of ı, and İ as that of i.
  if (word.includes('i') && units.some(({ text }) => /[ıİ]/u.test(text))) return false;
  // "5 mb" and "5 Mb" are a file and a line.
  const before = units[at - 1];
  if (word.length <= LONGEST_UNIT && before?.kind === 'exact' && /\p{N}$/u.test(before.text)) return false;
  // Whether a full stop ends a sentence is not sure: "until Dec. Grace may pay".
  const endedByStop = before?.text === '.' && [one.text, other].some(isAmbiguousCapital);
  // "Turkey is my home" says where; in small letters it says what.
  if (one.startsSentence && to === 'lower' && word !== 'i' && isAmbiguousCapital(one.text)) return false;
  if (one.startsSentence && !endedByStop && from !== 'upper' && to !== 'upper') return true;
  if (SHOUTED.has(word) && (from === 'upper' || to === 'upper')) return true;
  if (word === 'i') return isInEnglish(units, at);
  if (isLanguage(lower(before), word)) return true;
  if (word.length === 1 || from === 'upper' || to === 'upper' || isAmbiguousCapital(one.text)) return false;
  if (isAmbiguousCapital(other) || !isInEnglish(units, at)) return false;
  // "the vault" is another one than "the Vault"; "december" is none but December.
  return one.inHeading || !isEnglishWord(word);
}

/** Languages as their own speakers name them, behind the word that makes them the language and no people. */
const LANGUAGES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'en',
    wordSet(
      'español inglés francés alemán portugués italiano français anglais allemand espagnol portugais italien',
    ),
  ],
  ['em', wordSet('português inglês francês espanhol alemão italiano')],
  ['auf', wordSet('deutsch englisch französisch spanisch portugiesisch italienisch')],
]);

function isLanguage(before: string, word: string): boolean {
  return LANGUAGES.get(before)?.has(word) ?? false;
}

function caseOf(word: string): 'lower' | 'title' | 'upper' | 'mixed' {
  if (word === word.toLowerCase()) return 'lower';
  if (word.length > 1 && word === word.toUpperCase()) return 'upper';
  return word.slice(1) === word.slice(1).toLowerCase() ? 'title' : 'mixed';
}

/** Whether most words around one are English. */
export function isInEnglish(units: readonly MeaningUnit[], at: number): boolean {
  const start = Math.max(0, at - CONTEXT_WORDS);
  const around = units
    .slice(start, at + CONTEXT_WORDS + 1)
    .filter(({ kind }, index) => kind === 'word' && start + index !== at);
  const known = around.filter(({ text }) => isEnglishWord(inAmerican(text.toLowerCase())));
  return known.length >= around.length * LEAST_ENGLISH;
}
