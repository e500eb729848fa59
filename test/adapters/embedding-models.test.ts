import { aiSdkEmbedder, createEngine, type Embedder } from '@svc-memory/core';
import { MockEmbeddingModelV4 } from 'ai/test';
import { MockEmbeddingModelV3 } from 'ai6/test';
import { expect, test } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';

const kit = useTestEngine();

/** Knows that a puppy is a dog, which no word tells. */
const toVectors = async ({ values }: { values: string[] }) => ({
  embeddings: values.map((value) => (/dog|puppy/.test(value) ? [1, 0.1, 0] : [0, 0.1, 1])),
  warnings: [],
});
const calibration = { unrelated: 0.2, related: 0.8, trust: 0.8 };

test.each<[string, () => Embedder]>([
  ['6', () => aiSdkEmbedder(new MockEmbeddingModelV3({ doEmbed: toVectors }), { calibration, name: 'six' })],
  [
    '7',
    () => aiSdkEmbedder(new MockEmbeddingModelV4({ doEmbed: toVectors }), { calibration, name: 'seven' }),
  ],
])('an embedding model of the AI SDK %s finds by meaning', async (_, embedder) => {
  const { database } = kit.engine;
  const engine = createEngine({ database, clock: kit.clock, embedder: embedder() });
  const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  const agent = engine.agent(id);
  await agent.remember({ type: 'semantic', content: 'Maya got a puppy.' });
  await agent.remember({ type: 'semantic', content: 'The kettle whistles.' });
  const { results } = await agent.recall({ query: 'any dogs?' });
  expect(results.map(({ content }) => content)).toEqual(['Maya got a puppy.']);
});
