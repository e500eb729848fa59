import { readFileSync } from 'node:fs';

/** Words with their vectors, most frequent first, so that a word's index is its frequency rank. */
export interface WordTable {
  readonly dimensions: number;
  /** Word → its row, which is also its frequency rank (0 = most frequent). */
  readonly rows: ReadonlyMap<string, number>;
  /** What a quantised value of each row stands for. */
  readonly scales: Float32Array;
  /** Row after row of quantised vectors. */
  readonly values: Int8Array;
}

export const MAGIC = 'SVCWORDS';
export const HEADER_BYTES = MAGIC.length + 3 * 4;

/** Works from the sources and from the compiled `dist` folder alike, both being three levels up from the assets. */
const assetUrl = new URL('../../assets/static-embedder.bin', import.meta.url);

let loaded: WordTable | undefined;

/** The word table shipped with the package, read from disk at the first call (some 10 ms) and kept. */
export function wordTable(): WordTable {
  loaded ??= decodeWordTable(readFileSync(assetUrl));
  return loaded;
}

/**
 * Reads a word table: magic, word count, dimensions, size of the word list (little-endian uint32 each), the words separated by
 * newlines, one float32 scale per word, one int8 per value.
 *
 * @throws Error when the bytes are no word table or are cut off
 */
export function decodeWordTable(bytes: Buffer): WordTable {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('Not a word table.');
  const count = bytes.readUInt32LE(MAGIC.length);
  const dimensions = bytes.readUInt32LE(MAGIC.length + 4);
  const listBytes = bytes.readUInt32LE(MAGIC.length + 8);
  const scalesStart = HEADER_BYTES + listBytes;
  const valuesStart = scalesStart + count * 4;
  if (bytes.length !== valuesStart + count * dimensions) throw new Error('The word table is cut off.');
  const words = bytes.toString('utf8', HEADER_BYTES, scalesStart).split('\n');
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row++) scales[row] = bytes.readFloatLE(scalesStart + row * 4);
  return {
    dimensions,
    rows: new Map(words.map((word, row) => [word, row])),
    scales,
    values: new Int8Array(bytes.buffer, bytes.byteOffset + valuesStart, count * dimensions),
  };
}

/**
 * How often English text uses the word of a given frequency rank, by Zipf's law with Mandelbrot's shift
 * (the share of the most frequent word, "the", comes out as in running text, about 5 %).
 * @param rank 0 for the most frequent word
 * @returns share of all words of a text, 0 to 1
 */
export function wordFrequency(rank: number): number {
  return 0.08 / (rank + 1.7);
}
