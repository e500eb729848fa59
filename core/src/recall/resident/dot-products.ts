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

/** Instructions of WebAssembly, by their names in its specification. */
const loop = [0x03, 0x40];
const end = [0x0b];
const branchIf = [0x0d, 0];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const i32 = { type: 0x7f, add: [0x6a], lessThan: [0x49], constant: (value: number) => [0x41, value] };
const f32 = { add: [0x92], store: (offset: number) => [0x38, 2, offset] };
const v128 = { type: 0x7b, load: [0xfd, 0x00, 0, 0] };
const zeros = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const fourSumsOfTwoProducts = [0xfd, 0xba, 0x01];
const toFourFloats = [0xfd, 0xfa, 0x01];
const fourSums = [0xfd, 0xe4, 0x01];
const oneOfFour = (lane: number) => [0xfd, 0x1f, lane];

/** Parameters and variables of the function. */
const [vector, last, width, product, other, at, query, sums, otherSums] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;

/** Adds the products of eight numbers of a vector and the query to a variable. */
const addEight = (to: number, from: number) => [
  ...[...get(to), ...get(query)],
  ...[...get(from), ...get(at), ...i32.add, ...v128.load],
  ...[...fourSumsOfTwoProducts, ...toFourFloats, ...fourSums, ...set(to)],
];
/** Adds up a variable, and stores it so many bytes behind the last product. */
const store = (from: number, offset: number) => [
  ...[...get(product), ...get(from), ...oneOfFour(0), ...get(from), ...oneOfFour(1), ...f32.add],
  ...[...get(from), ...oneOfFour(2), ...f32.add, ...get(from), ...oneOfFour(3), ...f32.add],
  ...f32.store(offset),
];
const advance = (pointer: number, by: number) => [
  ...[...get(pointer), ...i32.constant(by), ...i32.add, ...set(pointer)],
];

/** Two vectors at a time, up to the last: the sums of their numbers times the query's, eight by eight. */
const code = [
  ...[2, 2, i32.type, 3, v128.type],
  ...loop,
  ...[...zeros, ...set(sums), ...zeros, ...set(otherSums), ...i32.constant(QUERY), ...set(at)],
  ...[...get(vector), ...get(width), ...i32.add, ...set(other)],
  ...loop,
  ...[...get(at), ...v128.load, ...set(query)],
  ...[...addEight(sums, vector), ...addEight(otherSums, other), ...advance(at, 2 * STRIDE)],
  ...[...get(at), ...get(width), ...i32.lessThan, ...branchIf],
  ...end,
  ...[...store(sums, 0), ...store(otherSums, 4), ...advance(product, 8)],
  ...[...get(other), ...get(width), ...i32.add, ...set(vector)],
  ...[...get(vector), ...get(last), ...i32.lessThan, ...branchIf],
  ...[...end, ...end],
];

const named = (name: string) => [name.length, ...Buffer.from(name)];
/** Lengths take seven bits a byte; those here take up to two. */
const sized = (bytes: readonly number[]) => {
  const { length } = bytes;
  return length < 128 ? [length, ...bytes] : [(length & 127) | 128, length >> 7, ...bytes];
};
const section = (number: number, ...content: readonly number[]) => [number, ...sized([1, ...content])];
const binary = Uint8Array.from([
  ...[...Buffer.from('\0asm'), 1, 0, 0, 0],
  ...section(1, 0x60, 4, i32.type, i32.type, i32.type, i32.type, 0),
  ...section(2, ...named('host'), ...named('memory'), 2, 0, 1),
  ...section(3, 0),
  ...section(7, ...named('multiply'), 0, 0),
  ...section(10, ...sized(code)),
]);

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
    const module = new WebAssembly.Module(binary);
    const { exports } = new WebAssembly.Instance(module, { host: { memory: this.#memory } });
    this.#multiply = exports.multiply;
  }

  /** Sets what the vectors are multiplied with; answers what its numbers count. */
  ask(query: Float32Array): number {
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
