import { setTimeout } from 'node:timers/promises';
import { createEngine, openPostgres } from '@svc-memory/core';
import type { AgentMemory } from '@svc-memory/core/contract';
import { queryPostgres, type TestDatabase } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { endServices, type Service, startService } from '../../server/src/cli/cli.fixture.ts';
import { type CuttablePath, emptyDatabase, impatientClient, openPath, signUp } from './postgres.fixture.ts';

let database: TestDatabase;
let path: CuttablePath;
let service: Service;
let agent: AgentMemory;

beforeAll(async () => {
  database = await emptyDatabase();
  path = await openPath(database.url);
  service = startService({ SVC_DATABASE_URL: path.url, SVC_RATE_LIMIT: '0', SVC_LOG_LEVEL: 'silent' });
  await service.ready();
  agent = impatientClient(service.url(), await signUp(database.url));
});
afterAll(async () => {
  await endServices();
  await path.cut();
  await database.drop();
});

it('while the database is away calls are UNAVAILABLE and /ready is 503, then all works again', async () => {
  await agent.remember({ type: 'semantic', content: 'Before the outage.' });
  await path.cut();
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    await expect(agent.recall({ query: 'outage' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(agent.remember({ type: 'working', content: 'lost' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(await statusOf('/ready')).toBe(503);
    // A health check must not hang on a dead database.
    expect(performance.now() - started).toBeLessThan(15_000);
  }
  expect(await statusOf('/health')).toBe(200);
  await path.mend();
  await untilReady();
  await agent.remember({ type: 'semantic', content: 'After the outage.' });
  const { memories } = await agent.query({});
  expect(memories.map(({ content }) => content)).toEqual(['After the outage.', 'Before the outage.']);
});

it('an outage amid writes loses none that was acknowledged and leaves none half-written', async () => {
  const acknowledged: string[] = [];
  let writing = true;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let place = 0; writing; place += 1) {
      const content = `writer ${writer} wrote number ${place}`;
      const stored = await agent.remember({ type: 'episodic', content }).then(
        () => true,
        () => false,
      );
      if (stored) acknowledged.push(content);
      else await setTimeout(20);
    }
  });
  for (let outage = 0; outage < 3; outage += 1) {
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20);
    await path.cut();
    await path.mend();
  }
  const before = acknowledged.length;
  await until(() => acknowledged.length > before + 20);
  writing = false;
  await Promise.all(writers);
  const stored = (await agent.export()).export.memories.episodic.map(({ content }) => content);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect(await halfWritten()).toEqual({ memories_without_terms: 0, terms_without_memory: 0 });
});

it('connections that the database server ends are replaced', async () => {
  const ended = await queryPostgres(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  expect(ended.length).toBeGreaterThan(0);
  await untilReady();
  await agent.remember({ type: 'semantic', content: 'After the connections ended.' });
});

it('a connection that is lost without a word ends its call, and the next call takes another', async () => {
  const lossy = await openPath(database.url);
  onTestFinished(() => lossy.cut());
  const engine = createEngine({
    database: await openPostgres({ url: lossy.url, poolSize: 1, answerWithinMs: 3_000 }),
  });
  onTestFinished(() => engine.close());
  const { id } = await engine.tenants.create({ displayName: 'Lossy', plan: 'local' });
  const own = engine.agent(id);
  for (const ask of [() => own.query({}), () => engine.database.ping()]) {
    await engine.database.ping();
    lossy.swallow();
    await expect(ask()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('ETIMEDOUT'),
    });
  }
  await own.remember({ type: 'semantic', content: 'Kept.' });
  expect((await own.query({})).memories.map(({ content }) => content)).toEqual(['Kept.']);
});

async function statusOf(route: string): Promise<number> {
  return (await fetch(`${service.url()}${route}`)).status;
}

async function untilReady(): Promise<void> {
  await until(async () => (await statusOf('/ready')) === 200);
}

/** Waits for what another process does; fails after half a minute. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('waited 30 s in vain');
    await setTimeout(20);
  }
}

async function halfWritten(): Promise<unknown> {
  const [counts] = await queryPostgres(
    database.url,
    `SELECT (SELECT count(*)::int FROM memories m WHERE content LIKE 'writer%' AND NOT EXISTS
              (SELECT FROM memory_terms t WHERE t.tenant_id = m.tenant_id AND t.memory_id = m.id)) AS memories_without_terms,
            (SELECT count(*)::int FROM memory_terms t WHERE NOT EXISTS
              (SELECT FROM memories m WHERE m.tenant_id = t.tenant_id AND m.id = t.memory_id)) AS terms_without_memory`,
  );
  return counts;
}
