import { isMark, type MeaningUnit } from './meaning-unit.ts';
import { readUnits } from './read-units.ts';

/** Abbreviations, and the words that they stand for alone. Without "etc." and "usw.", whose full stop may end a sentence as well. */
const PHRASES = [
  ['e.g.', 'for example'],
  ['z. B.', 'z.B.', 'zum Beispiel'],
  ['d. h.', 'd.h.', 'das heißt'],
  ['p. ej.', 'por ejemplo'],
  ['p. ex.', 'par exemple'],
  ['т. е.', 'т.е.', 'то есть'],
  ['approx.', 'approximately'],
] as const;

type Units = readonly MeaningUnit[];
let read: readonly (readonly Units[])[] | undefined;

/** How many units of both texts are an abbreviation and what it stands for. */
export function samePhrase(
  old: Units,
  at: number,
  next: Units,
  nextAt: number,
): readonly [number, number] | undefined {
  // Within a sentence, as a text has them.
  read ??= PHRASES.map((forms) => forms.map((form) => readUnits(`so ${form} so`).slice(1, -1)));
  // The first units of two forms may be the same, such as the z of "z. B." and "z.B.".
  for (const forms of read) {
    const one = forms.find((form) => standsAt(form, old, at));
    const other = forms.find((form) => standsAt(form, next, nextAt));
    if (!one || !other || one === other) continue;
    // "Lists for example texts" have another end, and "wie das heißt" is no "that is".
    if (!isMark(old[at - 1], ',(-') && ![one, other].some(({ length }) => length === 1)) continue;
    // "I write e.g., never for example" speaks of both.
    const isBoth = old.some((_, index) => index !== at && forms.some((form) => standsAt(form, old, index)));
    return isBoth ? undefined : [one.length, other.length];
  }
  return undefined;
}

function standsAt(form: Units, units: Units, at: number): boolean {
  return form.every(({ text, kind }, index) => {
    const unit = units[at + index];
    return unit?.text === text && unit.kind === kind;
  });
}
