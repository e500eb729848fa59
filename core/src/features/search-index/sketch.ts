import type { DocumentTerms } from '../../text/analyze-document.ts';

/**
 * Hashes of a memory's distinct words in ascending order, the smallest where there are more than fit: the share that two
 * have in common estimates how many words two memories share, exactly for short ones. Numbers, order, case, punctuation
 * and repetition change nothing. Unused places at the start are 0.
 *
 * @see https://en.wikipedia.org/wiki/MinHash#Variant_with_a_single_hash_function
 */
export type Sketch = Uint16Array;

export interface Sketched {
  readonly id: string;
  readonly sketch: Sketch;
}

export const SKETCH_TERMS = 32;
/**
 * Share of their words that near-copies have in common at least. Texts in which several words of ten vary at once, as where
 * each word is drawn from a list of synonyms, share less and are not told to be near-copies: a flood of them may still crowd.
 */
const NEAR = 0.58;

const NUMBER_WORDS = new Set(
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million first second third fourth fifth
  sixth seventh eighth ninth tenth`.split(/\s+/),
);
/** Trigrams repeat a word; digits, number words and single letters number copies. */
const TELLS_NOTHING = /^~|\p{N}|^[a-z]$/u;

/** Sketches what the lexical index keeps of a memory. */
export function sketchOf({ terms }: Pick<DocumentTerms, 'terms'>): Sketch {
  const all = [...terms.keys()];
  const telling = all.filter((term) => !TELLS_NOTHING.test(term) && !NUMBER_WORDS.has(term));
  return sketchOfTerms(telling.length > 0 ? telling : all);
}

/** A sketch that resembles no other: of a memory whose own is not computed yet. */
export function sketchOfId(id: string): Sketch {
  return sketchOfTerms([id, `${id} again`, `${id} once more`]);
}

function sketchOfTerms(terms: readonly string[]): Sketch {
  const hashes = Uint16Array.from(new Set(terms.map(hash))).sort();
  return padded(hashes.subarray(0, SKETCH_TERMS));
}

function padded(hashes: Uint16Array): Sketch {
  const sketch = new Uint16Array(SKETCH_TERMS);
  sketch.set(hashes, SKETCH_TERMS - hashes.length);
  return sketch;
}

/** The share of their words that two memories have in common, 0 to 1; 0 also where they are no near-copies. */
export function sharedWords(a: Sketch, b: Sketch): number {
  // Of a long memory only hashes up to its largest are known.
  const [lastA, lastB] = [a[0] ? last(a) : 0xffff, b[0] ? last(b) : 0xffff];
  const most = Math.min(lastA, lastB);
  let [atA, atB] = [firstOf(a), firstOf(b)];
  let [shared, apart] = [0, 0];
  const mostApart = ((1 - NEAR) / (1 + NEAR)) * (2 * SKETCH_TERMS - atA - atB);
  while (atA < SKETCH_TERMS || atB < SKETCH_TERMS) {
    const [hashA, hashB] = [a[atA] ?? 0x10000, b[atB] ?? 0x10000];
    if (Math.min(hashA, hashB) > most) break;
    if (hashA === hashB) shared += 1;
    else apart += 1;
    if (apart > mostApart) return 0;
    if (hashA <= hashB) atA += 1;
    if (hashB <= hashA) atB += 1;
  }
  const share = shared / (shared + apart || 1);
  return share >= NEAR ? share : 0;
}

/** A sketch in 64 bits: enough to tell most of those apart that are no near-copies. */
export interface Outline {
  readonly low: number;
  readonly high: number;
  /** Hashes of the sketch, and how many of them have no bit of their own. */
  readonly size: number;
  readonly clashes: number;
}

export function outlineOf(sketch: Sketch): Outline {
  let [low, high] = [0, 0];
  const first = firstOf(sketch);
  for (let at = first; at < SKETCH_TERMS; at += 1) {
    const value = sketch[at] ?? 0;
    if ((value & 32) === 0) low |= 1 << (value & 31);
    else high |= 1 << (value & 31);
  }
  const size = SKETCH_TERMS - first;
  return { low, high, size, clashes: size - bitsIn(low) - bitsIn(high) };
}

/** False only where `sharedWords` is 0. */
export function mayShareWords(a: Outline, b: Outline): boolean {
  const shared = bitsIn(a.low & b.low) + bitsIn(a.high & b.high) + a.clashes;
  return shared >= NEAR * Math.max(a.size, b.size);
}

/** @see https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function bitsIn(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function last(sketch: Sketch): number {
  return sketch[SKETCH_TERMS - 1] ?? 0;
}

/** The first place that is used. */
function firstOf(sketch: Sketch): number {
  let at = 0;
  while (at < SKETCH_TERMS && sketch[at] === 0) at += 1;
  return at;
}

/** The same number for equal sketches, and hardly ever for others. */
export function wordingOf(sketch: Sketch): number {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < SKETCH_TERMS; at += 1) {
    const value = sketch[at] ?? 0;
    high = Math.imul(high ^ value, 0x01000193);
    low = Math.imul(low ^ value, 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

export function sketchText(sketch: Sketch): string {
  const used = sketch.subarray(firstOf(sketch));
  return Buffer.from(used.buffer, used.byteOffset, used.byteLength).toString('base64');
}

/** A stored sketch; one of its own for a memory that has none yet. */
export function readSketch(text: string | null, id: string): Sketch {
  if (text === null) return sketchOfId(id);
  const bytes = Buffer.from(text, 'base64');
  return padded(Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readUInt16LE(2 * at)));
}

/** FNV-1a with the finalizer of MurmurHash3; never 0. */
function hash(term: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) value = Math.imul(value ^ term.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) & 0xffff || 1;
}
