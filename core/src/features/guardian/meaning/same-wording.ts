import { isIdleComma } from './commas.ts';
import { longForm } from './contractions.ts';
import { listedWords } from './listed-words.ts';
import { isEnd, isMark, isWord, lower, type MeaningUnit } from './meaning-unit.ts';
import { sameMeasure } from './measures.ts';
import { isNumeral } from './numerals.ts';
import { speaksOfLetters, splitAtBorders } from './one-writing.ts';
import { samePhrase } from './phrases.ts';
import { isInEnglish, isMentioned, isSameWord } from './same-word.ts';
import { article, compound, loneItem, month, quoteStyle, range, thousands } from './second-forms.ts';
import { isEnglishWord } from './spelling.ts';
import { IDENTIFIER_NOUNS, wordSet } from './words.ts';

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
 * misspellings and doubled words, which are only mended.
 */
const RULES: readonly Rule[] = [
  // Capitals, a misspelling that is mended, British and American spelling.
  ({ old, at, next, nextAt }) => (isSameWord(old, at, next, nextAt) ? [1, 1] : undefined),
  // "don't" and "do not".
  bothWays(contraction),
  // "3 days" and "three days".
  bothWays(numeral),
  // "20 mg", "20mg" and "20 milligrams"; "€50" and "50 euros"; "5 pm" and "5 p.m.".
  ({ old, at, next, nextAt }) => sameMeasure(old, at, next, nextAt),
  // "e.g." and "for example".
  ({ old, at, next, nextAt }) => samePhrase(old, at, next, nextAt),
  // "我用English回答" and "我用 English 回答".
  bothWays(scriptBorder),
  // "in the the house".
  doubled,
  // "Qué hago?" and "¿Qué hago?".
  bothWays(invertedMark),
  // "Ich weiß dass ich warte" and "Ich weiß, dass ich warte".
  bothWays(clauseComma),
  // "Values: care, calm." and a list of these.
  bothWays(({ old, at, next, nextAt }) => listedWords(old, at, next, nextAt)),
  // The exclamation mark that ends a text, a paragraph or an item.
  bothWays(exclamation),
  // "tea, jazz, rain, and dogs"; "Usually, I wait"; "e.g., lists".
  bothWays(idleComma),
  // "called 'Atlas'" and "called "Atlas"".
  ({ old, at, next, nextAt }) => quoteStyle(old, at, next, nextAt),
  // "end to end" and "end-to-end".
  bothWays(({ old, at, next, nextAt }) => compound(old, at, next, nextAt)),
  // "9-17" and "9–17".
  ({ old, at, next, nextAt }) => range(old, at, next, nextAt),
  // "10,000" and "10000".
  bothWays(({ old, at, next, nextAt }) => thousands(old, at, next, nextAt)),
  // "in Dec. 2026" and "in December 2026".
  bothWays(({ old, at, next, nextAt }) => month(old, at, next, nextAt)),
  // "a appointment".
  ({ old, at, next, nextAt }) => article(old, at, next, nextAt),
  // "Always test." and "- Always test.".
  bothWays(({ old, at, next, nextAt }) => loneItem(old, at, next, nextAt)),
  // "Mr. Okafor" and "Mr Okafor".
  bothWays(titleStop),
];

/**
 * Differences that one edit may have: each takes the dictionary up to a millisecond, and a text rewritten as a whole is for the
 * human.
 */
const MOST_TOLERATED = 100;

/** Whether two texts say the same for certain, unit by unit. */
export function sayTheSame(old: readonly MeaningUnit[], next: readonly MeaningUnit[]): boolean {
  let [at, nextAt, tolerated] = [0, 0, 0];
  let isExact = false;
  while (at < old.length || nextAt < next.length) {
    let step: Step | undefined = [1, 1];
    if (!isSame(old[at], next[nextAt])) {
      tolerated += 1;
      step = tolerated > MOST_TOLERATED || isExact ? undefined : firstStep({ old, at, next, nextAt });
    }
    isExact ||= namesOther(old[at], next[nextAt]);
    if (!step) return false;
    at += step[0];
    nextAt += step[1];
  }
  return true;
}

/** Whether a word becomes one behind which each letter counts, or is no such any more: "The pasword is 5 mg." */
function namesOther(one: MeaningUnit | undefined, other: MeaningUnit | undefined): boolean {
  const isSaid = (unit: MeaningUnit | undefined) => unit?.kind === 'word' || unit?.kind === 'exact';
  if (!isSaid(one) || !isSaid(other)) return false;
  return IDENTIFIER_NOUNS.has(lower(one)) !== IDENTIFIER_NOUNS.has(lower(other));
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
  if (one?.text !== other?.text || one === undefined || other === undefined) return false;
  // What follows a noun that is mended may be compared letter by letter from there on.
  const isSaid = ({ kind }: MeaningUnit) => kind === 'word' || kind === 'exact';
  return one.kind === other.kind || (isSaid(one) && isSaid(other));
}

function contraction({ old, at, next, nextAt }: Difference): Step | undefined {
  const long = isMentioned(old, at) ? undefined : longForm(old, at);
  const isLong = long?.every(
    (text, index) => isWord(next[nextAt + index]) && next[nextAt + index]?.text === text,
  );
  return long && isLong ? [1, long.length] : undefined;
}

function numeral({ old, at, next, nextAt }: Difference): Step | undefined {
  return isNumeral(old, at, next, nextAt) ? [1, 1] : undefined;
}

/** The space between Chinese or Japanese and other letters. */
function scriptBorder({ old, at, next, nextAt }: Difference): Step | undefined {
  const run = old[at];
  const isPlain = run?.kind === 'exact' && !old.some(({ text }) => speaksOfLetters(text));
  const parts = isPlain ? splitAtBorders(run.text) : [];
  let [length, found] = [0, 0];
  while (found < parts.length) {
    const others = splitAtBorders(next[nextAt + length]?.text ?? '');
    if (!others.every((part, index) => part === parts[found + index])) return undefined;
    found += others.length;
    length += 1;
  }
  return length > 1 ? [1, length] : undefined;
}

/**
 * Words written twice by mistake. Without those that a sentence may have twice: "log in in Berlin", "that that", "de de Gaulle".
 */
const DOUBLED = wordSet('the of to and or with from und oder el y et и');

function doubled({ old, at }: Difference): Step | undefined {
  const [before, again] = [old[at - 1], old[at]];
  if (!isWord(again) || !isSame(before, again)) return undefined;
  if (!DOUBLED.has(again.text) && !(again.text === 'is' && !isAsked(old, at))) return undefined;
  return isMentioned(old, at - 1) || isMentioned(old, at) ? undefined : [1, 0];
}

/** Where one of these came before, the sentence may go on with "is" behind "is": "what it is is good". */
const BEFORE_TWO = wordSet('what who whom whose which where when why how that it this there as than');

function isAsked(units: readonly MeaningUnit[], at: number): boolean {
  const start = units.slice(0, at).findLastIndex(({ startsSentence }) => startsSentence);
  return units.slice(Math.max(0, start), at).some((unit) => BEFORE_TWO.has(lower(unit)));
}

/** The mark of Spanish at the start of a sentence that ends with its counterpart. */
function invertedMark({ old, at, next, nextAt }: Difference): Step | undefined {
  const mark = old[at];
  if (!isMark(mark, '¿¡') || !mark?.startsSentence || !isSame(old[at + 1], next[nextAt])) return undefined;
  const end = old.slice(at + 1).find((unit) => isMark(unit, '.?!:;¿¡"“”') || unit.kind === 'layout');
  return isMark(end, mark.text === '¿' ? '?' : '!') ? [1, 0] : undefined;
}

/** Behind these what follows "dass" or "что" is what is known or said, with a comma and without. */
const BEFORE_CLAUSES = wordSet(
  'weiß weiss denke glaube hoffe finde sage verspreche знаю думаю считаю верю помню надеюсь',
);

function clauseComma({ old, at, next, nextAt }: Difference): Step | undefined {
  const [before, comma, joint] = [old[at - 1], old[at], old[at + 1]];
  const isOne = isMark(comma, ',') && isWord(before) && /^(?:dass|daß|что)$/.test(joint?.text ?? '');
  return isOne && isSame(joint, next[nextAt]) && BEFORE_CLAUSES.has(lower(before)) ? [1, 0] : undefined;
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
