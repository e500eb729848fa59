import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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
});
