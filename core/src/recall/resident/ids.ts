import { moved, roomFor } from './columns.ts';

/** 32 bits each. */
const WORDS = 4;
const DIGITS = Buffer.from('0123456789abcdef');
const FORM = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
/** Where the digits of an id stand in it. */
const PLACES = [...FORM].flatMap((character, place) => (character === 'x' ? [place] : []));
/** Spreads neighbouring numbers: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** The ids of an index' memories by place, and their places: as numbers, since as texts they take as much as all the rest. */
export class Ids {
  /** Four of each place. */
  #words = new Uint32Array(0);
  /** A hash table with open addressing: each slot holds a place and 1, or 0 where it is free. */
  #slots = new Int32Array(16);
  #taken = 0;
  readonly #text = Buffer.from(FORM);
  readonly #asked = new Uint32Array(WORDS);

  get bytes(): number {
    return this.#words.byteLength + this.#slots.byteLength;
  }

  /** The place that was last given to an id. */
  placeOf(id: string): number | undefined {
    const held = this.#slots[this.#slotOf(id)] ?? 0;
    return held === 0 ? undefined : held - 1;
  }

  /** Gives an id a place, instead of the one that it had. */
  put(id: string, place: number): void {
    const end = (place + 1) * WORDS;
    if (end > this.#words.length) {
      this.#words = moved(
        this.#words,
        new Uint32Array(WORDS * roomFor(place + 1, this.#words.length / WORDS)),
      );
    }
    if (3 * this.#taken >= 2 * this.#slots.length) this.#rehash(2 * this.#slots.length);
    const slot = this.#slotOf(id);
    this.#words.set(this.#asked, place * WORDS);
    if (this.#slots[slot] === 0) this.#taken += 1;
    this.#slots[slot] = place + 1;
  }

  /** Makes room for so many at once. */
  reserve(count: number): void {
    this.#words = moved(this.#words, new Uint32Array(WORDS * roomFor(count, 0)));
    const needed = 2 ** Math.ceil(Math.log2((count * 3) / 2 + 16));
    if (needed > this.#slots.length) this.#rehash(needed);
  }

  /** As it is written. */
  textOf(place: number): string {
    const at = place * WORDS;
    for (let digit = 0; digit < PLACES.length; digit += 1) {
      const word = this.#words[at + (digit >> 3)] ?? 0;
      this.#text[PLACES[digit] ?? 0] = DIGITS[(word >>> (28 - 4 * (digit & 7))) & 15] ?? 0;
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

  /** The slot that an id has, or would have; leaves the id in `#asked`. */
  #slotOf(id: string): number {
    const asked = this.#asked;
    asked[0] = Number.parseInt(id.slice(0, 8), 16);
    asked[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
    asked[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
    asked[3] = Number.parseInt(id.slice(28), 16);
    let slot = this.#firstSlot(asked, 0);
    for (;;) {
      const held = this.#slots[slot] ?? 0;
      if (held === 0 || this.#isAsked((held - 1) * WORDS)) return slot;
      slot = (slot + 1) % this.#slots.length;
    }
  }

  #isAsked(at: number): boolean {
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#words[at + word] !== this.#asked[word]) return false;
    }
    return true;
  }

  #firstSlot(words: Uint32Array, at: number): number {
    const mixed = Math.imul((words[at + 1] ?? 0) ^ (words[at + 2] ?? 0) ^ (words[at + 3] ?? 0), SPREAD);
    return (mixed ^ (mixed >>> 15)) & (this.#slots.length - 1);
  }

  #rehash(length: number): void {
    const before = this.#slots;
    this.#slots = new Int32Array(length);
    for (const held of before) {
      if (held === 0) continue;
      let slot = this.#firstSlot(this.#words, (held - 1) * WORDS);
      while (this.#slots[slot] !== 0) slot = (slot + 1) % length;
      this.#slots[slot] = held;
    }
  }
}
