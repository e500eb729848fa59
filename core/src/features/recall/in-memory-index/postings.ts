import { ChunkedBuffer } from './chunked-buffer.ts';
import { copyInto, DELETED, grownCapacity } from './document-columns.ts';

/** Places that fit beside a frequency. */
export const MAX_SLOTS = 2 ** 24;
const FREQUENCY_BITS = 8;
/** A frequency that stands for one that is noted apart. */
const OFTEN = 2 ** FREQUENCY_BITS - 1;
const SLAB_BITS = 16;
const SLAB = 2 ** SLAB_BITS;
/** Entries of the largest block. */
const LARGEST = 128;
/** What the map of terms takes for each, roughly. */
const TERM_BYTES = 100;

/** The slot of an entry. */
export function slotOf(entry: number): number {
  return entry >>> FREQUENCY_BITS;
}

/** Entries of a term's block, by its place among them. */
function sizeOf(place: number): number {
  return Math.min(LARGEST, 2 ** place);
}

/**
 * Of each term the slots that hold it, with how often, in the order they were added: a number each, in blocks of 1, 2, 4
 * and so on entries, each with the address of the next behind it. Most terms have few entries, and most entries belong to
 * terms with many; an array for each term would take more than what is in it.
 */
export class Postings {
  readonly #terms = new Map<string, number>();
  readonly #slabs = new ChunkedBuffer((length) => new Int32Array(length), SLAB);
  /** By a term's number: its first block, where its next entry goes, how many still fit there, and how many it has. */
  #heads = new Int32Array(0);
  #ends = new Int32Array(0);
  #left = new Int32Array(0);
  #counts = new Int32Array(0);
  /** Where the blocks of the term begin that is read: reused, since a search is synchronous. */
  readonly #blocks: number[] = [];
  /** Frequencies that do not fit, by term and slot. */
  readonly #often = new Map<string, number>();

  get bytes(): number {
    return (
      this.#slabs.bytes + 4 * this.#heads.byteLength + (this.#terms.size + this.#often.size) * TERM_BYTES
    );
  }

  add(term: string, slot: number, frequency: number): void {
    const number = this.#terms.get(term) ?? this.#addTerm(term);
    if (frequency >= OFTEN) this.#often.set(`${slot} ${term}`, frequency);
    if (this.#left[number] === 0) this.#addBlock(number);
    const end = this.#ends[number] ?? 0;
    this.#set(end, (slot << FREQUENCY_BITS) | Math.min(frequency, OFTEN));
    this.#ends[number] = end + 1;
    this.#left[number] = (this.#left[number] ?? 0) - 1;
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
  }

  /**
   * Copies the entries of a term whose slots are of a kind up to `last`.
   *
   * @param into Has room for an entry of every slot.
   * @returns how many there are.
   */
  read(term: string, kinds: Uint8Array, last: number, into: Int32Array): number {
    const number = this.#terms.get(term);
    if (number === undefined) return 0;
    let found = 0;
    let left = this.#counts[number] ?? 0;
    let block = this.#heads[number] ?? 0;
    for (let size = 1; left > 0; size = Math.min(LARGEST, 2 * size)) {
      const slab = this.#slabs.all[block >>> SLAB_BITS];
      if (!slab) break;
      const from = block & (SLAB - 1);
      const to = from + Math.min(size, left);
      for (let at = from; at < to; at += 1) {
        const entry = slab[at] ?? 0;
        if ((kinds[entry >>> FREQUENCY_BITS] ?? DELETED) > last) continue;
        into[found] = entry;
        found += 1;
      }
      left -= size;
      block = slab[from + size] ?? 0;
    }
    return found;
  }

  /** Tells the slots of a term, those that were added last first, as long as `take` asks for more. */
  fromNewest(term: string, take: (slot: number) => boolean): void {
    const number = this.#terms.get(term);
    if (number === undefined) return;
    const blocks = this.#blocks;
    let left = this.#counts[number] ?? 0;
    let found = 0;
    for (let block = this.#heads[number] ?? 0; ; block = this.#next(block, sizeOf(found - 1))) {
      blocks[found] = block;
      found += 1;
      if (left <= sizeOf(found - 1)) break;
      left -= sizeOf(found - 1);
    }
    for (let place = found - 1; place >= 0; place -= 1) {
      const block = blocks[place] ?? 0;
      const slab = this.#slabs.all[block >>> SLAB_BITS];
      const from = block & (SLAB - 1);
      for (let at = from + left - 1; at >= from; at -= 1) if (!take(slotOf(slab?.[at] ?? 0))) return;
      left = sizeOf(place - 1);
    }
  }

  /** The number that stands for a term; undefined where no memory holds it. */
  numberOf(term: string): number | undefined {
    return this.#terms.get(term);
  }

  /** How often a term occurs, by one of its entries. */
  frequencyOf(term: string, entry: number): number {
    const frequency = entry & OFTEN;
    return frequency < OFTEN ? frequency : (this.#often.get(`${slotOf(entry)} ${term}`) ?? frequency);
  }

  #addTerm(term: string): number {
    const number = this.#terms.size;
    this.#terms.set(term, number);
    if (number >= this.#heads.length) {
      const room = grownCapacity(number + 1, this.#heads.length);
      this.#heads = copyInto(this.#heads, new Int32Array(room));
      this.#ends = copyInto(this.#ends, new Int32Array(room));
      this.#left = copyInto(this.#left, new Int32Array(room));
      this.#counts = copyInto(this.#counts, new Int32Array(room));
    }
    return number;
  }

  #addBlock(number: number): void {
    const count = this.#counts[number] ?? 0;
    const size = Math.min(LARGEST, count + 1);
    const block = this.#slabs.take(size + 1);
    if (count === 0) this.#heads[number] = block;
    else this.#set(this.#ends[number] ?? 0, block);
    this.#ends[number] = block;
    this.#left[number] = size;
  }

  /** The block behind one of so many entries. */
  #next(block: number, size: number): number {
    return this.#slabs.all[block >>> SLAB_BITS]?.[(block & (SLAB - 1)) + size] ?? 0;
  }

  #set(address: number, value: number): void {
    const slab = this.#slabs.all[address >>> SLAB_BITS];
    if (slab) slab[address & (SLAB - 1)] = value;
  }
}
