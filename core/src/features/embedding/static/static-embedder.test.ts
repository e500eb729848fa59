import { describe, expect, it } from 'vitest';
import { createStaticEmbedder } from './static-embedder.ts';

const embedder = createStaticEmbedder();

async function cosine(a: string, b: string): Promise<number> {
  const [first, second] = await embedder.embed([a, b]);
  return first?.reduce((sum, value, k) => sum + value * (second?.[k] ?? 0), 0) ?? Number.NaN;
}

describe('the static embedder', () => {
  it('brings texts of like meaning closer than texts of unlike meaning', async () => {
    const like = await cosine('The puppy chewed my shoes.', 'A young dog bit the sneakers.');
    const unlike = await cosine('The puppy chewed my shoes.', 'Quarterly revenue exceeded the forecast.');
    expect(like).toBeGreaterThan(embedder.calibration.unrelated);
    expect(unlike).toBeLessThan(embedder.calibration.unrelated);
  });

  it.each([
    ['Kubernetes', 'kubernetes-cluster'],
    ['Anforderungen', 'Die Anforderung'],
    ['встреча', 'встречи'],
  ])('brings "%s" and "%s", words outside its table, together by their parts', async (a, b) => {
    expect(await cosine(a, b)).toBeGreaterThan(await cosine(a, 'Zwetschgenknödel'));
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t'],
    ['emoji', '🎉👩‍👩‍👧‍👦'],
    ['punctuation', '?!'],
    ['only function words', 'to be or not to be'],
    ['control characters', '\u0001\u0002'],
    ['a lone surrogate', '\ud800'],
    ['Han', '我的狗叫旺财'],
    ['Thai', 'วันเกิดของแม่'],
    ['Arabic', 'موعد مع الطبيب'],
    ['a word of 30,000 letters', 'a'.repeat(30_000)],
    ['a megabyte', 'word '.repeat(200_000)],
  ])('gives a unit vector for %s', async (_, text) => {
    const [vector] = await embedder.embed([text]);
    expect(vector).toHaveLength(embedder.dimensions);
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
  });

  it('gives different texts without words different vectors', async () => {
    expect(await cosine('🎉', '🚀')).toBeLessThan(0.9);
  });

  it('gives one vector per text, in order, the same at every call', async () => {
    const texts = ['one', 'two', 'one'];
    const [one, two, again] = await embedder.embed(texts);
    expect(one).toEqual(again);
    expect(one).not.toEqual(two);
    expect(await createStaticEmbedder().embed(texts)).toEqual([one, two, again]);
    expect(await embedder.embed([])).toEqual([]);
  });

  it('stops when it is told to', async () => {
    await expect(embedder.embed(['text'], AbortSignal.abort())).rejects.toThrow();
  });
});
