import { describe, expect, it } from 'vitest';
import { encodeWordTable } from '../../scripts/static-embedder/encode-word-table.ts';
import { decodeWordTable, wordTable } from './word-table.ts';

describe('the word table', () => {
  it('reads back what it wrote, to the precision of eight bits', () => {
    const bytes = encodeWordTable(['the', 'café'], [Float64Array.of(1, -0.5), Float64Array.of(0, 0)]);
    const { rows, dimensions, scales, values } = decodeWordTable(bytes);
    expect([...rows]).toEqual([
      ['the', 0],
      ['café', 1],
    ]);
    expect(dimensions).toBe(2);
    expect((values[0] ?? 0) * (scales[0] ?? 0)).toBeCloseTo(1, 5);
    expect((values[1] ?? 0) * (scales[0] ?? 0)).toBeCloseTo(-0.5, 2);
    expect([values[2], values[3]]).toEqual([0, 0]);
  });

  it('refuses bytes that are no table or are cut off', () => {
    const bytes = encodeWordTable(['the'], [Float64Array.of(1)]);
    expect(() => decodeWordTable(Buffer.from('something else entirely'))).toThrow('Not a word table');
    expect(() => decodeWordTable(bytes.subarray(0, -1))).toThrow('cut off');
  });

  it('is shipped with the frequent words of English, the most frequent first', () => {
    const { rows, dimensions } = wordTable();
    expect(rows.get('the')).toBe(0);
    expect(rows.has('violin')).toBe(true);
    expect(rows.has('typescript')).toBe(true);
    expect(rows.size).toBeGreaterThan(30_000);
    expect(dimensions).toBe(100);
  });
});
