import { copyInto, grownCapacity } from './document-columns.ts';

/** 32 bits each. */
const WORDS = 4;
const DIGITS = Buffer.from('0123456789abcdef');
const FORM = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
/** Where the digits of an id stand in it. */
const DIGIT_OFFSETS = [...FORM].flatMap((character, slot) => (character === 'x' ? [slot] : []));
/** Spreads neighbouring numbers: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** The ids of an index' memories by slot, and their slots: as numbers, since as texts they take as much as all the rest. */
export class IdTable {
  /** Four of each slot. */
  #words = new Uint32Array(0);
  /** A hash table with open addressing: each bucket holds a slot and 1, or 0 where it is free. */
  #buckets = new Int32Array(16);
  #taken = 0;
  readonly #text = Buffer.from(FORM);
  readonly #asked = new Uint32Array(WORDS);

  get bytes(): number {
    return this.#words.byteLength + this.#buckets.byteLength;
  }

  /** The slot that was last given to an id. */
  slotOf(id: string): number | undefined {
    const held = this.#buckets[this.#bucketOf(id)] ?? 0;
    return held === 0 ? undefined : held - 1;
  }

  /** Gives an id a slot, instead of the one that it had. */
  put(id: string, slot: number): void {
    const end = (slot + 1) * WORDS;
    if (end > this.#words.length) {
      this.#words = copyInto(
        this.#words,
        new Uint32Array(WORDS * grownCapacity(slot + 1, this.#words.length / WORDS)),
      );
    }
    if (3 * this.#taken >= 2 * this.#buckets.length) this.#rehash(2 * this.#buckets.length);
    const bucket = this.#bucketOf(id);
    this.#words.set(this.#asked, slot * WORDS);
    if (this.#buckets[bucket] === 0) this.#taken += 1;
    this.#buckets[bucket] = slot + 1;
  }

  /** Makes room for so many at once. */
  reserve(count: number): void {
    this.#words = copyInto(this.#words, new Uint32Array(WORDS * grownCapacity(count, 0)));
    const needed = 2 ** Math.ceil(Math.log2((count * 3) / 2 + 16));
    if (needed > this.#buckets.length) this.#rehash(needed);
  }

  /** As it is written. */
  textOf(slot: number): string {
    const at = slot * WORDS;
    for (let digit = 0; digit < DIGIT_OFFSETS.length; digit += 1) {
      const word = this.#words[at + (digit >> 3)] ?? 0;
      this.#text[DIGIT_OFFSETS[digit] ?? 0] = DIGITS[(word >>> (28 - 4 * (digit & 7))) & 15] ?? 0;
    }
    return this.#text.toString('latin1');
  }

  /** In the order of ids, as Postgres sorts them. */
  isBefore(one: number, other: number): boolean {
    for (let word = 0; word < WORDS; word += 1) {
      const apart = (this.#words[one * WORDS + word] ?? 0) - (this.#words[other * WORDS + word] ?? 0);
      if (apart !== 0) return apart < 0;
    }
    return false;
  }

  /** The bucket that an id has, or would have; leaves the id in `#asked`. */
  #bucketOf(id: string): number {
    const asked = this.#asked;
    asked[0] = Number.parseInt(id.slice(0, 8), 16);
    asked[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
    asked[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
    asked[3] = Number.parseInt(id.slice(28), 16);
    let bucket = this.#firstBucket(asked, 0);
    for (;;) {
      const held = this.#buckets[bucket] ?? 0;
      if (held === 0 || this.#isAsked((held - 1) * WORDS)) return bucket;
      bucket = (bucket + 1) % this.#buckets.length;
    }
  }

  #isAsked(at: number): boolean {
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#words[at + word] !== this.#asked[word]) return false;
    }
    return true;
  }

  #firstBucket(words: Uint32Array, at: number): number {
    const mixed = Math.imul((words[at + 1] ?? 0) ^ (words[at + 2] ?? 0) ^ (words[at + 3] ?? 0), SPREAD);
    return (mixed ^ (mixed >>> 15)) & (this.#buckets.length - 1);
  }

  #rehash(length: number): void {
    const before = this.#buckets;
    this.#buckets = new Int32Array(length);
    for (const held of before) {
      if (held === 0) continue;
      let bucket = this.#firstBucket(this.#words, (held - 1) * WORDS);
      while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) % length;
      this.#buckets[bucket] = held;
    }
  }
}
