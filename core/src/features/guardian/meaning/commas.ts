import { isEnd, isMark, isWord, lower, type MeaningUnit } from './meaning-unit.ts';
import { wordSet } from './words.ts';

/** Before "I" or "we" these speak of all the sentence, with a comma and without. */
const INTRODUCTIONS: ReadonlySet<string> = new Set([
  'usually',
  'sometimes',
  'often',
  'of course',
  'in general',
  'at night',
  'for example',
  'in addition',
]);

/** What is listed behind "I" and one of these is said of me, word by word. */
const PREDICATES = wordSet('am like love value enjoy');

const PERSON_PREDICATES = wordSet('likes loves values enjoys prefers hates dislikes speaks');

/** Two that are one item of a list: "rum, gin and tonic". */
const PAIRS: ReadonlySet<string> = new Set([
  'black and white',
  'bread and butter',
  'fish and chips',
  'gin and tonic',
  'ham and eggs',
  'law and order',
  'rock and roll',
  'salt and pepper',
  'search and rescue',
  'supply and demand',
  'trial and error',
]);

/** From this many items on a list is one with the serial comma and without. */
const SURE_LIST = 4;

/** Whether a comma of an English text says nothing: "tea, jazz, rain, and dogs"; "Usually, I wait"; "e.g., lists". */
export function isIdleComma(units: readonly MeaningUnit[], at: number): boolean {
  return (
    isMark(units[at], ',') &&
    (isSerial(units, at) || isBehindIntroduction(units, at) || isBehindExample(units, at))
  );
}

/**
 * Whether a comma stands before the last item of a list of single words. Of three it may part what explains the first, "admins, Ana
 * and Bo", from what comes beside it; so they are to be what "I" at the start of a sentence am, do or like.
 */
function isSerial(units: readonly MeaningUnit[], comma: number): boolean {
  const [joint, last, end] = units.slice(comma + 1, comma + 4);
  if (!/^(?:and|or)$/.test(joint?.text ?? '') || !isWord(last)) return false;
  if (!isEnd(end) && !isMark(end, '.!')) return false;
  let first = comma - 1;
  while (isWord(units[first]) && isMark(units[first - 1], ',') && isWord(units[first - 2])) first -= 2;
  const items = [...units.slice(first, comma), last].filter(isWord);
  if (PAIRS.has(items.slice(-2).map(lower).join(' and '))) return false;
  const names = items.filter(({ text }) => /\p{Lu}/u.test(text)).length;
  // "humans, admins, Ana and Bo" may name the admins.
  if (items.length >= SURE_LIST) return names === 0 || names === items.length;
  return items.length === SURE_LIST - 1 && joint?.text === 'and' && names === 0 && isSaidOfMe(units, first);
}

function isSaidOfMe(units: readonly MeaningUnit[], at: number): boolean {
  const [subject, verb] = [units[at - 2], units[at - 1]];
  const person = units.slice(Math.max(0, at - 3), at - 1);
  if (person[0]?.startsSentence && person.map(lower).join(' ') === 'the user')
    return PERSON_PREDICATES.has(verb?.text ?? '');
  if (verb?.startsSentence) return verb.text === 'I' || verb.text === "I'm";
  return subject?.startsSentence === true && subject.text === 'I' && PREDICATES.has(verb?.text ?? '');
}

/** Whether all that stands before a comma in its sentence introduces what I or we do. */
function isBehindIntroduction(units: readonly MeaningUnit[], comma: number): boolean {
  const start = units.slice(0, comma).findLastIndex(({ startsSentence }) => startsSentence);
  const before = units.slice(start, comma);
  // "In 2024, she".
  const isYear =
    before.length === 2 && lower(before[0]) === 'in' && /^(?:19|20)\d\d$/.test(before[1]?.text ?? '');
  if (isYear) return /^(?:I|we|he|she|they)$/.test(units[comma + 1]?.text ?? '');
  const hasSubject = ['I', 'we'].includes(units[comma + 1]?.text ?? '');
  return hasSubject && before.every(isWord) && INTRODUCTIONS.has(before.map(lower).join(' '));
}

function isBehindExample(units: readonly MeaningUnit[], comma: number): boolean {
  const isExample = /^(?:e\.g|i\.e)$/.test(units[comma - 2]?.text ?? '');
  return isExample && isMark(units[comma - 1], '.') && isWord(units[comma + 1]);
}
