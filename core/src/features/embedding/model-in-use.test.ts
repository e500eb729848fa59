import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { readModelInUse } from './embedding-models.ts';
import { openAiEmbedder } from './remote/openai-embedder.ts';
import { type OpenAiServer, startOpenAiServer } from './remote/openai-server.fixture.ts';
import { STATIC_MODEL } from './static/static-embedder.ts';

let server: OpenAiServer;
let kit: TestEngine;
beforeAll(async () => {
  server = await startOpenAiServer();
  kit = await startTestEngine();
});
afterAll(async () => {
  await kit.close();
  await server.close();
});

it('the model in use is that of the memories, and from a change on the one chosen last', async () => {
  const { database } = kit.engine;
  const { tenantId, agent } = await kit.tenant();
  expect(await readModelInUse(database), 'without memories').toBeUndefined();
  await agent().remember({ type: 'semantic', content: 'The kettle whistles.' });
  expect(await readModelInUse(database)).toBe(STATIC_MODEL);

  await kit.engine.background.run('embedding.follow-choice');
  kit.clock.advance(1_000);
  const embedder = openAiEmbedder({ model: 'new', url: server.url });
  const changed = await startTestEngine({ database, clock: kit.clock, embedder });
  expect(await readModelInUse(database), 'before it was asked for').toBe(STATIC_MODEL);
  await changed.engine.reembedding.start(tenantId);
  expect(await readModelInUse(database)).toBe('openai:new');
});
