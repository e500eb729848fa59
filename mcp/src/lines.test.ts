import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

const LIMIT = 4_096;

it('finds the same lines however the input is cut, and notes those over the limit', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 40 }).map((line) => line.replaceAll('\n', '')),
    fc.integer({ min: LIMIT - 2, max: LIMIT + 3_000 }).map((length) => 'y'.repeat(length)),
  );
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 3_000 })),
      (lines, sizes) => {
        const input = Buffer.from(lines.join('\n'));
        const splitter = new LineSplitter(LIMIT);
        const found: { bytes: Buffer; tooLong: boolean }[] = [];
        for (let start = 0; start < input.length; ) {
          const size = sizes.next().value;
          found.push(...splitter.push(input.subarray(start, start + size)));
          start += size;
        }
        found.push(splitter.rest());
        const expected = lines.length === 0 ? [''] : lines;
        expect(found.map(({ tooLong }) => tooLong)).toEqual(
          expected.map((line) => Buffer.byteLength(line) > LIMIT),
        );
        for (const [index, { bytes, tooLong }] of found.entries()) {
          if (tooLong) expect(bytes.length).toBeLessThan(LIMIT);
          else expect(bytes.toString()).toBe(expected[index]);
        }
      },
    ),
  );
});
