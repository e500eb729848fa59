import { describe, expect, it } from 'vitest';
import { DotProducts } from './dot-products.ts';
import { Vectors } from './vectors.ts';

/** Vectors of unit length, the same each time. */
function unitVectors(count: number, dimensions: number): number[][] {
  let state = 1;
  const number = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Array.from({ length: dimensions }, number);
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  });
}

describe('vectors of an index', () => {
  it.each([
    [100, 2_000],
    [3, 20_000],
    [8, 10],
    [1_536, 100],
    [16_000, 9],
  ])('of %i dimensions give the cosines of %i slots', (dimensions, count) => {
    const [query = [], ...all] = unitVectors(count + 1, dimensions);
    const vectors = new Vectors();
    for (const [slot, vector] of all.entries()) if (slot % 5 !== 2) vectors.put(slot, vector);
    const cosines = new Float32Array(count + 10).fill(7);
    vectors.cosines(Float32Array.from(query), new DotProducts(), cosines);
    const wanted = all.map((vector, slot) =>
      slot % 5 === 2 ? 0 : vector.reduce((sum, value, k) => sum + value * (query[k] ?? 0), 0),
    );
    const off = wanted.map((cosine, slot) => Math.abs(cosine - (cosines[slot] ?? Number.NaN)));
    expect(Math.max(...off)).toBeLessThan(0.00003);
    expect(all.map((_, slot) => vectors.has(slot))).toEqual(all.map((_, slot) => slot % 5 !== 2));
    expect([...cosines.subarray(count)]).toEqual(Array(10).fill(0));
  });
});
