import { HEADER_BYTES, MAGIC } from '../../src/text/word-table.ts';

const LARGEST_INT8 = 127;

/** Writes words and vectors as `decodeWordTable` reads them. */
export function encodeWordTable(words: readonly string[], vectors: readonly Float64Array[]): Buffer {
  const dimensions = vectors[0]?.length ?? 0;
  const list = Buffer.from(words.join('\n'), 'utf8');
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  [words.length, dimensions, list.length].forEach((value, i) => {
    header.writeUInt32LE(value, MAGIC.length + i * 4);
  });
  const scales = Buffer.alloc(words.length * 4);
  const values = Buffer.alloc(words.length * dimensions);
  vectors.forEach((vector, row) => {
    const scale =
      vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / LARGEST_INT8 || 1;
    scales.writeFloatLE(scale, row * 4);
    vector.forEach((value, k) => {
      values.writeInt8(Math.round(value / scale), row * dimensions + k);
    });
  });
  return Buffer.concat([header, list, scales, values]);
}
