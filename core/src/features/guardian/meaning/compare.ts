import { hasUnseen } from '../../../text/unseen.ts';
import { type Concern, namedConcerns, shareChanged } from './concerns.ts';
import { choosesByEmphasis } from './emphasis.ts';
import { readUnits } from './read-units.ts';
import { sayTheSame } from './same-wording.ts';
import { FORM_STEMS, FORM_WORDS } from './words.ts';

const HTML_TAG = /<[/!]?[a-z][^<>:@]*>|<!--/iu;

/** What a change to a text does to its meaning. */
export interface Comparison {
  /** Why it may change the meaning, the gravest first; empty where the meaning stays for certain. */
  readonly concerns: readonly Concern[];
  /** How far it carries the meaning, 0..1; 0 where the meaning stays. */
  readonly drift: number;
}

/**
 * Judges a change to a text. What `readUnits` leaves out (white space, emphasis, idle punctuation) and what the rules of
 * `sayTheSame` name (capitals, mended misspellings, contractions and other second forms) cannot change its meaning; everything else
 * can.
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
 * Whether what may hang on how a text is written stays: in "what stands in bold is binding" all of that counts, and what tags of
 * HTML do to it `readUnits` does not know.
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

/** What is emphasised, what is written in capitals, and the rules between parts. */
function marksOf(text: string): string {
  return (
    text.match(
      /(?<![*_~=`])[*_~=`]+[\p{L}\p{N}]+|(?<![\p{L}\p{N}])[\p{L}\p{N}]+[*_~=`]+|(?<!\p{L})\p{Lu}{2,}(?!\p{L})|^[ \t]*(?:[-*_][ \t]*){3,}$/gmu,
    ) ?? []
  ).join(' ');
}
