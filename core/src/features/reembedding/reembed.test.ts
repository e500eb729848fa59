import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../app/engine.ts';
import { rows } from '../../kernel/database/database.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { openAiEmbedder } from '../embedding/remote/openai-embedder.ts';
import { type OpenAiServer, startOpenAiServer } from '../embedding/remote/openai-server.fixture.ts';
import { STATIC_MODEL } from '../embedding/static/static-embedder.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEW = 'openai:new';

let server: OpenAiServer;
/** The service before the change of the embedder, and after. */
let before: TestEngine;
let after: Engine;
beforeAll(async () => {
  server = await startOpenAiServer();
  before = await startTestEngine();
  const embedder = openAiEmbedder({ model: 'new', url: server.url, retries: 0, pauseMs: 10 });
  const { database } = before.engine;
  after = createEngine({ database, clock: before.clock, embedder });
});
afterAll(async () => {
  await before.close();
  await server.close();
});
beforeEach(() => {
  server.behave('works');
});

async function tenantWith(memories: number): Promise<string> {
  const { tenantId, agent } = await before.tenant();
  for (let start = 0; start < memories; start += 400) {
    const drafts = Array.from({ length: Math.min(400, memories - start) }, (_, n) => ({
      type: 'semantic' as const,
      content: `The box number ${start + n} holds ${n % 2 ? 'screws' : 'nails'}.`,
    }));
    await agent().rememberBatch({ memories: drafts });
  }
  return tenantId;
}

/** A service with a newer embedder that retries as often as by default. */
function patient(model: string): Engine {
  const { database } = before.engine;
  const embedder = openAiEmbedder({ model, url: server.url, retryDelayMs: 1 });
  return createEngine({ database, clock: before.clock, embedder });
}

const run = (name: string, engine = after) => engine.background.run(name);
const vectorsOf = async (tenantId: string) => {
  const found = await before.engine.database.read(tenantId, (tx) =>
    rows<{ model: string; vectors: number }>(
      tx,
      sql`SELECT model, count(*)::int AS vectors FROM memory_vectors GROUP BY model ORDER BY model`,
    ),
  );
  return Object.fromEntries(found.map(({ model, vectors }) => [model, vectors]));
};
const jobOf = async (tenantId: string) => (await after.agent(tenantId).jobs({ kind: 'reembed' })).jobs[0];

describe('after a change of the embedder', () => {
  it('the old vectors answer until all are made, then the new ones do', async () => {
    const tenantId = await tenantWith(300);
    const ask = () => after.agent(tenantId).recall({ query: 'which box has screws?' });
    const old = await before.engine.agent(tenantId).recall({ query: 'which box has screws?' });
    server.received.length = 0;
    expect(await ask()).toEqual(old);
    expect(server.received, 'queries to the new model').toEqual([]);

    await run('embedding.follow-choice');
    expect(await jobOf(tenantId)).toMatchObject({ status: 'queued' });
    await run('jobs.work');
    expect(await jobOf(tenantId)).toMatchObject({
      status: 'done',
      progress: { done: 300, total: 300 },
      result: { model: NEW },
      errors_count: 0,
    });
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 300, [STATIC_MODEL]: 300 });
    server.received.length = 0;
    expect(await ask()).not.toHaveProperty('degraded');
    expect(server.received.map(({ input }) => input)).toEqual([['which box has screws?']]);
    expect(await run('embedding.follow-choice')).toBe(0);
  });

  it('a process that cannot make the vectors that answer goes by words, and says so', async () => {
    const tenantId = await tenantWith(3);
    await after.reembedding.start(tenantId);
    await run('jobs.work');
    const { results, degraded } = await before.engine.agent(tenantId).recall({ query: 'screws' });
    expect(degraded).toBe(true);
    expect(results.length).toBeGreaterThan(0);
  });

  it('an offline model that a release replaced goes by itself: words answer until the new vectors do', async () => {
    const tenantId = await tenantWith(3);
    const older = 'static:older-100d';
    await before.engine.database.transaction(tenantId, async (tx) => {
      await tx.execute(sql`UPDATE memory_vectors SET model = ${older}`);
      await tx.execute(sql`UPDATE tenants SET embedding_model = ${older}`);
    });
    const upgraded = createEngine({ database: before.engine.database, clock: before.clock });
    const ask = () => upgraded.agent(tenantId).recall({ query: 'which box has screws?' });
    const meanwhile = await ask();
    expect(meanwhile).toMatchObject({ degraded: true, results: [{}] });
    await run('embedding.follow-choice', upgraded);
    await run('jobs.work', upgraded);
    const afterwards = await ask();
    expect(afterwards).not.toHaveProperty('degraded');
    expect(afterwards.results.map(({ id }) => id)).toEqual(meanwhile.results.map(({ id }) => id));
    expect(await vectorsOf(tenantId)).toEqual({ [older]: 3, [STATIC_MODEL]: 3 });
  });

  it('what is written meanwhile gets both vectors, whichever process writes it', async () => {
    const tenantId = await tenantWith(2);
    const remember = (engine: Engine, content: string) =>
      engine.agent(tenantId).remember({ type: 'semantic', content });
    await remember(after, 'The red box holds glue.');
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 1, [STATIC_MODEL]: 2 });
    await run('embedding.catch-up');
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 1, [STATIC_MODEL]: 3 });

    await after.reembedding.start(tenantId);
    await run('jobs.work');
    await remember(before.engine, 'The green box holds tape.');
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 3, [STATIC_MODEL]: 4 });
    await run('embedding.catch-up');
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 4, [STATIC_MODEL]: 4 });
  });

  it('the old vectors go a day later, and what lacks a new one gets it', async () => {
    const tenantId = await tenantWith(5);
    await after.reembedding.start(tenantId);
    await run('jobs.work');
    await after.database.transaction(tenantId, (tx) =>
      tx.execute(sql`DELETE FROM memory_vectors WHERE (model, memory_id) IN (
        SELECT model, memory_id FROM memory_vectors WHERE model = ${NEW} LIMIT 1)`),
    );
    expect(await run('embedding.forget-other')).toBe(0);
    before.clock.advance(DAY + MINUTE);
    await run('embedding.forget-other');
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 4 });
    await run('embedding.catch-up');
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 5 });
  });

  it('an outage only delays it, and a text that is not taken does not hold it up', async () => {
    const tenantId = await tenantWith(200);
    const { memory: poison } = await before.engine
      .agent(tenantId)
      .remember({ type: 'semantic', content: 'the poison' });
    await after.reembedding.start(tenantId);
    server.behave((_, count) => (count % 2 ? { status: 500 } : 'drops the connection'));
    await run('jobs.work');
    expect(await jobOf(tenantId)).toMatchObject({ status: 'running', error: { code: 'UNAVAILABLE' } });
    expect((await after.agent(tenantId).recall({ query: 'screws' })).degraded).toBeUndefined();

    server.behave(({ input }) => (input.some((text) => text.includes('poison')) ? { status: 400 } : 'works'));
    await expect
      .poll(
        async () => {
          before.clock.advance(20 * MINUTE);
          await run('jobs.work');
          return jobOf(tenantId);
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ status: 'done', errors: [{ item: poison.id }], errors_count: 1 });
    expect(await vectorsOf(tenantId)).toEqual({ [NEW]: 200, [STATIC_MODEL]: 201 });
    expect(JSON.stringify(await jobOf(tenantId))).not.toMatch(/the poison|127\.0\.0\.1/);
  });

  it('texts at which the server breaks down keep no other from its vector, however many, with the usual retries', async () => {
    const { tenantId, agent } = await before.tenant();
    const contents = Array.from({ length: 200 }, (_, n) =>
      n % 40 < 6 ? `the poison ${n}` : `The box number ${n} holds screws.`,
    );
    const memories = contents.map((content) => ({ type: 'semantic' as const, content }));
    await agent().rememberBatch({ memories });
    const engine = patient('breaks-down');
    server.behave(({ input }) => (input.some((text) => text.includes('poison')) ? { status: 500 } : 'works'));
    await engine.reembedding.start(tenantId);
    await run('jobs.work', engine);
    const [job] = (await engine.agent(tenantId).jobs({ kind: 'reembed' })).jobs;
    expect(job).toMatchObject({ status: 'done', progress: { done: 200, total: 200 }, errors_count: 30 });
    expect(await vectorsOf(tenantId)).toMatchObject({ 'openai:breaks-down': 170 });
    expect(await engine.agent(tenantId).recall({ query: 'screws' })).not.toHaveProperty('degraded');
  });

  it('an outage in the middle of a step is no fault of the texts behind it', async () => {
    const tenantId = await tenantWith(100);
    await before.engine.agent(tenantId).remember({ type: 'semantic', content: 'the poison' });
    const engine = patient('goes-away');
    let requests = 0;
    server.behave(({ input }) => {
      if (input.some((text) => text.includes('poison'))) return { status: 400 };
      requests += 1;
      return requests < 20 ? 'works' : 'drops the connection';
    });
    await engine.reembedding.start(tenantId);
    await run('jobs.work', engine);
    const jobNow = async () => (await engine.agent(tenantId).jobs({ kind: 'reembed' })).jobs[0];
    const during = await jobNow();
    expect(during).toMatchObject({ status: 'running', errors_count: 0, error: { code: 'UNAVAILABLE' } });
    const { 'openai:goes-away': made = 0 } = await vectorsOf(tenantId);
    expect(made).toBeGreaterThan(0);
    expect(during?.progress).toEqual({ done: made, total: 101 });
    server.behave(({ input }) => (input.some((text) => text.includes('poison')) ? { status: 400 } : 'works'));
    before.clock.advance(20 * MINUTE);
    await run('jobs.work', engine);
    expect(await jobNow()).toMatchObject({
      status: 'done',
      progress: { done: 101, total: 101 },
      errors_count: 1,
    });
    expect(await vectorsOf(tenantId)).toMatchObject({ 'openai:goes-away': 100 });
  });

  it('the process that was started last decides, and going back costs nothing', async () => {
    const tenantId = await tenantWith(4);
    const newest = createEngine({
      database: before.engine.database,
      clock: before.clock,
      embedder: openAiEmbedder({ model: 'newest', url: server.url }),
    });
    before.clock.advance(MINUTE);
    await run('embedding.follow-choice', newest);
    expect(await run('embedding.follow-choice')).toBe(0);
    const [job] = (await newest.agent(tenantId).jobs({ kind: 'reembed' })).jobs;
    expect(job?.status).toBe('queued');

    before.clock.advance(MINUTE);
    await after.reembedding.start(tenantId);
    expect((await after.agent(tenantId).job({ id: job?.id ?? '' })).job.status).toBe('cancelled');
    await run('jobs.work');
    expect((await after.reembedding.outdated()).map((one) => one.tenantId)).not.toContain(tenantId);

    server.received.length = 0;
    before.clock.advance(MINUTE);
    await before.engine.reembedding.start(tenantId);
    await run('jobs.work', before.engine);
    expect(await before.engine.agent(tenantId).recall({ query: 'screws' })).not.toHaveProperty('degraded');
    expect(server.received).toEqual([]);
  });
});
