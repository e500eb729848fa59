import { ChunkedBuffer } from './chunked-buffer.ts';
import { copyInto, grownCapacity } from './document-columns.ts';
import { type DotProducts, MOST_NUMBERS, STRIDE, toSixteenBits } from './dot-products.ts';

/**
 * Unit vectors by slot, quantised to 16 bits as shares of each vector's largest number. The error of a cosine is about
 * 0.000005.
 */
export class Vectors {
  /** By slot, what a vector's numbers count; 0 where there is no vector. */
  #steps = new Float32Array(0);
  #slabs: ChunkedBuffer<Int16Array<ArrayBuffer>> | undefined;
  #dimensions = 0;
  /** Places that have room for a vector. */
  #slots = 0;

  get bytes(): number {
    return this.#steps.byteLength + (this.#slabs?.bytes ?? 0);
  }

  /** Whether there is a vector. */
  has(slot: number): boolean {
    return (this.#steps[slot] ?? 0) !== 0;
  }

  put(slot: number, vector: ArrayLike<number>): void {
    this.#dimensions ||= vector.length;
    this.#slabs ??= new ChunkedBuffer((length) => new Int16Array(length), this.#perSlab * this.#stride);
    for (; this.#slots <= slot; this.#slots += 1) this.#slabs.take(this.#stride);
    if (slot >= this.#steps.length) {
      this.#steps = copyInto(this.#steps, new Float32Array(grownCapacity(slot + 1, this.#steps.length)));
    }
    const slab = this.#slabs.all[Math.floor(slot / this.#perSlab)];
    const start = (slot % this.#perSlab) * this.#stride;
    if (slab) this.#steps[slot] = toSixteenBits(vector, slab.subarray(start, start + vector.length));
  }

  /** The cosine of every slot's vector and the query's; of a slot without one, 0. */
  cosines(query: Float32Array, products: DotProducts, into: Float32Array): void {
    const step = products.setQuery(query);
    let slot = 0;
    for (const slab of this.#slabs?.all ?? []) {
      const count = Math.min(this.#perSlab, this.#slots - slot);
      const found = products.of(slab.subarray(0, count * this.#stride), this.#stride);
      for (let n = 0; n < count; n += 1) {
        into[slot + n] = (found[n] ?? 0) * (this.#steps[slot + n] ?? 0) * step;
      }
      slot += count;
    }
    into.fill(0, slot);
  }

  /** Numbers from one vector to the next. */
  get #stride(): number {
    return Math.ceil(this.#dimensions / STRIDE) * STRIDE;
  }

  get #perSlab(): number {
    return Math.floor(MOST_NUMBERS / this.#stride);
  }
}
