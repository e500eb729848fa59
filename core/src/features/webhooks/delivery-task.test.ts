import type { ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { rows } from '../../kernel/database/database.ts';
import { isEmbedded, startTestEngine, type TestEngine } from '../../testing/index.ts';
import {
  answerWith,
  hang,
  type Received,
  type Receiver,
  startReceiver,
  succeed,
  verifyAt,
} from './receiver.fixture.ts';
import { RETRY_DELAYS_MS } from './retry-delays.ts';
import { createSecretBox } from './secret-box.ts';

const HOUR = 3_600_000;
const human = { source: 'human', credentialId: null } as const;
let kit: TestEngine;
let receiver: Receiver;
let agent: AgentMemory;
let owner: AgentMemory;
let tenantId: string;

/** A second process on the same database. */
let other: TestEngine;
/** One that waits no longer than 0.5 s. */
let hasty: TestEngine;

const webhooks = (timeoutMs: number) => ({
  secrets: createSecretBox('secret of the test'),
  allowPrivate: true,
  timeoutMs,
  random: () => 0.5,
});
/** A busy machine takes seconds for what takes milliseconds elsewhere. */
const PATIENCE = { timeout: 20_000 };
const shared = () => ({ ...kit.engine.database, close: async () => {} });

beforeAll(async () => {
  kit = await startTestEngine({ webhooks: webhooks(5_000) });
  hasty = await startTestEngine({ database: shared(), clock: kit.clock, webhooks: webhooks(500) });
  other = await startTestEngine({ database: shared(), clock: kit.clock, webhooks: webhooks(5_000) });
});
afterAll(() => kit.close());
beforeEach(async () => {
  receiver = await startReceiver();
  const tenant = await kit.tenant();
  tenantId = tenant.tenantId;
  agent = tenant.agent();
  owner = tenant.agent(human);
  return async () => {
    for (const { id } of (await owner.eventEndpoints()).endpoints) await owner.deleteEventEndpoint({ id });
    await receiver.close();
  };
});

const note = () => agent.remember({ type: 'episodic', content: 'canary-content tea is in the blue tin' });
const deliver = () => kit.engine.background.run('events.deliver');
const register = (events: string[] = ['memory.stored'], url = receiver.url) =>
  owner.createEventEndpoint({ url, events });
const log = async (id: string, status?: 'pending' | 'delivered' | 'dead') =>
  (await owner.eventDeliveries({ id, ...(status ? { status } : {}) })).deliveries;

const verify = (secret: string, received: Received) => verifyAt(kit.clock(), secret, received);

describe('an event', () => {
  it('reaches the endpoint, verified by the standardwebhooks library, with ids and no content', async () => {
    const { secret, endpoint } = await register();
    const { memory } = await note();
    expect(await deliver()).toBe(1);
    const [received] = receiver.received;
    expect(received && verify(secret, received)).toEqual({
      id: received?.headers['webhook-id'],
      type: 'memory.stored',
      timestamp: kit.clock().toISOString(),
      tenant_id: tenantId,
      data: expect.objectContaining({ memory_id: memory.id }),
    });
    expect(received?.body).not.toContain('canary-content');
    expect(await log(endpoint.id)).toMatchObject([
      {
        event_id: received?.headers['webhook-id'],
        type: 'memory.stored',
        status: 'delivered',
        next_attempt_at: null,
        attempts: [{ attempt: 1, status_code: 204, error: null, at: kit.clock().toISOString() }],
      },
    ]);
    expect(await deliver()).toBe(0);
  });

  it.each([
    ['minutes', 10 * 60_000],
    ['a year', 365 * 24 * HOUR],
  ])(
    'of a clock that ran ahead by %s reaches the endpoint when the clock is right again',
    async (_, ahead) => {
      await register();
      const right = kit.clock();
      kit.clock.advance(ahead);
      await note();
      kit.clock.set(right);
      expect(await deliver()).toBe(1);
      // Nor is it tried before its time after a failure.
      receiver.behave(answerWith(503));
      await note();
      expect([await deliver(), await deliver()]).toEqual([1, 0]);
    },
  );

  it('changed by one character does not verify', async () => {
    const { secret } = await register();
    await note();
    await deliver();
    const [received] = receiver.received;
    if (!received) throw new Error('nothing came');
    expect(() => verify(secret, { ...received, body: received.body.replace('{', '{ ') })).toThrow();
  });

  it('goes to the endpoints that asked for its kind, and to no other', async () => {
    await register(['memory.*'], `${receiver.url}/group`);
    await register(['*'], `${receiver.url}/all`);
    await register(['billing.threshold', 'guardian.*'], `${receiver.url}/other`);
    const stranger = (await kit.tenant()).agent(human);
    const foreign = await stranger.createEventEndpoint({ url: `${receiver.url}/stranger`, events: ['*'] });
    await note();
    await deliver();
    expect(receiver.received.map(({ url }) => url).sort()).toEqual(['/hook/all', '/hook/group']);
    await stranger.deleteEventEndpoint({ id: foreign.endpoint.id });
  });

  it('of a change that failed is not sent', async () => {
    await register(['*']);
    await expect(agent.remember({ type: 'core', content: 'x' })).rejects.toThrow();
    await expect(
      agent.rememberBatch({
        memories: [
          { type: 'working', content: 'a' },
          { type: 'core', content: 'b' },
        ],
      }),
    ).rejects.toThrow();
    expect(await deliver()).toBe(0);
  });
});

describe('a receiver that fails', () => {
  it('is tried again by the schedule, with one id and fresh timestamps, until the event is a dead letter', async () => {
    const { secret, endpoint } = await register();
    await note();
    receiver.behave(answerWith(500, {}, 'out of order'));
    const started = kit.clock().getTime();
    const times: number[] = [];
    for (const [index, delay] of [...RETRY_DELAYS_MS, 0].entries()) {
      expect(await deliver()).toBe(1);
      const received = receiver.received[index];
      if (!received) throw new Error('nothing came');
      verify(secret, received);
      times.push(Number(received.headers['webhook-timestamp']) - Math.floor(started / 1_000));
      kit.clock.advance(delay - 1);
      expect(await deliver()).toBe(0);
      kit.clock.advance(1);
    }
    expect(times).toEqual([0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    kit.clock.advance(100 * 24 * HOUR);
    expect(await deliver()).toBe(0);
    const [dead] = await log(endpoint.id, 'dead');
    expect(dead?.attempts).toHaveLength(10);
    expect(dead?.attempts[9]).toMatchObject({
      attempt: 10,
      status_code: 500,
      error: 'the target answered 500',
      response_excerpt: 'out of order',
    });
  });

  it('gets a dead letter again when it is replayed, with the same id', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave(answerWith(410));
    await deliver();
    const [dead] = await log(endpoint.id, 'dead');
    await expect(
      owner.replayEventDelivery({ id: endpoint.id, delivery_id: dead?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    await owner.updateEventEndpoint({ id: endpoint.id, enabled: true });
    receiver.behave(succeed);
    const { outcome } = await owner.replayEventDelivery({ id: endpoint.id, delivery_id: dead?.id ?? '' });
    expect(outcome).toBe('queued');
    await deliver();
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
    const [delivered] = await log(endpoint.id, 'delivered');
    expect(delivered?.attempts.map(({ status_code }) => status_code)).toEqual([410, 204]);
  });

  it('that answers 410 gets no more; what waits is sent when the human enables it again', async () => {
    const { endpoint } = await register();
    await note();
    await deliver();
    receiver.behave(answerWith(410));
    await note();
    await deliver();
    await note();
    expect(await deliver()).toBe(0);
    expect((await owner.eventEndpoints()).endpoints[0]).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    });
    await owner.updateEventEndpoint({ id: endpoint.id, enabled: true });
    receiver.behave(succeed);
    await note();
    expect(await deliver()).toBe(1);
  });

  it('that says Retry-After is left alone as long', async () => {
    await register();
    await note();
    receiver.behave(answerWith(503, { 'retry-after': '600' }));
    await deliver();
    kit.clock.advance(599_000);
    expect(await deliver()).toBe(0);
    kit.clock.advance(1_000);
    expect(await deliver()).toBe(1);
  });

  it('that says Retry-After is not asked to take the rest of its backlog meanwhile', async () => {
    await register();
    await agent.rememberBatch({
      memories: Array.from({ length: 40 }, (_, n) => ({ type: 'working' as const, content: `note ${n}` })),
    });
    receiver.behave(answerWith(429, { 'retry-after': '60' }));
    await deliver();
    // As many as are sent at once to an endpoint of which nothing is known yet.
    expect(receiver.received).toHaveLength(4);
    kit.clock.advance(59_000);
    expect(await deliver()).toBe(0);
    kit.clock.advance(1_000);
    expect(await deliver()).toBe(1);
    receiver.behave(succeed);
    kit.clock.advance(60_000);
    await deliver();
    const delivered = receiver.received.slice(5).map(({ headers }) => headers['webhook-id']);
    expect(new Set(delivered).size).toBe(40);
  });

  it('that says Retry-After: 86400 hears of other events, and of a test, after five minutes', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave(answerWith(503, { 'retry-after': '86400' }));
    await deliver();
    receiver.behave(succeed);
    await owner.testEventEndpoint({ id: endpoint.id });
    expect(await deliver()).toBe(0);
    kit.clock.advance(5 * 60_000);
    expect(await deliver()).toBe(1);
  });

  it('ends its pause when the human gives another address', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave(answerWith(503, { 'retry-after': '600' }));
    await deliver();
    receiver.behave(succeed);
    await owner.updateEventEndpoint({ id: endpoint.id, url: `${receiver.url}/new` });
    await note();
    expect(await deliver()).toBe(1);
  });

  it('leaves a backlog that waits unread until it is due', async () => {
    if (!isEmbedded()) return;
    const { endpoint } = await register();
    await note();
    await kit.engine.database.system(async (tx) => {
      await tx.execute(sql`INSERT INTO events (tenant_id, id, type, data, created_at)
        SELECT tenant_id, gen_random_uuid(), type, data, created_at FROM events, generate_series(1, 3000)
        WHERE tenant_id = ${tenantId} AND type = 'memory.stored'`);
      await tx.execute(sql`INSERT INTO event_deliveries
          (tenant_id, id, endpoint_id, event_id, type, status, attempts, due_at, created_at)
        SELECT tenant_id, gen_random_uuid(), ${endpoint.id}::uuid, id, type, 'pending', 3,
          created_at + interval '2 hours', created_at FROM events WHERE tenant_id = ${tenantId}
        ON CONFLICT DO NOTHING`);
    });
    // As the maintenance of the embedded database does.
    await kit.engine.database.accounts.execute(sql`ANALYZE event_deliveries`);
    const rowsRead = async () => {
      const [read] = await kit.engine.database.system(async (tx) => {
        await tx.execute(sql`SELECT pg_stat_force_next_flush()`);
        return rows<{ count: number }>(
          tx,
          sql`SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_user_tables
              WHERE relname = 'event_deliveries'`,
        );
      });
      return read?.count ?? 0;
    };
    expect(await deliver()).toBe(1);
    await rowsRead();
    const before = await rowsRead();
    expect(await deliver()).toBe(0);
    await rowsRead();
    expect((await rowsRead()) - before).toBeLessThan(500);
  });

  it('that refuses connections, then comes back, hears of everything', async () => {
    const gone = await startReceiver();
    const { endpoint } = await register(['memory.stored'], gone.url);
    await gone.close();
    await note();
    await deliver();
    expect((await log(endpoint.id))[0]?.attempts[0]).toMatchObject({
      status_code: null,
      error: 'the connection was refused',
    });
    expect((await owner.eventEndpoints()).endpoints[0]?.failing_since).toBe(kit.clock().toISOString());
    await owner.updateEventEndpoint({ id: endpoint.id, url: receiver.url });
    kit.clock.advance(6_000);
    await deliver();
    expect((await log(endpoint.id, 'delivered'))[0]?.attempts).toHaveLength(2);
    expect((await owner.eventEndpoints()).endpoints[0]?.failing_since).toBeNull();
  });

  it('that closes the connection without an answer has failed', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave((response) => response.destroy());
    await deliver();
    expect((await log(endpoint.id))[0]).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null }],
    });
  });

  it('is said to fail since its first failure, until it succeeds', async () => {
    await register();
    await note();
    receiver.behave(answerWith(300));
    const failingSince = async () => (await owner.eventEndpoints()).endpoints[0]?.failing_since;
    const first = kit.clock().toISOString();
    for (const wait of [6_000, 600_000]) {
      await deliver();
      expect(await failingSince()).toBe(first);
      kit.clock.advance(wait);
    }
    receiver.behave(succeed);
    await deliver();
    expect(await failingSince()).toBeNull();
  });
});

describe('threat 6: a webhook target', () => {
  it('that redirects is not followed', async () => {
    const canary = await startReceiver();
    const { endpoint } = await register();
    await note();
    receiver.behave(answerWith(307, { location: canary.url }));
    await deliver();
    expect(canary.connections()).toBe(0);
    expect((await log(endpoint.id))[0]?.attempts[0]).toMatchObject({
      status_code: 307,
      error: 'the target redirects, which is not followed',
    });
    await canary.close();
  });

  it('in a private place is refused at registration and at a change', async () => {
    const strict = await startTestEngine({
      webhooks: {
        secrets: createSecretBox('s'),
        resolve: async (host) => [
          { address: host === 'good.example' ? '93.184.215.14' : '10.0.0.7', family: 4 },
        ],
      },
    });
    const { tenantId: id } = await strict.tenant();
    const strictOwner = strict.engine.agent(id, human);
    for (const url of [
      'http://good.example/',
      'https://127.0.0.1/',
      'https://inner.example/',
      'https://[::1]/',
    ]) {
      await expect(strictOwner.createEventEndpoint({ url })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'url' }],
      });
    }
    const { endpoint } = await strictOwner.createEventEndpoint({ url: 'https://good.example/' });
    await expect(
      strictOwner.updateEventEndpoint({ id: endpoint.id, url: 'https://inner.example/' }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await strict.close();
  });

  it('that answers without end is cut off at 4 KiB, and 256 characters are kept', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave((response) => {
      response.writeHead(500);
      const write = () => {
        if (!response.destroyed) response.write('x\u0000\u001b[31m'.repeat(2_000), write);
      };
      write();
    });
    await deliver();
    const [first] = (await log(endpoint.id))[0]?.attempts ?? [];
    expect(first?.status_code).toBe(500);
    expect(first?.response_excerpt?.length).toBeLessThanOrEqual(256);
    expect(first?.response_excerpt).not.toMatch(/\p{Cc}/u);
  });
});

describe('threat 11: a slow webhook target', () => {
  it('that hangs fails after the timeout', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave(hang);
    await hasty.engine.background.run('events.deliver');
    expect((await log(endpoint.id))[0]?.attempts[0]).toMatchObject({
      status_code: null,
      error: 'no complete answer within 0.5 s',
    });
  });

  it('that drips its header fails after the timeout, one that drips its body is judged by its status', async () => {
    const { endpoint } = await register();
    await note();
    let drip: NodeJS.Timeout | undefined;
    receiver.behave((response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      drip = setInterval(() => response.socket?.write('x-drip: 1\r\n'), 20);
    });
    await hasty.engine.background.run('events.deliver');
    clearInterval(drip);
    expect((await log(endpoint.id))[0]?.attempts[0]).toMatchObject({ status_code: null });
    receiver.behave((response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write('.'), 20);
    });
    kit.clock.advance(6_000);
    await hasty.engine.background.run('events.deliver');
    clearInterval(drip);
    expect((await log(endpoint.id))[0]?.attempts[1]).toMatchObject({ status_code: 200, error: null });
  });

  it('does not delay the others, and has at most four connections', async () => {
    const slow = await startReceiver();
    slow.behave(hang);
    await register(['memory.stored'], slow.url);
    await register();
    for (let round = 0; round < 8; round += 1) await note();
    const runs: Promise<number>[] = [];
    // Later runs, as the ticks of the clock start them, do not wait for the first.
    await vi.waitFor(() => {
      runs.push(deliver());
      expect(receiver.received).toHaveLength(8);
    }, PATIENCE);
    expect(slow.connections()).toBeLessThanOrEqual(4);
    await slow.close();
    await Promise.all(runs);
  });

  it('with a long backlog leaves room for others', async () => {
    const slow = await startReceiver();
    slow.behave(hang);
    const { endpoint } = await register(['memory.stored'], slow.url);
    await agent.rememberBatch({
      memories: Array.from({ length: 300 }, (_, n) => ({ type: 'working' as const, content: `note ${n}` })),
    });
    const other = await kit.tenant();
    await other.agent(human).createEventEndpoint({ url: receiver.url, events: ['*'] });
    await other.agent().remember({ type: 'working', content: 'x' });
    const run = deliver();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), PATIENCE);
    expect(slow.connections()).toBeLessThanOrEqual(4);
    await owner.deleteEventEndpoint({ id: endpoint.id });
    await slow.close();
    await run;
  });
});

describe('slow targets of some tenants', () => {
  it('leave the others their places', async () => {
    const slow = await startReceiver();
    const waiting: ServerResponse[] = [];
    slow.behave((response) => waiting.push(response));
    const memories = Array.from({ length: 5 }, (_, n) => ({
      type: 'working' as const,
      content: `note ${n}`,
    }));
    const addSlow = async (name: string, endpoints: number) => {
      const tenant = await kit.tenant();
      for (let n = 0; n < endpoints; n += 1)
        await tenant
          .agent(human)
          .createEventEndpoint({ url: `${slow.url}/${name}`, events: ['memory.stored'] });
      await tenant.agent().rememberBatch({ memories });
    };
    await addSlow('first', 20);
    const runs = [deliver()];
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(32), PATIENCE);
    for (let n = 0; n < 7; n += 1) await addSlow('other', 8);
    runs.push(deliver());
    await vi.waitFor(() => expect(waiting).toHaveLength(256), PATIENCE);
    // However many endpoints it has.
    expect(slow.received.filter(({ url }) => url.endsWith('/first'))).toHaveLength(32);
    await register();
    await note();
    // The place that comes free is that of the tenant that has none.
    waiting.pop()?.writeHead(204).end();
    await vi.waitFor(() => {
      runs.push(deliver());
      expect(receiver.received).toHaveLength(1);
    }, PATIENCE);
    for (const response of waiting) response.writeHead(410).end();
    slow.behave(answerWith(410));
    await Promise.all(runs);
    await slow.close();
  });
});

describe('background work that rests', () => {
  it('sends at the next look what has happened, and what is due again', async () => {
    const own = await startTestEngine({ webhooks: webhooks(5_000) });
    const { background, database } = own.engine;
    const lookAfter = async (milliseconds: number) => {
      own.clock.advance(milliseconds);
      return (await background.runDue())['events.deliver'];
    };
    const owned = await own.tenant();
    const { url } = receiver;
    await owned.agent(human).createEventEndpoint({ url, events: ['memory.stored'] });
    await lookAfter(1_000);
    // Where other processes write, it looks each time.
    const nothing = database.writes ? undefined : 0;
    expect(await lookAfter(1_000)).toBe(nothing);
    await owned.agent().remember({ type: 'working', content: 'x' });
    receiver.behave(answerWith(500));
    expect(await lookAfter(1_000)).toBe(1);
    expect(await lookAfter(1_000)).toBe(0);
    // The first wait is 5 s, 1 s of which has passed.
    receiver.behave(succeed);
    expect(await lookAfter(3_999)).toBe(nothing);
    expect(await lookAfter(1_000)).toBe(1);
    await own.close();
  });
});

describe('several processes', () => {
  it('share the work: each event is sent by one of them', async () => {
    await register();
    await agent.rememberBatch({
      memories: Array.from({ length: 60 }, (_, n) => ({ type: 'working' as const, content: `note ${n}` })),
    });
    const runs = [deliver(), other.engine.background.run('events.deliver'), deliver()];
    const attempts = (await Promise.all(runs)).reduce((sum, made) => sum + made, 0);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([attempts, ids.length, new Set(ids).size]).toEqual([60, 60, 60]);
  });
});

describe('a process that dies', () => {
  it('holding a delivery loses it to the next when the lease ends, and cannot write its outcome any more', async () => {
    const { endpoint } = await register();
    await note();
    receiver.behave(hang);
    const stuck = deliver();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    // The attempt is still in progress, as it would be for others after a crash.
    expect(await other.engine.background.run('events.deliver')).toBe(0);
    receiver.behave(succeed);
    kit.clock.advance(60_000);
    expect(await other.engine.background.run('events.deliver')).toBe(1);
    await stuck;
    expect(await log(endpoint.id)).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 204 }] }]);
    expect((await owner.eventEndpoints()).endpoints[0]?.failing_since).toBeNull();
  });

  it('gives back untried what it held when it was only told to stop', async () => {
    const stopping = await startTestEngine({
      database: shared(),
      clock: kit.clock,
      webhooks: webhooks(5_000),
    });
    await register();
    await note();
    receiver.behave(hang);
    const run = stopping.engine.background.run('events.deliver');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    await stopping.engine.background.stop(0);
    await run;
    receiver.behave(succeed);
    expect(await deliver()).toBe(1);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
  });
});
