import { createLruCache } from '../../../kernel/runtime/lru-cache.ts';
import { type Cue, cues } from '../fact/cues.ts';
import type { Fact } from '../fact/fact.ts';
import { relations } from '../fact/relations.ts';
import { type Piece, splitPieces } from '../fact/split-pieces.ts';
import { units } from '../fact/units.ts';
import { DIVIDERS, FUNCTION_WORDS, JOINERS, SOFT_WORDS } from '../fact/words.ts';

/** Telling words of an older fact that a newer one leaves out at most: those of the value, and some where it says that something changed. */
const MOST_LEFT = { swapped: 5, changed: 9 };
/** Words of one stem begin alike. */
const STEM = 4;

/** The stem of a word that tells something; null for other words. The pieces of words that recur are the same objects. */
const stems = new WeakMap<Piece, string | null>();
const stemsOf = new WeakMap<Fact, ReadonlySet<string>>();

/**
 * Whether a newer fact says so much of what an older text says that it may take its place. Reading a text as a fact takes several
 * times as long, and of those that share some words most are about something else.
 */
export function mayReplace(older: string, newer: Fact): boolean {
  const there = stemsOf.get(newer) ?? new Set(splitPieces(newer.content).map(stem));
  stemsOf.set(newer, there);
  const most = newer.changed || newer.contrasts ? MOST_LEFT.changed : MOST_LEFT.swapped;
  let left = 0;
  for (const telling of tellingStems(older)) {
    if (!there.has(telling)) left += 1;
    if (left > most) return false;
  }
  return true;
}

/** What is stored next is compared with many of the same texts. A text takes some 300 bytes. */
const stemsOfTexts = createLruCache<readonly string[]>(5_000);
/** Longer texts hold no single fact, and are not kept. */
const LONGEST_KEPT = 600;

/** The distinct stems of the words by which a text tells something, but for why or since when. */
function tellingStems(text: string): readonly string[] {
  const known = stemsOfTexts.get(text);
  if (known) return known;
  const found = new Set<string>();
  let skipping = false;
  for (const piece of splitPieces(text)) {
    if (piece.mark) skipping = false;
    if (skipping || piece.mark) continue;
    const telling = tellingStem(piece);
    if (telling === null) skipping = GIVES_REASON.has(cues.get(piece.key) ?? 'now');
    else found.add(telling);
  }
  const stems = [...found];
  if (text.length <= LONGEST_KEPT) stemsOfTexts.set(text, stems);
  return stems;
}

/** What follows says why or since when: that may be left out. */
const GIVES_REASON: ReadonlySet<Cue> = new Set<Cue>(['reason', 'since']);

function tellingStem(piece: Piece): string | null {
  const known = stems.get(piece);
  if (known !== undefined) return known;
  const found = isTelling(piece) ? stem(piece) : null;
  stems.set(piece, found);
  return found;
}

function stem({ key }: Piece): string {
  return key.slice(0, STEM);
}

function isTelling({ key }: Piece): boolean {
  if (FUNCTION_WORDS.has(key) || DIVIDERS.has(key) || JOINERS.has(key) || cues.has(key)) return false;
  return !relations.has(key) && !SOFT_WORDS.has(key) && !units.has(key);
}
