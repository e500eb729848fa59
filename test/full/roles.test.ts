import { createEngine, createSecretBox, type Engine, openPostgres } from '@svc-memory/core';
import { createTestDatabase, type TestDatabase } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../../core/src/features/webhooks/receiver.fixture.ts';
import { endServices, type Service, startService } from '../../server/src/cli/cli.fixture.ts';
import { prepareRedisServer, type RedisServer } from '../../server/src/redis/redis-server.fixture.ts';
import { emptyDatabase, impatientClient } from './postgres.fixture.ts';

const SECRET = 'all-processes-of-the-test-share-this';
const OPERATOR = 'the-operator-of-the-test';
const PATIENCE = { timeout: 30_000, interval: 50 };

let database: TestDatabase;
let redis: RedisServer;
let receiver: Receiver;
let engine: Engine;
let apis: Service[];
let worker: Service;
let apiKey = '';

const env = (more: Record<string, string> = {}) => ({
  SVC_DATABASE_URL: database.url,
  SVC_REDIS_URL: redis.url,
  SVC_SECRET: SECRET,
  SVC_OPERATOR_TOKEN: OPERATOR,
  SVC_ALLOW_PRIVATE_WEBHOOKS: 'true',
  SVC_LOG_LEVEL: 'warn',
  ...more,
});
const url = (place: number) => apis[place]?.url() ?? '';
const agent = (place: number) => impatientClient(url(place), apiKey);

// One story: each test goes on from where the one before it ended.
beforeAll(async () => {
  [database, redis, receiver] = await Promise.all([emptyDatabase(), prepareRedisServer(), startReceiver()]);
  await redis.start();
  apis = [startService(env(), ['--role', 'api']), startService(env(), ['--role', 'api'])];
  await Promise.all(apis.map((one) => one.ready()));
  engine = createEngine({
    database: await openPostgres({ url: database.url, poolSize: 2 }),
    webhooks: { secrets: createSecretBox(SECRET), allowPrivate: true },
  });
  const { id } = await engine.tenants.create({ displayName: 'Roles', plan: 'local' });
  apiKey = (await engine.apiKeys.create(id, { name: 'roles', scope: 'full' })).secret;
  const human = engine.agent(id, { source: 'human', credentialId: null });
  await human.createEventEndpoint({ url: receiver.url, events: ['memory.stored'] });
});
afterAll(async () => {
  await endServices();
  await engine.close();
  await Promise.all([redis.kill(), receiver.close(), database.drop()]);
});

it('a live stream of one process tells what another wrote', async () => {
  const leave = new AbortController();
  const stream = await fetch(`${url(1)}/api/v1/events/stream`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: leave.signal,
  });
  let seen = '';
  const reading = stream.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (text) => {
        seen += text;
      },
    }),
  );
  const stored = await Promise.all(
    Array.from({ length: 20 }, (_, n) => agent(0).remember({ type: 'working', content: `note ${n}` })),
  );
  await vi.waitFor(() => expect(seen.match(/^data: /gm)).toHaveLength(20), PATIENCE);
  for (const { memory } of stored) expect(seen.split(memory.id)).toHaveLength(2);
  leave.abort();
  await expect(reading).rejects.toThrow();
});

it('processes that answer calls leave the background work to workers', async () => {
  expect(receiver.received).toHaveLength(0);
  worker = startService(env(), ['--role', 'worker']);
  await worker.ready();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(20), PATIENCE);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(20);
});

it('a worker answers the probes and the metrics, and nothing else', async () => {
  const statusOf = async (path: string) =>
    (await fetch(`${worker.url()}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } })).status;
  for (const path of ['/health', '/ready', '/metrics'])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  for (const path of ['/', '/api/v1/health', '/api/v1/memories', '/mcp', '/operator/queues', '/auth/local']) {
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  }
});

it('the operator sees what the worker did, and nothing of what a memory says', async () => {
  await agent(0).remember({ type: 'working', content: 'canary-content' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(21), PATIENCE);
  const headers = { Authorization: `Bearer ${OPERATOR}` };
  await vi.waitFor(async () => {
    const page = await fetch(`${url(1)}/operator/queues/api/queues?activeQueue=background&status=completed`, {
      headers,
    });
    const text = await page.text();
    expect(text).toContain('"name":"events.deliver"');
    expect(text).not.toContain('canary-content');
    const { queues } = JSON.parse(text) as { queues: { jobs: { returnValue: number }[] }[] };
    const done = queues[0]?.jobs.map(({ returnValue }) => returnValue) ?? [];
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(21);
  }, PATIENCE);
});

it('one rate limit holds for all processes together', async () => {
  const limited = [
    startService(env({ SVC_RATE_LIMIT: '60' }), ['--role', 'api']),
    startService(env({ SVC_RATE_LIMIT: '60' }), ['--role', 'api']),
  ];
  await Promise.all(limited.map((one) => one.ready()));
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const { status } = await fetch(`${limited[n % 2]?.url()}/api/v1/status`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      return status;
    }),
  );
  // A burst of a sixth of the limit, and one more for each second that passed.
  const allowed = answers.filter((status) => status === 200).length;
  expect(allowed).toBeGreaterThanOrEqual(10);
  expect(allowed).toBeLessThanOrEqual(11 + Math.ceil((performance.now() - began) / 1_000));
  expect(new Set(answers)).toEqual(new Set([200, 429]));
});

it('without Redis a worker does the work by itself', async () => {
  const alone = await createTestDatabase(database.url);
  const own = { ...env(), SVC_DATABASE_URL: alone.url, SVC_REDIS_URL: '' };
  const sweeping = startService(own, ['--role', 'worker']);
  await sweeping.ready();
  const before = receiver.received.length;
  const writer = createEngine({
    database: await openPostgres({ url: alone.url, poolSize: 1 }),
    webhooks: { secrets: createSecretBox(SECRET), allowPrivate: true },
  });
  const { id } = await writer.tenants.create({ displayName: 'Alone', plan: 'local' });
  const human = writer.agent(id, { source: 'human', credentialId: null });
  await human.createEventEndpoint({ url: receiver.url, events: ['memory.stored'] });
  await writer.agent(id).remember({ type: 'working', content: 'swept' });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(before + 1), PATIENCE);
  await writer.close();
  sweeping.process.kill('SIGTERM');
  expect(await sweeping.ended).toBe(0);
  await alone.drop();
});
