import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { connectRedis, createRedisLimiters } from './rate-limits.ts';
import { hasRedisServer, prepareRedisServer, type RedisServer } from './redis-server.fixture.ts';
import { openQueue, scheduleWithRedis } from './work-queue.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await prepareRedisServer();
});
afterAll(() => server.kill());

/** A process's background work that only counts. */
function counting() {
  const counts = { run: 0, sweeping: false };
  const background = {
    tasks: [{ name: 'test.job', everyMs: 100 }],
    run: async () => {
      counts.run += 1;
      return 1;
    },
    runDue: async () => ({}),
    start: () => {
      counts.sweeping = true;
    },
    stop: async () => {},
  };
  return { counts, background };
}

const logger = { error: () => {}, warn: () => {} };

describe('background work scheduled by Redis', () => {
  it('is swept by the process itself while Redis is away', async () => {
    const { counts, background } = counting();
    const schedule = scheduleWithRedis({ queue: openQueue(server.url), background, logger });
    expect(counts.sweeping).toBe(true);
    await schedule.close();
  });

  it.skipIf(!hasRedisServer)(
    'runs in turns over the processes, and goes on after Redis was flushed or lost',
    async () => {
      await server.start();
      const processes = [counting(), counting()];
      const schedules = processes.map(({ background }) =>
        scheduleWithRedis({ queue: openQueue(server.url), background, logger, sweepMs: 200 }),
      );
      const runs = () => processes.map(({ counts }) => counts.run).reduce((a, b) => a + b);
      const more = async () => {
        const before = runs();
        await vi.waitFor(() => expect(runs()).toBeGreaterThan(before + 3), 15_000);
      };
      await more();
      await server.kill();
      await server.start();
      await more();
      await Promise.all(schedules.map((one) => one.close()));
      await server.kill();
    },
  );

  it.skipIf(!hasRedisServer)('shows what was done and what failed, in numbers and names only', async () => {
    await server.start();
    let found = 0;
    const background = {
      ...counting().background,
      tasks: [
        { name: 'test.job', everyMs: 50 },
        { name: 'test.broken', everyMs: 50 },
      ],
      run: async (name: string) => {
        if (name === 'test.broken') throw new TypeError('canary: what a memory says');
        found += 1;
        return found === 3 ? 7 : 0;
      },
    };
    const queue = openQueue(server.url);
    const schedule = scheduleWithRedis({ queue, background, logger, sweepMs: 200 });
    await vi.waitFor(async () => {
      expect(found).toBeGreaterThan(6);
      expect((await queue.getCompleted()).map(({ name, returnvalue }) => [name, returnvalue])).toEqual([
        ['test.job', 7],
      ]);
      const [failed] = await queue.getFailed();
      expect(failed?.failedReason).toContain('TypeError');
      expect(JSON.stringify(failed)).not.toContain('canary');
    }, 15_000);
    await schedule.close();
    await server.kill();
  });

  it.skipIf(!hasRedisServer)(
    'forgets the schedule of jobs that another release had, and has none of what deletes by age',
    async () => {
      await server.start();
      const { background: counted } = counting();
      const deleting = { name: 'test.deleting', everyMs: 100, deletesByAge: true as const };
      const background = { ...counted, tasks: [...counted.tasks, deleting] };
      const before = openQueue(server.url);
      await before.add('test.gone', {}, { repeat: { every: 60_000 } });
      await before.add('test.job', {}, { repeat: { every: 60_000 } });
      await before.close();
      const queue = openQueue(server.url);
      const schedule = scheduleWithRedis({ queue, background, logger });
      await vi.waitFor(async () => {
        const kept = await queue.getRepeatableJobs();
        expect(kept.map(({ name, every }) => [name, every])).toEqual([['test.job', 100]]);
      }, 15_000);
      await schedule.close();
      await server.kill();
    },
  );

  it.skipIf(!hasRedisServer)(
    'ends no process by a password that Redis refuses, and says so once',
    async () => {
      await server.start();
      const operator = connectRedis(server.url);
      await vi.waitFor(() => operator.config('SET', 'requirepass', 'right'), 5_000);
      const { counts, background } = counting();
      const warn = vi.fn();
      const url = server.url.replace('//', '//:wrong@');
      const schedule = scheduleWithRedis({ queue: openQueue(url), background, logger: { ...logger, warn } });
      // Each connection of the queue has been refused, and has come again.
      await vi.waitFor(async () => {
        const stats = await operator.info('stats');
        expect(Number(/total_connections_received:(\d+)/.exec(stats)?.[1])).toBeGreaterThan(6);
      }, 15_000);
      expect(counts.sweeping).toBe(true);
      const said = warn.mock.calls.map(([, message]) => message);
      expect(said).toContain('Redis is away: this process does the background work by itself');
      expect(new Set(said).size).toBe(said.length);
      await schedule.close();
      operator.disconnect();
      await server.kill();
    },
  );

  it.skipIf(!hasRedisServer)(
    'needs the rights that the README names, and names them where they are missing',
    async () => {
      await server.start();
      const operator = connectRedis(server.url);
      const setUser = (...rights: string[]) =>
        operator.call('ACL', 'SETUSER', 'svc', 'reset', 'on', '>right', ...rights);
      await vi.waitFor(() => setUser('~svc:*', '+@read', '+info'), 5_000);
      const { counts, background } = counting();
      const warn = vi.fn();
      const url = server.url.replace('//', '//svc:right@');
      const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
      const [, rights = ''] = /\(ACL\) the user of the service needs `(.+)`/.exec(readme) ?? [];
      const watched = { ...logger, info: () => {}, warn };
      const redis = connectRedis(url);
      const limiter = createRedisLimiters({ redis, logger: watched })('calls', { perMinute: 600 });
      const schedule = scheduleWithRedis({
        queue: openQueue(url),
        background,
        logger: watched,
        sweepMs: 200,
      });
      const said = () => warn.mock.calls.map(([, message]) => message);
      await vi.waitFor(
        () => expect(said().join()).toContain(`scheduled; the next sweep tries again. Give the user`),
        10_000,
      );
      await vi.waitFor(async () => {
        await limiter.take('a');
        expect(said().join()).toContain('per process until it is back. Give the user');
      }, 10_000);
      for (const message of said().filter((one) => one.includes('Give the user')))
        expect(message).toContain(rights);
      expect(counts.run).toBe(0);
      await schedule.close();
      await setUser(...rights.split(' '));
      await operator.call('ACL', 'LOG', 'RESET');
      const allowed = scheduleWithRedis({ queue: openQueue(url), background, logger: watched, sweepMs: 200 });
      await vi.waitFor(() => expect(counts.run).toBeGreaterThan(3), 15_000);
      await limiter.take('a');
      expect(await operator.call('ACL', 'LOG')).toEqual([]);
      await allowed.close();
      operator.disconnect();
      redis.disconnect();
      await server.kill();
    },
  );

  it('speaks TLS to an address with rediss', async () => {
    const listener = createServer();
    const { port } = await listenInTest(listener);
    const queue = openQueue(`rediss://:secret@127.0.0.1:${port}`);
    const [socket] = await once(listener, 'connection');
    const [bytes] = await once(socket, 'data');
    // The first byte of a TLS handshake; Redis's own protocol begins with a "*".
    expect(bytes[0]).toBe(22);
    queue.client.disconnect();
  });
});
