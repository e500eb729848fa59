import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedisServer, prepareRedisServer, type RedisServer } from './redis-server.fixture.ts';
import { scheduleWithRedis } from './schedule.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await prepareRedisServer();
});
afterAll(() => server.kill());

/** A process's background work that only counts. */
function counting() {
  const counts = { run: 0, sweeping: false };
  const background = {
    jobs: [{ name: 'test.job', everyMs: 100 }],
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
    const schedule = scheduleWithRedis({ url: server.url, background, logger });
    expect(counts.sweeping).toBe(true);
    await schedule.close();
  });

  it.skipIf(!hasRedisServer)(
    'runs in turns over the processes, and goes on after Redis was flushed or lost',
    async () => {
      await server.start();
      const processes = [counting(), counting()];
      const schedules = processes.map(({ background }) =>
        scheduleWithRedis({ url: server.url, background, logger, sweepMs: 200 }),
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
    },
  );
});
