import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { openAiEmbedder } from '../embedding/remote/openai-embedder.ts';
import { type OpenAiServer, startOpenAiServer } from '../embedding/remote/openai-server.fixture.ts';
import { rememberUncompared } from './uncompared.fixture.ts';

let server: OpenAiServer;
let kit: TestEngine;
beforeAll(async () => {
  server = await startOpenAiServer();
  const embedder = openAiEmbedder({ model: 'small', url: server.url, apiKey: 'sk', retries: 0, pauseMs: 1 });
  kit = await startTestEngine({ embedder });
});
afterAll(async () => {
  await kit.close();
  await server.close();
});

test('what was stored while the embedder was away is compared by the next reflection', async () => {
  const memory = (await kit.tenant()).agent();
  const reflect = async () => {
    const { job } = await memory.reflect();
    await kit.engine.background.run('jobs.work');
    return (await memory.job({ id: job.id })).job;
  };
  server.behave({ status: 500 });
  for (const [day, owner] of ['Ada', 'Ben'].entries()) {
    const occurred_at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const content = `The owner of the kettle is ${owner}.`;
    await rememberUncompared(memory, { type: 'semantic', content, occurred_at });
  }
  expect(await reflect()).toMatchObject({ status: 'done', result: { superseded: 0 } });
  server.behave('works');
  await expect
    .poll(async () => {
      kit.clock.advance(60_000);
      await kit.engine.background.run('embedding.catch-up');
      return (await memory.memoryMap({})).unplaced;
    })
    .toBe(0);
  expect(await reflect()).toMatchObject({ status: 'done', result: { superseded: 1 } });
});
