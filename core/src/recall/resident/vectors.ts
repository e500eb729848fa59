import { moved, roomFor } from './columns.ts';
import { Slabs } from './slabs.ts';

const LARGEST = 2 ** 15 - 1;
/** Numbers of a slab. */
const SLAB = 2 ** 16;

/**
 * Vectors of unit length, one after the other by place: each number in 16 bits, as a share of the vector's largest, so that
 * a cosine is off by some 0.000003.
 */
export class Vectors {
  /** What the largest of each vector's numbers stands for, in steps; 0 where there is no vector. */
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
    const dimensions = this.#dimensions;
    this.#slabs ??= new Slabs((length) => new Int16Array(length), this.#perSlab * dimensions);
    const slabs = this.#slabs;
    for (; this.#places <= place; this.#places += 1) slabs.take(dimensions);
    if (place >= this.#steps.length) {
      this.#steps = moved(this.#steps, new Float32Array(roomFor(place + 1, this.#steps.length)));
    }
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const step = largest / LARGEST;
    this.#steps[place] = step;
    const slab = slabs.all[Math.floor(place / this.#perSlab)];
    const from = (place % this.#perSlab) * dimensions;
    for (let k = 0; slab && k < dimensions; k += 1) slab[from + k] = Math.round((vector[k] ?? 0) / step);
  }

  /** The cosine of every place's vector and the query's; of a place without one, 0. */
  cosines(query: Float32Array, into: Float32Array): void {
    const asked = Float64Array.from(query);
    const steps = this.#steps;
    let place = 0;
    for (const slab of this.#slabs?.all ?? []) {
      const end = Math.min(this.#places, place + this.#perSlab);
      for (let from = 0; place < end; place += 1, from += asked.length) {
        into[place] = product(slab, from, asked) * (steps[place] ?? 0);
      }
    }
    into.fill(0, place);
  }

  get #perSlab(): number {
    return Math.max(1, Math.floor(SLAB / this.#dimensions));
  }
}

/** Four sums side by side, since each addition waits for the one before. */
function product(vectors: Int16Array, start: number, asked: Float64Array): number {
  const inFours = asked.length - (asked.length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let k = 0; k < inFours; k += 4) {
    const at = start + k;
    a += (vectors[at] as number) * (asked[k] as number);
    b += (vectors[at + 1] as number) * (asked[k + 1] as number);
    c += (vectors[at + 2] as number) * (asked[k + 2] as number);
    d += (vectors[at + 3] as number) * (asked[k + 3] as number);
  }
  for (let k = inFours; k < asked.length; k += 1) a += (vectors[start + k] as number) * (asked[k] as number);
  return a + b + c + d;
}
