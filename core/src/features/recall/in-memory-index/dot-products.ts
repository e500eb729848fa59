import { readFileSync } from 'node:fs';

/** Numbers of vectors that are multiplied at once: rows of them are of a multiple of this. */
export const STRIDE = 8;
/** Numbers of vectors that one call takes. */
export const MOST_NUMBERS = 2 ** 16;

const PAGE = 2 ** 16;
/** Where the query, the vectors and the products stand, in bytes; a vector may be looked for behind the last. */
const QUERY = 0;
const VECTORS = PAGE;
const PRODUCTS = VECTORS + 2 * MOST_NUMBERS;
const PAGES = PRODUCTS / PAGE + 1;
/** Of 16 bits, but for the least: the products of two pairs then fit into 32. */
const LARGEST = 2 ** 15 - 1;

/** Compiled from assets/dot-products.wat by scripts/build-dot-products.ts. */
const BINARY = readFileSync(new URL('../../../../assets/dot-products.wasm', import.meta.url));

/** What is used here of it: Node's types leave it out. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: { multiply: Multiply } };
};

type Multiply = (vector: number, last: number, width: number, product: number) => void;

/**
 * Writes a vector's numbers in 16 bits each, as shares of the largest.
 *
 * @returns what they count.
 */
export function toSixteenBits(vector: ArrayLike<number>, into: Int16Array): number {
  let largest = 0;
  for (let n = 0; n < vector.length; n += 1) largest = Math.max(largest, Math.abs(vector[n] ?? 0));
  const step = largest / LARGEST;
  for (let n = 0; n < vector.length; n += 1) into[n] = Math.round((vector[n] ?? 0) / step);
  return step;
}

/**
 * Multiplies many vectors with one: in WebAssembly, which has instructions for eight numbers at a time, many times as fast as
 * JavaScript. They are copied into its memory, which takes no longer than to bring them into the processor's.
 */
export class DotProducts {
  readonly #memory = new WebAssembly.Memory({ initial: PAGES });
  readonly #query = new Int16Array(this.#memory.buffer, QUERY, (VECTORS - QUERY) / 2);
  readonly #vectors = new Int16Array(this.#memory.buffer, VECTORS, MOST_NUMBERS);
  readonly #products = new Float32Array(this.#memory.buffer, PRODUCTS, MOST_NUMBERS / STRIDE);
  readonly #multiply: Multiply;

  constructor() {
    const module = new WebAssembly.Module(BINARY);
    const { exports } = new WebAssembly.Instance(module, { host: { memory: this.#memory } });
    this.#multiply = exports.multiply;
  }

  /** Sets what the vectors are multiplied with; answers what its numbers count. */
  setQuery(query: Float32Array): number {
    this.#query.fill(0);
    return toSixteenBits(query, this.#query);
  }

  /**
   * @param vectors One after the other, at most `MOST_NUMBERS` numbers.
   * @param dimensions Numbers of each, a multiple of `STRIDE`.
   * @returns of each its product with the query, in what the numbers of both count; until the next call.
   */
  of(vectors: Int16Array, dimensions: number): Float32Array {
    this.#vectors.set(vectors);
    this.#multiply(VECTORS, VECTORS + vectors.byteLength, 2 * dimensions, PRODUCTS);
    return this.#products;
  }
}
