import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rows } from '../../kernel/database/database.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { genericCalibration } from './embedder.ts';
import { openAiEmbedder } from './remote/openai-embedder.ts';
import { type Behaviour, type OpenAiServer, startOpenAiServer } from './remote/openai-server.fixture.ts';

const MINUTE = 60_000;
const PATIENCE_MS = 150;

let server: OpenAiServer;
let kit: TestEngine;
const logged: string[] = [];
beforeAll(async () => {
  server = await startOpenAiServer();
  const embedder = openAiEmbedder({
    model: 'small',
    url: server.url,
    apiKey: 'sk-very-secret',
    retries: 0,
    timeoutMs: 200,
    pauseMs: 20,
  });
  const keep = (facts: object, message: string) => {
    const { err } = facts as { err?: Error };
    logged.push(`${JSON.stringify(facts)} ${err?.stack} ${message}`);
  };
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  const settings = { recallPatienceMs: PATIENCE_MS, writePatienceMs: PATIENCE_MS };
  kit = await startTestEngine({ embedder, logger, settings });
});
afterAll(async () => {
  await kit.close();
  await server.close();
});
beforeEach(() => {
  logged.length = 0;
  server.behave('works');
});

const catchUp = () => kit.engine.background.run('embedding.catch-up');
const queued = async (tenantId: string) =>
  (await kit.engine.database.read(tenantId, (tx) => rows(tx, sql`SELECT memory_id FROM embedding_queue`)))
    .length;
/** A minute later, until the embedder is no longer left alone for its failures. */
const drained = (tenantId: string) =>
  expect
    .poll(
      async () => {
        kit.clock.advance(MINUTE);
        await catchUp();
        return queued(tenantId);
      },
      { timeout: 10_000 },
    )
    .toBe(0);

const FAILURES: readonly (readonly [string, Behaviour])[] = [
  ['fails', { status: 500 }],
  ['hangs', 'hangs'],
  ['drops its connections', 'drops the connection'],
  ['answers another number of dimensions', 'another number of dimensions'],
  ['answers NaN', 'NaN'],
  ['answers zeros', 'zeros'],
  ['answers too few vectors', 'too few vectors'],
  ['answers no JSON', 'nothing but HTML'],
  ['has had enough for an hour', { status: 429, headers: { 'retry-after': '3600' } }],
  ['refuses the key', { status: 401, body: { error: { message: 'Incorrect API key sk-very-secret' } } }],
];

describe('while the embedder is away', () => {
  it.each(FAILURES)(
    'that %s, writes succeed, recall goes by words, and all is made up for',
    async (_, failure) => {
      const { tenantId, agent } = await kit.tenant();
      const memory = agent();
      await memory.remember({ type: 'semantic', content: 'The kettle whistles in the kitchen.' });
      await drained(tenantId);
      await expect
        .poll(() => memory.recall({ query: 'kettle' }), { timeout: 10_000 })
        .not.toHaveProperty('degraded');

      server.behave(failure);
      const began = performance.now();
      const { memory: stored } = await memory.remember({
        type: 'semantic',
        content: 'Ada drives a blue tractor.',
      });
      const found = await memory.recall({ query: 'who drives the tractor?' });
      expect(performance.now() - began, 'milliseconds of a write and a recall').toBeLessThan(
        20 * PATIENCE_MS,
      );
      expect(found.degraded).toBe(true);
      expect(found.results.map(({ id }) => id)).toEqual([stored.id]);
      expect(await queued(tenantId)).toBe(1);
      await catchUp();
      expect(await queued(tenantId), 'still queued').toBe(1);

      server.behave('works');
      await drained(tenantId);
      await expect
        .poll(() => memory.recall({ query: 'tractor driver' }), { timeout: 10_000 })
        .not.toHaveProperty('degraded');
      expect(logged.join('\n')).not.toMatch(/very-secret|tractor/);
    },
  );

  it('a text that it does not take keeps no other from being embedded', async () => {
    const { tenantId, agent } = await kit.tenant();
    server.behave({ status: 503 });
    const contents = ['one', 'the poison', 'two', 'three'];
    await agent().rememberBatch({ memories: contents.map((content) => ({ type: 'semantic', content })) });
    // Some servers answer a text they cannot embed as if they were broken.
    server.behave(({ input }) => (input.some((text) => text.includes('poison')) ? { status: 500 } : 'works'));
    await expect
      .poll(
        async () => {
          kit.clock.advance(2 * MINUTE);
          await catchUp();
          return queued(tenantId);
        },
        { timeout: 10_000 },
      )
      .toBe(1);
    server.behave('works');
    kit.clock.advance(60 * MINUTE);
    await drained(tenantId);
  });

  it('memories at which the server breaks down leave the recall of everybody as it is', async () => {
    const embedder = openAiEmbedder({ model: 'small', url: server.url, retryDelayMs: 1 });
    const other = await startTestEngine({ embedder });
    try {
      server.behave(({ input }) =>
        input.some((text) => text.includes('poison')) ? { status: 500 } : 'works',
      );
      const [bystander, writer] = [(await other.tenant()).agent(), (await other.tenant()).agent()];
      await bystander.remember({ type: 'semantic', content: 'The kettle whistles in the kitchen.' });
      for (const n of [1, 2, 3]) await writer.remember({ type: 'semantic', content: `the poison ${n}` });
      await other.engine.background.run('embedding.catch-up');
      expect(await bystander.recall({ query: 'kettle' })).not.toHaveProperty('degraded');
    } finally {
      await other.close();
    }
  });

  it('a service that was started meanwhile measures the embedder when it comes back', async () => {
    const late = await startOpenAiServer();
    late.behave('drops the connection');
    const embedder = openAiEmbedder({ model: 'late', url: late.url, retries: 0, pauseMs: 20 });
    const other = await startTestEngine({ embedder });
    try {
      const { tenantId, agent } = await other.tenant();
      await agent().remember({ type: 'semantic', content: 'Ada drives a blue tractor.' });
      expect((await agent().recall({ query: 'tractor' })).degraded).toBe(true);
      late.behave('works');
      await expect
        .poll(async () => {
          other.clock.advance(MINUTE);
          await other.engine.background.run('embedding.catch-up');
          return other.engine.database.read(tenantId, (tx) => rows(tx, sql`SELECT 1 FROM memory_vectors`));
        })
        .toHaveLength(1);
      expect(await agent().recall({ query: 'tractor' })).not.toHaveProperty('degraded');
    } finally {
      await other.close();
      await late.close();
    }
  });

  it('a caller who goes away is told so, and costs no other anything', async () => {
    const { agent } = await kit.tenant();
    await agent().remember({ type: 'semantic', content: 'Ada drives a blue tractor.' });
    server.behave('hangs');
    const caller = new AbortController();
    const gone = agent().recall({ query: 'the tractor of Ada' }, { signal: caller.signal });
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect((await agent().recall({ query: 'the tractor of Ada' })).degraded).toBe(true);
  });

  it('a writer who goes away is told so, and the request for the vectors ends', async () => {
    const caller = new AbortController();
    const ended: unknown[] = [];
    const embedder = {
      model: 'test:waits',
      dimensions: 3,
      calibration: genericCalibration,
      embed: (_texts: readonly string[], signal?: AbortSignal) =>
        new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(ended.push(signal.reason)));
          caller.abort(new Error('gone'));
        }),
    };
    const other = await startTestEngine({ embedder });
    try {
      const { agent } = await other.tenant();
      const draft = { type: 'semantic' as const, content: 'Ada drives a blue tractor.' };
      await expect(agent().remember(draft, { signal: caller.signal })).rejects.toThrow('gone');
      expect(ended).toEqual([caller.signal.reason]);
      await expect(agent().remember(draft, { signal: caller.signal })).rejects.toThrow('gone');
      expect((await agent().query({})).memories).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
