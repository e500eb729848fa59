import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

let kit: TestEngine;
beforeAll(async () => {
  kit = await startTestEngine();
});
afterAll(() => kit.close());

it('a list tells the memory of a user from one of the agent’s own that has the same id', async () => {
  const agent = (await kit.tenant()).agent();
  const { memory } = await agent.remember({ type: 'semantic', content: 'The desk opens at nine.' });
  const { export: document } = await agent.export();
  await agent.import({ files: [{ name: 'e.json', content: JSON.stringify(document) }], user_id: 'u1' });
  await kit.engine.background.run('jobs.work');
  await agent.update({ id: memory.id, content: 'The desk opens at ten for them.', user_id: 'u1' });
  const { memories } = await agent.query({ user_id: 'u1' });
  expect(memories.map(({ content, user_id }) => [user_id, content]).sort()).toEqual([
    [undefined, 'The desk opens at nine.'],
    ['u1', 'The desk opens at ten for them.'],
  ]);
});
