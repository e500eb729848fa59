import { type Cue, cues, states } from './cues.ts';
import type { Fact, State } from './fact.ts';
import { relations } from './relations.ts';
import { type Piece, UNSPACED } from './split-pieces.ts';
import { words } from './word-groups.ts';
import { AUXILIARY, CHANGING, DETERMINERS, DIVIDERS } from './words.ts';

/** Of each word that a phrase begins with, the words of the longest such phrase: most words begin none. */
const cueLengths = lengthsOf(cues);
const stateLengths = lengthsOf(states);

export function cueAt(
  pieces: readonly Piece[],
  at: number,
): { readonly cue: Cue; readonly length: number } | undefined {
  for (let length = longestFrom(cueLengths, pieces[at]); length > 0; length -= 1) {
    const phrase = phraseAt(pieces, at, length);
    const cue = phrase === undefined ? undefined : cues.get(phrase);
    if (phrase !== undefined && cue !== undefined && !isNoCue(phrase, pieces, at)) return { cue, length };
  }
  const piece = pieces[at];
  return piece && !piece.mark && CHANGING.test(piece.key) ? { cue: 'change', length: 1 } : undefined;
}

/** Whether a phrase that is a cue elsewhere is none here. */
function isNoCue(phrase: string, pieces: readonly Piece[], at: number): boolean {
  const behind = pieces[at + 2]?.key ?? '';
  switch (phrase) {
    case 'car':
      return isName(pieces, at) || !saysWhy(pieces, at);
    // What remains: "28 left".
    case 'left':
      return isName(pieces, at) || /^\d/.test(pieces[at - 1]?.key ?? '');
    // Where one goes: "going to the gym".
    case 'going to':
      return DETERMINERS.has(behind);
    // What a plan costs: "the plan to 15 euros".
    case 'plan to':
      return /^[$€£]?\d/.test(behind);
    // A state: "is down", not "is down 5 %".
    case 'is up':
    case 'is down':
      return !/^(?:to|by|from|\d.*)$/.test(behind);
    default:
      return !phrase.includes(' ') && isName(pieces, at);
  }
}

/** Whether a word that is a cue elsewhere is a name, or a month: "El Paso", "Rose lives in Rome"; but "Ya", "Neu" or "Now" at the beginning. */
function isName(pieces: readonly Piece[], at: number): boolean {
  const [before, piece] = [pieces[at - 1], pieces[at]];
  if (!piece || NOUNS.has(piece.key) || !isCapitalized(piece)) return false;
  return piece.text === 'May' || (before !== undefined && !before.mark) || isFirstName(pieces, at);
}

/** "Will is the lead"; but "Will be in Rome next week" tells of a plan. */
export function isFirstName(pieces: readonly Piece[], at: number): boolean {
  const [piece, next] = [pieces[at], pieces[at + 1]];
  if (!piece || !next || !NAMES.has(piece.key) || !isCapitalized(piece)) return false;
  return THIRD_PERSON.test(next.key) && (relations.has(next.key) || AUXILIARY.has(next.key));
}

const THIRD_PERSON = /s$|^had$/;

function isCapitalized({ text }: Piece): boolean {
  return /^\p{Lu}\p{Ll}+$/u.test(text);
}

/** German nouns among the cues. */
const NOUNS = words('korrektur gerucht geruchte');
/** Cues that are first names in English too. */
const NAMES = words('will rose hope nova');

/** In French "car" says why; in English it is a thing. */
function saysWhy(pieces: readonly Piece[], at: number): boolean {
  return Boolean(pieces[at - 1]?.mark) || BEHIND_CAR.has(pieces[at + 1]?.key ?? '');
}

const BEHIND_CAR = words("il elle ils elles je j' on nous vous c' ce le la les l'");

export function stateAt(
  pieces: readonly Piece[],
  at: number,
): { readonly state: State; readonly length: number } | undefined {
  for (let length = longestFrom(stateLengths, pieces[at]); length > 0; length -= 1) {
    const phrase = phraseAt(pieces, at, length);
    const scales = phrase === undefined ? undefined : states.get(phrase);
    if (phrase === undefined || scales === undefined) continue;
    // "is live", not "they live in".
    const before = pieces[at - 1];
    if (relations.has(phrase) && !CLOSING.has(phrase) && before && !before.mark && !AUXILIARY.has(before.key))
      continue;
    // In writing without spaces a word that stands first may be one half of a name: "发布会".
    if (at === 0 && UNSPACED.test(phrase)) continue;
    const next = pieces[at + length];
    if ((DIVIDERS.has(phrase) || CLOSING.has(phrase)) && next !== undefined && !endsPhrase(next)) continue;
    if (DESCRIBING.has(phrase) && !(before && BEFORE_STATE.has(before.key))) continue;
    return { state: { scales, key: phrase, keys: phrase.split(' ') }, length };
  }
  return undefined;
}

/** A state only where no noun follows: "is on", not "on the list"; "passes again", not "passes the salt". */
const CLOSING = words('up down off back passes fails funktioniert funciona fonctionne');
/** A state only where it is said of something: "is red", not "the red lamp". */
const DESCRIBING = words('red green rot grun rojo verde rouge vert back');
const BEFORE_STATE = words(
  'is are was be been turned went still again ist sind war wieder esta estan sigue est sont es de_nouveau',
);

/** What follows a state and tells no thing: "is up again", "is down since noon". */
const BEHIND_STATE = words('again now since yet already today wieder jetzt seit de ya');

function endsPhrase({ key, mark }: Piece): boolean {
  return mark || DIVIDERS.has(key) || BEHIND_STATE.has(key);
}

/** Whether one of two states on one scale is another than the other. */
export function areOtherStates(was: State, is: State): boolean {
  return was.key !== is.key && was.scales.some((scale) => is.scales.includes(scale));
}

export function tellOtherStates(older: Fact, newer: Fact): boolean {
  return older.states.some((was) => newer.states.some((is) => areOtherStates(was, is)));
}

function lengthsOf(phrases: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const phrase of phrases.keys()) {
    const words = phrase.split(' ');
    const [first = ''] = words;
    lengths.set(first, Math.max(words.length, lengths.get(first) ?? 0));
  }
  return lengths;
}

function longestFrom(lengths: ReadonlyMap<string, number>, piece: Piece | undefined): number {
  return piece === undefined || piece.mark ? 0 : (lengths.get(piece.key) ?? 0);
}

function phraseAt(pieces: readonly Piece[], at: number, length: number): string | undefined {
  const some = pieces.slice(at, at + length);
  if (some.length < length || some.some(({ mark }) => mark)) return undefined;
  return some.map(({ key }) => key).join(' ');
}
