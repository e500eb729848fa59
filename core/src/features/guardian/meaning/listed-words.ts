import { isMark, isWord, lower, type MeaningUnit } from './meaning-unit.ts';
import { MODALS, NEGATIONS, SCOPE_WORDS, wordSet } from './words.ts';

const FEWEST = 3;

/** What several things are called at the start of a sentence: "My values:", "Os meus valores:", "Meine Ziele:". */
const OWNERS = wordSet('my our the mis nuestros nuestras mes nos os as meus minhas nossos nossas');
const GERMAN_OWNERS = wordSet('meine unsere');
const LONGEST_LABEL = 3;

/**
 * How many units of both texts are the same words, behind a colon: with commas between them, and as a list, with which the
 * text ends. Of more than single words a part might speak of all.
 */
export function listedWords(
  old: readonly MeaningUnit[],
  at: number,
  next: readonly MeaningUnit[],
  nextAt: number,
): readonly [number, number] | undefined {
  if (!isMark(old[at - 1], ':') || !isMark(next[nextAt - 1], ':')) return undefined;
  if (!isLabel(old.slice(0, at - 1))) return undefined;
  // Items below an item are beside it: "- Never:" and "- lie".
  if (isItem(old.slice(0, at).findLast(({ kind }) => kind === 'layout'))) return undefined;
  let [comma, item, words] = [at, nextAt, 0];
  while (next[item]?.text === 'item 1 -') {
    const [word, listed] = [old[comma], next[item + 1]];
    // In other letters it may be another: "us" and "US".
    if (!isWord(word) || !isWord(listed) || word.text !== listed.text) return undefined;
    if (turns(word.text)) return undefined;
    words += 1;
    comma += 1;
    item += 2;
    if (next[item] !== undefined) {
      if (!isMark(old[comma], ',')) return undefined;
      comma += 1;
    }
  }
  if (isMark(old[comma], '.')) comma += 1;
  const isWhole = words >= FEWEST && old[comma] === undefined && next[item] === undefined;
  return isWhole ? [comma - at, item - nextAt] : undefined;
}

/** Whether a text ends with a label of several things. "Answer with: yes, sir, gladly" says how, and what. */
function isLabel(units: readonly MeaningUnit[]): boolean {
  const label = units.slice(
    units.findLastIndex(({ startsSentence, kind }) => startsSentence && kind !== 'layout'),
  );
  const [owner, last] = [lower(label[0]), lower(label.at(-1))];
  if (label.length < 2 || label.length > LONGEST_LABEL || !label.every(isWord)) return false;
  return (OWNERS.has(owner) && last.endsWith('s')) || (GERMAN_OWNERS.has(owner) && /[ens]$/.test(last));
}

/** "Never, ever, lie" is no list. */
function turns(word: string): boolean {
  return [NEGATIONS, MODALS, SCOPE_WORDS].some((words) => words.has(word.toLowerCase()));
}

function isItem(unit: MeaningUnit | undefined): boolean {
  return unit?.kind === 'layout' && unit.text.startsWith('item');
}
