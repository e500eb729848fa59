/** Numbers of vectors that are multiplied at once: rows of them are of a multiple of this. */
export const STRIDE = 8;
/** Numbers of vectors that one call takes. */
export const MOST_NUMBERS = 2 ** 16;

const PAGE = 2 ** 16;
/** Where the query, the vectors and the products stand, in bytes: the longest query and all vectors of a call fit before the next. */
const QUERY = 0;
const VECTORS = PAGE;
const PRODUCTS = VECTORS + 2 * MOST_NUMBERS;
const PAGES = PRODUCTS / PAGE + 1;

/** Instructions of WebAssembly, by their names in its specification. */
const loop = [0x03, 0x40];
const end = [0x0b];
const branchIf = [0x0d, 0];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const i32 = { type: 0x7f, add: [0x6a], lessThan: [0x49], constant: (value: number) => [0x41, value] };
const f32 = { add: [0x92], store: [0x38, 2, 0] };
const v128 = { type: 0x7b, load: (offset: number) => [0xfd, 0x00, 0, offset] };
const zeros = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const loadFourIntegers = (offset: number) => [0xfd, 0x03, 0, offset];
const toFourFloats = [0xfd, 0xfa, 0x01];
const fourTimes = [0xfd, 0xe6, 0x01];
const fourSums = [0xfd, 0xe4, 0x01];
const oneOfFour = (lane: number) => [0xfd, 0x1f, lane];

/** Parameters and variables of the function. */
const [query, vector, last, width, product, asked, next, some, others] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Adds the products of four numbers of the vector and the query to a variable. */
const addFour = (sums: number, offset: number) => [
  ...get(sums),
  ...[...get(vector), ...loadFourIntegers(2 * offset), ...toFourFloats],
  ...[...get(asked), ...v128.load(4 * offset)],
  ...[...fourTimes, ...fourSums, ...set(sums)],
];
const advance = (pointer: number, by: readonly number[]) => [
  ...get(pointer),
  ...by,
  ...i32.add,
  ...set(pointer),
];

/** For each vector up to the last: the sum of its numbers times the query's, eight at a time in two sums of four. */
const code = [
  ...[2, 2, i32.type, 2, v128.type],
  ...loop,
  ...[...zeros, ...set(some), ...zeros, ...set(others), ...get(query), ...set(asked)],
  ...[...get(vector), ...get(width), ...i32.add, ...set(next)],
  ...loop,
  ...[...addFour(some, 0), ...addFour(others, 4)],
  ...[...advance(asked, i32.constant(4 * STRIDE)), ...advance(vector, i32.constant(2 * STRIDE))],
  ...[...get(vector), ...get(next), ...i32.lessThan, ...branchIf],
  ...end,
  ...[...get(product), ...get(some), ...get(others), ...fourSums, ...set(some)],
  ...[...get(some), ...oneOfFour(0), ...get(some), ...oneOfFour(1), ...f32.add],
  ...[...get(some), ...oneOfFour(2), ...f32.add, ...get(some), ...oneOfFour(3), ...f32.add, ...f32.store],
  ...[...advance(product, i32.constant(4)), ...get(vector), ...get(last), ...i32.lessThan, ...branchIf],
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
  ...section(1, 0x60, 5, i32.type, i32.type, i32.type, i32.type, i32.type, 0),
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

type Multiply = (query: number, vector: number, last: number, width: number, product: number) => void;

/**
 * Multiplies many vectors with one: in WebAssembly, which has instructions for four numbers at a time, several times as fast as
 * JavaScript.
 */
export class DotProducts {
  readonly #memory = new WebAssembly.Memory({ initial: PAGES });
  readonly #query = new Float32Array(this.#memory.buffer, QUERY, (VECTORS - QUERY) / 4);
  readonly #vectors = new Int16Array(this.#memory.buffer, VECTORS, MOST_NUMBERS);
  readonly #products = new Float32Array(this.#memory.buffer, PRODUCTS, MOST_NUMBERS / STRIDE);
  readonly #multiply: Multiply;

  constructor() {
    const module = new WebAssembly.Module(binary);
    const { exports } = new WebAssembly.Instance(module, { host: { memory: this.#memory } });
    this.#multiply = exports.multiply;
  }

  /** Sets what the vectors are multiplied with. */
  ask(query: Float32Array): void {
    this.#query.fill(0);
    this.#query.set(query);
  }

  /**
   * @param vectors One after the other, at most `MOST_NUMBERS` numbers.
   * @param dimensions Numbers of each, a multiple of `STRIDE`.
   * @returns of each its product with the query; until the next call.
   */
  of(vectors: Int16Array, dimensions: number): Float32Array {
    this.#vectors.set(vectors);
    this.#multiply(QUERY, VECTORS, VECTORS + vectors.byteLength, 2 * dimensions, PRODUCTS);
    return this.#products;
  }
}
