import { afterEach, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import type { MeasuredEmbedder } from '../embedding/embedder.ts';

const ANSWER = 'Thunder makes the captain hide below deck.';
const QUERY = 'What scares him?';

/** A model to which the answer is a little nearer to the query than all other memories, which it takes for related. */
const embedder: MeasuredEmbedder = {
  model: 'test:crowded',
  dimensions: 2,
  calibration: { unrelated: 0.2, related: 0.6, trust: 0.6 },
  embed: async (texts) =>
    texts.map((text) => {
      const cosine = text === QUERY ? 1 : text === ANSWER ? 0.9 : 0.6;
      return Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2));
    }),
};

let kit: TestEngine;
afterEach(() => kit.close());

it.each([
  ['a large store', 60],
  ['a small store', 12],
])(
  'answers by meaning with what is nearer than a crowd, and not with the crowd, in %s',
  async (_, others) => {
    kit = await startTestEngine({ embedder });
    const agent = (await kit.tenant()).agent();
    const contents = Array.from({ length: others }, (_, n) => `Crate ${n} holds ropes.`);
    await agent.rememberBatch({ memories: contents.map((content) => ({ type: 'semantic', content })) });
    expect((await agent.recall({ query: QUERY })).results).toEqual([]);
    await agent.remember({ type: 'semantic', content: ANSWER });
    const { results } = await agent.recall({ query: QUERY });
    expect(results.map(({ content }) => content)).toEqual([ANSWER]);
  },
);

it('takes a few memories for no crowd', async () => {
  kit = await startTestEngine({ embedder });
  const agent = (await kit.tenant()).agent();
  await agent.remember({ type: 'semantic', content: 'Crate 1 holds ropes.' });
  expect((await agent.recall({ query: QUERY })).results).toHaveLength(1);
});

it("counts what is the agent's own and what is a user's as one crowd", async () => {
  kit = await startTestEngine({ embedder });
  const agent = (await kit.tenant()).agent();
  const contents = [ANSWER, ...Array.from({ length: 60 }, (_, n) => `Crate ${n} holds ropes.`)];
  await agent.rememberBatch({ memories: contents.map((content) => ({ type: 'semantic', content })) });
  for (const content of ['The deck is wet.', 'Sails dry slowly.', 'Port is red.']) {
    await agent.remember({ type: 'semantic', content, user_id: 'u1' });
  }
  const { results } = await agent.recall({ query: QUERY, user_id: 'u1' });
  expect(results.map(({ content }) => content)).toEqual([ANSWER]);
});
