import { hasUnseen } from '../../../text/unseen.ts';
import { type Concern, namedConcerns, shareChanged } from './concerns.ts';
import { choosesByEmphasis } from './emphasis.ts';
import { type MeaningUnit, readUnits } from './read-units.ts';
import { isAmbiguousCapital, isEnglishWord, isMend, isMisspelling } from './spelling.ts';
import { FORM_STEMS, FORM_WORDS, SHOUTED } from './words.ts';

/** Words around one that tell whether it stands in an English sentence. */
const CONTEXT_WORDS = 8;
const LEAST_ENGLISH = 0.75;
/** Words that may differ: each takes the dictionary up to a millisecond, and a text rewritten as a whole is for the human. */
const MOST_TOLERATED = 100;

const HTML_TAG = /<[/!]?[a-z][^<>:@]*>|<!--/iu;

/** What a change to a text does to its meaning. */
export interface Comparison {
  /** Why it may change the meaning, the gravest first; empty where the meaning stays for certain. */
  readonly concerns: readonly Concern[];
  /** How far it carries the meaning, 0..1; 0 where the meaning stays. */
  readonly drift: number;
}

/**
 * Judges a change to a text. White space, the punctuation and emphasis that `readUnits` leaves out, capitals, and English
 * spelling mended to the one word that was meant cannot change its meaning; everything else can.
 */
export function compareMeaning(before: string, after: string): Comparison {
  if (before === after) return { concerns: [], drift: 0 };
  const [old, next] = [readUnits(before), readUnits(after)];
  if (keepsForm(before, after) && sayTheSame(old, next) && !hasUnseen(after))
    return { concerns: [], drift: 0 };
  const concerns = namedConcerns(old, next, after);
  const drift = Math.max(concerns[0]?.weight ?? 0, shareChanged(old, next));
  return { concerns, drift: Math.round(drift * 1e4) / 1e4 };
}

/**
 * Whether what may hang on how a text is written stays: in "what stands in bold is binding" all of that counts, and what tags of HTML
 * do to it `readUnits` does not know.
 */
function keepsForm(before: string, after: string): boolean {
  const texts = [before, after];
  if (texts.some((text) => HTML_TAG.test(text) || wordsOf(text).some((word) => FORM_WORDS.has(word))))
    return false;
  if (choosesByEmphasis(before, after)) return false;
  return !texts.some((text) => FORM_STEMS.test(text)) || marksOf(before) === marksOf(after);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** What is emphasised, and what is written in capitals. */
function marksOf(text: string): string {
  return (
    text.match(
      /(?<![*_~=`])[*_~=`]+[\p{L}\p{N}]+|(?<![\p{L}\p{N}])[\p{L}\p{N}]+[*_~=`]+|(?<!\p{L})\p{Lu}{2,}(?!\p{L})/gu,
    ) ?? []
  ).join(' ');
}

function sayTheSame(old: readonly MeaningUnit[], next: readonly MeaningUnit[]): boolean {
  if (old.length !== next.length) return false;
  let tolerated = 0;
  for (const [at, unit] of old.entries()) {
    const other = next[at];
    if (!other) return false;
    if (unit.text === other.text && unit.kind === other.kind) continue;
    tolerated += 1;
    if (tolerated > MOST_TOLERATED || !saysTheSame(unit, other, old, at)) return false;
    if (isBothWays(unit.text, old) || isBothWays(other.text, next) || hasBoth(unit, other, old)) return false;
  }
  return true;
}

/** Whether a text has a word in two spellings, as "maya" and "Maya": there the case may tell two apart. */
function isBothWays(word: string, units: readonly MeaningUnit[]): boolean {
  const letters = word.toLowerCase();
  if (SHOUTED.has(letters)) return false;
  return units.some(
    ({ text, startsSentence }) => text !== word && !startsSentence && text.toLowerCase() === letters,
  );
}

/** Whether a text that misspells a word has it spelt well, too: "I mend recieve to receive" speaks of both. */
function hasBoth({ text }: MeaningUnit, mended: MeaningUnit, units: readonly MeaningUnit[]): boolean {
  const [from, to] = [text.toLowerCase(), mended.text.toLowerCase()];
  return from !== to && to !== 'the' && units.some((unit) => unit.text.toLowerCase() === to);
}

function saysTheSame(
  one: MeaningUnit,
  other: MeaningUnit,
  units: readonly MeaningUnit[],
  at: number,
): boolean {
  if (one.kind !== 'word' || other.kind !== 'word') return false;
  const [from, to] = [one.text.toLowerCase(), other.text.toLowerCase()];
  if (from === to) return isSameInOtherCase(one, other.text, units, at);
  const keepsCase = /^\p{Lu}/u.test(one.text) === /^\p{Lu}/u.test(other.text) || one.startsSentence;
  // What begins with a capital elsewhere is a name, and no dictionary knows how that is spelt.
  const isName = /\p{Lu}/u.test(one.text.slice(one.startsSentence ? 1 : 0));
  if (!keepsCase || isName || !isInEnglish(units, at)) return false;
  // At the start of a sentence a name looks like any other word.
  return /^\p{Lu}/u.test(one.text) ? isMisspelling(from, to) : isMend(from, to);
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
  if (from === 'mixed' || to === 'mixed') return false;
  // Turkish writes I as the capital of ı, and İ as that of i.
  if (word.includes('i') && units.some(({ text }) => /[ıİ]/u.test(text))) return false;
  // "5 mb" and "5 Mb" are a file and a line.
  const before = units[at - 1];
  if (word.length <= LONGEST_UNIT && before?.kind === 'exact' && /\p{N}$/u.test(before.text)) return false;
  // Whether a full stop ends a sentence is not sure: "until Dec. Grace may pay".
  const endedByStop = before?.text === '.' && [one.text, other].some(isAmbiguousCapital);
  if (one.startsSentence && !endedByStop && from !== 'upper' && to !== 'upper') return true;
  if (SHOUTED.has(word) && (from === 'upper' || to === 'upper')) return true;
  if (word === 'i') return isInEnglish(units, at);
  if (word.length === 1 || from === 'upper' || to === 'upper' || isAmbiguousCapital(one.text)) return false;
  if (isAmbiguousCapital(other) || !isInEnglish(units, at)) return false;
  // "the vault" is another one than "the Vault"; "december" is none but December.
  return one.inHeading || !isEnglishWord(word);
}

function caseOf(word: string): 'lower' | 'title' | 'upper' | 'mixed' {
  if (word === word.toLowerCase()) return 'lower';
  if (word.length > 1 && word === word.toUpperCase()) return 'upper';
  return word.slice(1) === word.slice(1).toLowerCase() ? 'title' : 'mixed';
}

/** Whether most words around one are English. */
function isInEnglish(units: readonly MeaningUnit[], at: number): boolean {
  const start = Math.max(0, at - CONTEXT_WORDS);
  const around = units
    .slice(start, at + CONTEXT_WORDS + 1)
    .filter(({ kind }, index) => kind === 'word' && start + index !== at);
  const known = around.filter(({ text }) => isEnglishWord(text.toLowerCase()));
  return known.length >= around.length * LEAST_ENGLISH;
}
