import { isIdleComma } from './commas.ts';
import { longForm } from './contractions.ts';
import { isEnd, isMark, isWord, lower, type MeaningUnit } from './meaning-unit.ts';
import { has, isInEnglish, isMentioned, isSameWord } from './same-word.ts';
import { isEnglishWord } from './spelling.ts';
import { wordSet } from './words.ts';

/** Where one text and its edit differ: the units of both, and the first that is not the same. */
interface Difference {
  readonly old: readonly MeaningUnit[];
  readonly at: number;
  readonly next: readonly MeaningUnit[];
  readonly nextAt: number;
}

/** How many units of both texts say the same, each in its way; undefined where they may not. */
type Step = readonly [old: number, next: number];
type Rule = (difference: Difference) => Step | undefined;

/**
 * What an edit may change, beside what `readUnits` leaves out. Each rule holds both ways, since a change may be taken back, but for
 * misspellings, which are only mended.
 */
const RULES: readonly Rule[] = [
  // Capitals, a misspelling that is mended, British and American spelling.
  ({ old, at, next, nextAt }) => (isSameWord(old, at, next, nextAt) ? [1, 1] : undefined),
  // "don't" and "do not".
  bothWays(contraction),
  // "3 days" and "three days".
  bothWays(numeral),
  // The exclamation mark that ends a text, a paragraph or an item.
  bothWays(exclamation),
  // "tea, jazz, rain, and dogs"; "Usually, I wait"; "e.g., lists".
  bothWays(idleComma),
  // "Mr. Okafor" and "Mr Okafor".
  bothWays(titleStop),
];

/** Differences that one edit may have: each takes the dictionary up to a millisecond, and a text rewritten as a whole is for the human. */
const MOST_TOLERATED = 100;

/** Whether two texts say the same for certain, unit by unit. */
export function sayTheSame(old: readonly MeaningUnit[], next: readonly MeaningUnit[]): boolean {
  let [at, nextAt, tolerated] = [0, 0, 0];
  while (at < old.length || nextAt < next.length) {
    let step: Step | undefined = [1, 1];
    if (!isSame(old[at], next[nextAt])) {
      tolerated += 1;
      step = tolerated > MOST_TOLERATED ? undefined : firstStep({ old, at, next, nextAt });
    }
    if (!step) return false;
    at += step[0];
    nextAt += step[1];
  }
  return true;
}

function firstStep(difference: Difference): Step | undefined {
  for (const rule of RULES) {
    const step = rule(difference);
    if (step) return step;
  }
  return undefined;
}

function bothWays(rule: Rule): Rule {
  return (difference) => {
    const { old, at, next, nextAt } = difference;
    const step = rule(difference);
    if (step) return step;
    const turned = rule({ old: next, at: nextAt, next: old, nextAt: at });
    return turned && [turned[1], turned[0]];
  };
}

function isSame(one: MeaningUnit | undefined, other: MeaningUnit | undefined): boolean {
  return one !== undefined && one.text === other?.text && one.kind === other.kind;
}

function contraction({ old, at, next, nextAt }: Difference): Step | undefined {
  const long = isMentioned(old, at) ? undefined : longForm(old, at);
  const isLong = long?.every(
    (text, index) => isWord(next[nextAt + index]) && next[nextAt + index]?.text === text,
  );
  return long && isLong ? [1, long.length] : undefined;
}

/** Numbers as words and as digits. Without one, which may mean anybody. */
const NUMERALS: ReadonlyMap<string, string> = new Map(
  'two three four five six seven eight nine ten'.split(' ').map((word, at) => [word, String(at + 2)]),
);

/** Between words, of which a sum or a range has no more than this number. */
function numeral({ old, at, next, nextAt }: Difference): Step | undefined {
  const [word, digits] = [old[at], next[nextAt]];
  if (!isWord(word) || digits?.kind !== 'exact' || NUMERALS.get(word.text) !== digits.text) return undefined;
  const around = [old[at - 1], old[at + 1], next[nextAt - 1], next[nextAt + 1]];
  if (!around.every(isWord) || isMentioned(old, at) || !isInEnglish(old, at)) return undefined;
  // "I write three, never 3" speaks of both.
  return has(old, digits.text) || has(next, word.text) ? undefined : [1, 1];
}

/** Behind these a word with "!" may be a command or a method: "I call save!". */
const BEFORE_COMMANDS = wordSet('call calls run runs use uses type types invoke with by via and or');

/** Against a full stop, or against nothing where the text ends. Behind a name it may belong to that. */
function exclamation({ old, at, next, nextAt }: Difference): Step | undefined {
  if (!isMark(old[at], '!') || !isEnd(old[at + 1])) return undefined;
  if (!isPlainWord(old[at - 1]) || BEFORE_COMMANDS.has(lower(old[at - 2]))) return undefined;
  if (isMark(next[nextAt], '.') && isEnd(next[nextAt + 1])) return [1, 1];
  return old[at + 1] === undefined && next[nextAt] === undefined ? [1, 0] : undefined;
}

/** Not a name, which may be "Yahoo!", nor a command. */
function isPlainWord(unit: MeaningUnit | undefined): boolean {
  return isWord(unit) && unit.text.length > 1 && unit.text === lower(unit) && isEnglishWord(unit.text);
}

function idleComma({ old, at, next, nextAt }: Difference): Step | undefined {
  if (!isSame(old[at + 1], next[nextAt]) || !isInEnglish(old, at)) return undefined;
  return isIdleComma(old, at) ? [1, 0] : undefined;
}

function titleStop({ old, at, next, nextAt }: Difference): Step | undefined {
  const [title, name] = [old[at - 1], old[at + 1]];
  const isTitle = isMark(old[at], '.') && /^(?:Mr|Mrs|Ms)$/.test(title?.text ?? '');
  if (!isTitle || !isSame(title, next[nextAt - 1]) || !isSame(name, next[nextAt])) return undefined;
  return isWord(name) && /^\p{Lu}/u.test(name.text) ? [1, 0] : undefined;
}
