import type { Fact } from './fact.ts';
import type { Piece } from './split-pieces.ts';
import { AUXILIARY, FIRST_PERSON, FUNCTION_WORDS, LIST_NAMES, LIST_WORDS, TO } from './words.ts';

const LONGEST_VALUE = 6;

/**
 * What a colon or an equals sign at a place makes of what stands before it; undefined where no short value follows.
 *
 * @param namesList Whether a word before it is the name of a list.
 */
export function labelAt(pieces: readonly Piece[], at: number, namesList: boolean): Fact['label'] {
  if (!isShortValue(pieces.slice(at + 1))) return undefined;
  return namesList || isListName(pieces.slice(0, at)) ? 'list' : 'single';
}

/** Whether all of it is the name of a list: "to buy", "shopping list". */
function isListName(before: readonly Piece[]): boolean {
  const name = before.filter(({ key, mark }) => !mark && !FUNCTION_WORDS.has(key) && !TO.has(key));
  if (name.some(({ key }) => LIST_WORDS.has(key))) return true;
  const [first, ...others] = name;
  return first !== undefined && others.length === 0 && LIST_NAMES.has(first.key);
}

function isShortValue(behind: readonly Piece[]): boolean {
  const speaks = behind.some(({ key }) => FIRST_PERSON.has(key) || AUXILIARY.has(key));
  return behind.length > 0 && behind.length <= LONGEST_VALUE && !speaks;
}
