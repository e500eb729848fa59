import { isEnd, isMark, isWord, lower, type MeaningUnit } from './meaning-unit.ts';
import { isInEnglish, isMentioned } from './same-word.ts';
import { IDENTIFIER_NOUNS, wordSet } from './words.ts';

type Units = readonly MeaningUnit[];
type Step = readonly [old: number, next: number];

const OPENING = '“‘';
const CLOSING = '”’';
const QUOTED_WORD = /^\p{L}[\p{L}\p{N}-]*$/u;

/** Words in double quotes and in single ones. Where machines read them the two may differ. */
export function quoteStyle(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  if (!isMark(old[at], OPENING) || !isMark(next[nextAt], OPENING) || isReadByMachines(old)) return undefined;
  let length = 1;
  while (
    QUOTED_WORD.test(old[at + length]?.text ?? '') &&
    lettersAre(old[at + length], next[nextAt + length])
  )
    length += 1;
  const [end, nextEnd] = [old[at + length], next[nextAt + length]];
  const isClosed = isClosedBy(old[at], end) && isClosedBy(next[nextAt], nextEnd);
  return isClosed && length > 1 ? [length + 1, length + 1] : undefined;
}

function lettersAre(one: MeaningUnit | undefined, other: MeaningUnit | undefined): boolean {
  return one !== undefined && one.text === other?.text;
}

function isClosedBy(opening: MeaningUnit | undefined, closing: MeaningUnit | undefined): boolean {
  return isMark(closing, CLOSING.charAt(OPENING.indexOf(opening?.text ?? '')));
}

/** Whether a text speaks of what machines compare letter by letter; names of people and things, "called", they do not. */
function isReadByMachines(units: Units): boolean {
  return units.some(
    (unit) => IDENTIFIER_NOUNS.has(lower(unit)) && !/^(?:called|named|user)$/.test(lower(unit)),
  );
}

/** Written with a hyphen, and without, these are the same before what begins no noun: "the full time slot" is another one. */
const COMPOUNDS = wordSet('part-time full-time long-term short-term follow-up up-to-date on-call on-site');
const BEHIND_COMPOUNDS = wordSet('is are was were for at in on from with and or but until since as');
/** "end to end", "step by step"; but "an end to end users' calls". */
const REPEATED = /^(\p{L}{3,})-(?:to|by)-\1$/u;
const BEFORE_NOUNS = wordSet('a an the no put puts any');

/** "part time" and "part-time"; "end to end" and "end-to-end". */
export function compound(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  const joined = next[nextAt]?.text ?? '';
  if (!COMPOUNDS.has(joined) && !REPEATED.test(joined)) return undefined;
  const parts = joined.split('-');
  const behind = old[at + parts.length];
  if (isWord(behind) && COMPOUNDS.has(joined) && !BEHIND_COMPOUNDS.has(behind.text)) return undefined;
  if (REPEATED.test(joined) && BEFORE_NOUNS.has(lower(old[at - 1]))) return undefined;
  const isSame = parts.every((part, index) => isWord(old[at + index]) && old[at + index]?.text === part);
  return isSame && isInEnglish(old, at) && !isMentioned(old, at) ? [parts.length, 1] : undefined;
}

const RANGE = /^\d{1,4}(?:[.:]\d\d)?[-–]\d{1,4}(?:[.:]\d\d)?$/u;

/** "9-17" and "9–17". */
export function range(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  const [one, other] = [old[at]?.text ?? '', next[nextAt]?.text ?? ''];
  const isSame = RANGE.test(one) && RANGE.test(other) && one.replace('–', '-') === other.replace('–', '-');
  return isSame && !isReadByMachines(old) ? [1, 1] : undefined;
}

const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+$/;

/** "10,000" and "10000" in English, where a comma parts thousands. */
export function thousands(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  const [grouped, plain] = [old[at]?.text ?? '', next[nextAt]?.text ?? ''];
  const isSame = GROUPED.test(grouped) && grouped.replaceAll(',', '') === plain;
  const isEnglish = old.filter(isWord).length > 2 && isInEnglish(old, at);
  return isSame && isEnglish && !isReadByMachines(old) ? [1, 1] : undefined;
}

const MONTHS = new Map(
  'January February March April August September October November December'
    .split(' ')
    .map((name): [string, string] => [name.slice(0, 3), name]),
);

/**
 * "Dec. 2026" and "December 2026": behind a word that no sentence ends with, before a number that ends its sentence: "from Jan. 20
 * others may not ask" may be two sentences, and Jan a person.
 */
export function month(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  const isShort = isMark(old[at + 1], '.') && /^\d{1,4}$/.test(old[at + 2]?.text ?? '');
  const name = isWord(old[at]) ? MONTHS.get(old[at].text) : undefined;
  const isSame = name !== undefined && next[nextAt]?.text === name && isWord(next[nextAt]);
  if (!isShort || !isSame || old[at + 2]?.text !== next[nextAt + 1]?.text) return undefined;
  const behind = old[at + 3];
  if (!isEnd(behind) && !isMark(behind, '.')) return undefined;
  return /^(?:in|on|until|since|by|from|of)$/.test(lower(old[at - 1])) && isInEnglish(old, at)
    ? [2, 1]
    : undefined;
}

const BEFORE_ARTICLES = wordSet('is was has have had with for as be needs wants need want makes takes');

/** "a appointment", which is to be "an appointment". */
export function article(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  const [before, one, noun] = [old[at - 1], old[at], old[at + 1]];
  if (!isWord(noun) || noun.text !== next[nextAt + 1]?.text || !isWord(one) || !isWord(next[nextAt]))
    return undefined;
  const isMended = one.text === 'a' && next[nextAt].text === 'an' && /^[aeio]\p{Ll}{2}/u.test(noun.text);
  return isMended && BEFORE_ARTICLES.has(lower(before)) && isInEnglish(old, at) ? [1, 1] : undefined;
}

const FEWEST_WORDS = 3;

/** The sign of a list before all of a text that is one line. "- Tom" may leave him out. */
export function loneItem(old: Units, at: number, next: Units, nextAt: number): Step | undefined {
  if (
    at !== 0 ||
    nextAt !== 0 ||
    old[0]?.text !== 'item 1 -' ||
    !old.slice(1, FEWEST_WORDS + 1).every(isWord)
  )
    return undefined;
  if (old.length <= FEWEST_WORDS) return undefined;
  return [...old.slice(1), ...next].every(({ kind }) => kind !== 'layout') ? [1, 0] : undefined;
}
