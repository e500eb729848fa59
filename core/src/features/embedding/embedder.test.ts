import { describe, expect, it } from 'vitest';
import { recallFrom, smallStores } from '../recall/ranking/ranking.fixture.ts';
import { type Embedder, measureCalibration } from './embedder.ts';
import { createStaticEmbedder } from './static/static-embedder.ts';

const embedder = createStaticEmbedder();

/** The same embedder with all its cosines crowded between about 0.7 and 1, as some models have them. */
async function embedCrowded(texts: readonly string[]): Promise<Float32Array[]> {
  const shared = Math.sqrt(0.75);
  const vectors = await embedder.embed(texts);
  return vectors.map((vector) => Float32Array.of(...vector.map((value) => value / 2), shared));
}

describe('measureCalibration', () => {
  it('finds how far the cosines of related and unrelated texts lie apart', async () => {
    const { unrelated, related } = await measureCalibration(embedder.embed);
    expect(unrelated).toBeLessThan(0.4);
    expect(related).toBeGreaterThan(unrelated);
  });

  it('makes a model whose cosines are all high recall like any other', async () => {
    const { trust } = embedder.calibration;
    const measuredOf = async (embed: Embedder['embed']) => ({ ...(await measureCalibration(embed)), trust });
    const plain = { ...embedder, calibration: await measuredOf(embedder.embed) };
    const crowded = { ...embedder, embed: embedCrowded, calibration: await measuredOf(embedCrowded) };
    const [store] = smallStores;
    for (const [query] of store?.queries ?? []) {
      const expected = await recallFrom({ memories: store?.memories ?? [] }, query, plain);
      const actual = await recallFrom({ memories: store?.memories ?? [] }, query, crowded);
      expect(actual[0]?.similarity).toBeCloseTo(expected[0]?.similarity ?? Number.NaN, 3);
    }
  });

  it('refuses a model that gives every text the same vector', async () => {
    const constant = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0));
    await expect(measureCalibration(constant)).rejects.toThrow('no higher cosine');
  });
});
