import { moved, roomFor } from './columns.ts';
import { type DotProducts, MOST_NUMBERS, STRIDE, toSixteenBits } from './dot-products.ts';
import { Slabs } from './slabs.ts';

/**
 * Vectors of unit length, one after the other by place: each number in 16 bits, as a share of the vector's largest, so that
 * a cosine is off by some 0.000005.
 */
export class Vectors {
  /** By place, what a vector's numbers count; 0 where there is no vector. */
  #steps = new Float32Array(0);
  #slabs: Slabs<Int16Array<ArrayBuffer>> | undefined;
  #dimensions = 0;
  /** Places that have room for a vector. */
  #places = 0;

  get bytes(): number {
    return this.#steps.byteLength + (this.#slabs?.bytes ?? 0);
  }

  /** Whether there is a vector. */
  has(place: number): boolean {
    return (this.#steps[place] ?? 0) !== 0;
  }

  put(place: number, vector: readonly number[]): void {
    this.#dimensions ||= vector.length;
    this.#slabs ??= new Slabs((length) => new Int16Array(length), this.#perSlab * this.#stride);
    for (; this.#places <= place; this.#places += 1) this.#slabs.take(this.#stride);
    if (place >= this.#steps.length) {
      this.#steps = moved(this.#steps, new Float32Array(roomFor(place + 1, this.#steps.length)));
    }
    const slab = this.#slabs.all[Math.floor(place / this.#perSlab)];
    const start = (place % this.#perSlab) * this.#stride;
    if (slab) this.#steps[place] = toSixteenBits(vector, slab.subarray(start, start + vector.length));
  }

  /** The cosine of every place's vector and the query's; of a place without one, 0. */
  cosines(query: Float32Array, products: DotProducts, into: Float32Array): void {
    const step = products.ask(query);
    let place = 0;
    for (const slab of this.#slabs?.all ?? []) {
      const count = Math.min(this.#perSlab, this.#places - place);
      const found = products.of(slab.subarray(0, count * this.#stride), this.#stride);
      for (let n = 0; n < count; n += 1) {
        into[place + n] = (found[n] ?? 0) * (this.#steps[place + n] ?? 0) * step;
      }
      place += count;
    }
    into.fill(0, place);
  }

  /** Numbers from one vector to the next. */
  get #stride(): number {
    return Math.ceil(this.#dimensions / STRIDE) * STRIDE;
  }

  get #perSlab(): number {
    return Math.floor(MOST_NUMBERS / this.#stride);
  }
}
