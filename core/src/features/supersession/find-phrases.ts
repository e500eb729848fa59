import { type Cue, cues, states } from './cues.ts';
import type { State } from './fact.ts';
import { relations } from './relations.ts';
import type { Piece } from './split-pieces.ts';
import { AUXILIARY, CHANGING, DIVIDERS } from './words.ts';

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
    // A month; what remains: "28 left"; a state: "is down", not "is down to 5" or "is down 5 %".
    const isOther =
      pieces[at]?.text === 'May' ||
      (phrase === 'left' && /^\d/.test(pieces[at - 1]?.key ?? '')) ||
      (/^is (?:up|down)$/.test(phrase ?? '') && !/^(?:to|by|from|\d.*)$/.test(pieces[at + 2]?.key ?? ''));
    if (cue !== undefined && !isOther) return { cue, length };
  }
  const piece = pieces[at];
  return piece && !piece.mark && CHANGING.test(piece.key) ? { cue: 'change', length: 1 } : undefined;
}

export function stateAt(
  pieces: readonly Piece[],
  at: number,
): { readonly state: State; readonly length: number } | undefined {
  for (let length = longestFrom(stateLengths, pieces[at]); length > 0; length -= 1) {
    const phrase = phraseAt(pieces, at, length);
    const scale = phrase === undefined ? undefined : states.get(phrase);
    if (phrase === undefined || scale === undefined) continue;
    // "is live", not "they live in".
    const before = pieces[at - 1];
    if (relations.has(phrase) && before && !before.mark && !AUXILIARY.has(before.key)) continue;
    const next = pieces[at + length];
    // "on" is a state only where no noun follows: "is on", not "on the list".
    if (DIVIDERS.has(phrase) || phrase === 'up' || phrase === 'down' || phrase === 'off') {
      if (next !== undefined && !next.mark && !DIVIDERS.has(next.key)) continue;
    }
    return { state: { scale, key: phrase, keys: phrase.split(' ') }, length };
  }
  return undefined;
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
