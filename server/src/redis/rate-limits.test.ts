import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BucketLimiter } from '../limits/bucket.ts';
import { connectRedis, createRedisLimiters } from './rate-limits.ts';
import { hasRedisServer, prepareRedisServer, type RedisServer } from './redis-server.fixture.ts';

const open: ReturnType<typeof connectRedis>[] = [];
let server: RedisServer;
const logged: string[] = [];
const keep = (_facts: object, message?: string) => {
  if (message) logged.push(message);
};

/** A limiter as a process of its own would have it. */
function limiter(perMinute: number, burst: number, name = 'calls'): BucketLimiter {
  const redis = connectRedis(server.url);
  open.push(redis);
  return createRedisLimiters({ redis, logger: { warn: keep, info: keep } })(name, { perMinute, burst });
}

/** The same, once its connection is there. */
async function connected(perMinute: number, burst: number, name?: string): Promise<BucketLimiter> {
  const one = limiter(perMinute, burst, name);
  await vi.waitFor(() => expect(open.at(-1)?.status).toBe('ready'), 5_000);
  return one;
}

const count = (decisions: readonly { allowed: boolean }[]) =>
  decisions.filter(({ allowed }) => allowed).length;

beforeAll(async () => {
  server = await prepareRedisServer();
});
afterAll(async () => {
  for (const redis of open) redis.disconnect();
  await server.kill();
});

describe('without Redis', () => {
  it('calls are counted by the process itself, with one warning', async () => {
    logged.length = 0;
    const alone = limiter(60, 3);
    const decisions = [];
    for (let call = 0; call < 10; call += 1) decisions.push(await alone.take('a'));
    expect(count(decisions)).toBe(3);
    expect(logged).toEqual(['Redis is away: rate limits are counted per process until it is back']);
  });

  it('a limiter that is off asks nobody', async () => {
    expect(await limiter(0, 1).take('a')).toMatchObject({ allowed: true });
  });
});

describe.skipIf(!hasRedisServer)('with Redis', () => {
  beforeAll(() => server.start());

  it('several processes together let exactly the burst pass, however many call at once', async () => {
    const processes = [await connected(1, 50), await connected(1, 50), await connected(1, 50)];
    const decisions = await Promise.all(
      Array.from({ length: 300 }, (_, call) => processes[call % 3]?.take('a') ?? { allowed: false }),
    );
    expect(count(decisions)).toBe(50);
  });

  it('says what is left and how long to wait, like the limiter of one process', async () => {
    const one = await connected(1, 2);
    expect(await one.take('b')).toEqual({ allowed: true, remaining: 1, retryAfter: 0, reset: 60 });
    expect(await one.take('b')).toMatchObject({ allowed: true, remaining: 0 });
    const refused = await one.take('b');
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.retryAfter).toBeGreaterThan(50);
    expect(refused.retryAfter).toBeLessThanOrEqual(60);
  });

  it('keeps callers and limits apart', async () => {
    const calls = await connected(1, 1, 'calls');
    const signIns = await connected(1, 1, 'sign-ins');
    expect(await Promise.all([calls.take('c'), calls.take('d'), signIns.take('c')])).toMatchObject(
      Array(3).fill({ allowed: true }),
    );
    expect((await calls.take('c')).allowed).toBe(false);
  });

  it('fills again with time', async () => {
    const fast = await connected(60_000, 1);
    await fast.take('e');
    await vi.waitFor(async () => expect((await fast.take('e')).allowed).toBe(true));
  });

  it('go on where the clock of Redis was set back', async () => {
    const one = await connected(1, 5);
    await open.at(-1)?.set('svc:limit:calls:i', Date.now() + 3_600_000);
    expect(await one.take('i')).toMatchObject({ allowed: true, remaining: 4 });
  });

  it('are shared also while a process is too busy to read the answer in time', async () => {
    logged.length = 0;
    const [one, other] = [await connected(1, 5), await connected(1, 5)];
    const taking = one.take('g');
    // By now it is sent.
    await new Promise(setImmediate);
    const until = performance.now() + 1_500;
    while (performance.now() < until);
    expect(await taking).toMatchObject({ allowed: true, remaining: 4 });
    expect(await other.take('g')).toMatchObject({ remaining: 3 });
    expect(logged).toEqual([]);
  });

  it('wait a second for a Redis that hangs, and the next calls not at all', async () => {
    logged.length = 0;
    const one = await connected(1, 3);
    server.stand();
    const decisions = [await one.take('h')];
    expect(logged).toEqual(['Redis is away: rate limits are counted per process until it is back']);
    const began = performance.now();
    for (let call = 0; call < 9; call += 1) decisions.push(await one.take('h'));
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(count(decisions)).toBe(3);
    server.go();
    await vi.waitFor(async () => {
      await one.take('h');
      expect(logged).toContain('Redis is back: rate limits are shared again');
    }, 8_000);
  });

  it('goes on through an outage', async () => {
    const one = await connected(1, 5);
    await server.kill();
    const decisions = [];
    for (let call = 0; call < 10; call += 1) decisions.push(await one.take('f'));
    expect(count(decisions)).toBe(5);
    await server.start();
    await vi.waitFor(async () => {
      await one.take('f');
      expect(logged).toContain('Redis is back: rate limits are shared again');
    }, 8_000);
  });
});
