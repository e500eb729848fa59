import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BestOf } from './best-of.ts';
import { Ids } from './ids.ts';

/** Places in the reverse order of their ids. */
function idsOf(count: number): Ids {
  const ids = new Ids();
  for (let place = 0; place < count; place += 1) {
    ids.put(`00000000-0000-7000-8000-${String(count - place).padStart(12, '0')}`, place);
  }
  return ids;
}

it('keeps the best by score, then id, in that order, and tells what a score must reach', () => {
  const ids = idsOf(100);
  const scores = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 100 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 60 }), (offered, most) => {
      const best = new BestOf(most, ids);
      for (const [place, score] of offered.entries()) if (score >= best.least) best.offer(place, score);
      const sorted = [...offered.entries()]
        .sort(([a, one], [b, other]) => other - one || b - a)
        .slice(0, most);
      expect(best.least).toBe(sorted.length < most ? Number.NEGATIVE_INFINITY : sorted.at(-1)?.[1]);
      expect(best.take()).toEqual(sorted.map(([place]) => place));
      expect(best.take()).toEqual([]);
    }),
  );
});
