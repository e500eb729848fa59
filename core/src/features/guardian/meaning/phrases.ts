import { isMark, type MeaningUnit } from './meaning-unit.ts';
import { readUnits } from './read-units.ts';

/**
 * Abbreviations, and the words that they stand for alone. Without "etc." and "usw.", whose full stop may end a sentence as well.
 */
const PHRASES = [
  ['e.g.', 'for example'],
  ['z. B.', 'z.B.', 'zum Beispiel'],
  ['d. h.', 'd.h.', 'das heißt'],
  ['p. ej.', 'por ejemplo'],
  ['p. ex.', 'par exemple'],
  ['p. ex.', 'por exemplo'],
  ['ad es.', 'ad esempio'],
  ['bv.', 'bijv.', 'bijvoorbeeld'],
  ['напр.', 'например'],
  ['т. е.', 'т.е.', 'то есть'],
  ['approx.', 'approximately'],
] as const;
/** Means the same wherever it stands. Others do behind a mark alone: "lists for example texts" have another end. */
const ANYWHERE = PHRASES.findIndex(([form]) => form === 'approx.');

type Units = readonly MeaningUnit[];
let read: readonly (readonly Units[])[] | undefined;

/** How many units of both texts are an abbreviation and what it stands for. Both may begin alike: "ad es." and "ad esempio". */
export function samePhrase(
  old: Units,
  at: number,
  next: Units,
  nextAt: number,
): readonly [number, number] | undefined {
  for (const back of [0, 1]) {
    const [one, other] = phraseAt(old, at - back, next, nextAt - back) ?? [0, 0];
    if (one > back && other > back) return [one - back, other - back];
  }
  return undefined;
}

function phraseAt(
  old: Units,
  at: number,
  next: Units,
  nextAt: number,
): readonly [number, number] | undefined {
  // Within a sentence, as a text has them.
  read ??= PHRASES.map((forms) => forms.map((form) => readUnits(`so ${form} so`).slice(1, -1)));
  // The first units of two forms may be the same, such as the z of "z. B." and "z.B.".
  for (const [index, forms] of read.entries()) {
    const one = forms.find((form) => standsAt(form, old, at));
    const other = forms.find((form) => standsAt(form, next, nextAt));
    if (!one || !other || one === other) continue;
    if (index !== ANYWHERE && !isMark(old[at - 1], ',(-')) continue;
    // "I write e.g., never for example" speaks of both.
    const isBoth = old.some((_, place) => place !== at && forms.some((form) => standsAt(form, old, place)));
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
