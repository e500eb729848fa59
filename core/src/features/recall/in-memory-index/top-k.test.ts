import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdTable } from './ids.ts';
import { TopK } from './top-k.ts';

/** Places in the reverse order of their ids. */
function idsOf(count: number): IdTable {
  const ids = new IdTable();
  for (let slot = 0; slot < count; slot += 1) {
    ids.put(`00000000-0000-7000-8000-${String(count - slot).padStart(12, '0')}`, slot);
  }
  return ids;
}

it('keeps the best by score, then id, in that order, and tells what a score must reach', () => {
  const ids = idsOf(100);
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 100 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 60 }), (offered, most) => {
      const best = new TopK(most, ids);
      for (const [slot, score] of offered.entries()) if (score >= best.least) best.offer(slot, score);
      const sorted = [...offered.entries()]
        .sort(([a, one], [b, other]) => other - one || b - a)
        .slice(0, most);
      expect(best.least).toBe(sorted.length < most ? Number.NEGATIVE_INFINITY : sorted.at(-1)?.[1]);
      expect(best.take()).toEqual(sorted.map(([slot]) => slot));
      expect(best.take()).toEqual([]);
    }),
  );
});
