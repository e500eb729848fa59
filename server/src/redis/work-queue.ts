import type { Scheduler } from '@svc-memory/core';
import Bull, { type Job, type Queue } from 'bull';
import pTimeout from 'p-timeout';
import type { Logger } from 'pino';

/** Opens the queue of the background work. It reconnects without end. */
export function openQueue(url: string): Queue {
  return new Bull('background', url, {
    prefix: 'svc',
    redis: { retryStrategy: (attempt: number) => Math.min(attempt * 100, 5_000) },
  });
}

const CLOSE_MS = 2_000;

/** Closes a queue once its running jobs end. It waits at most 2 s for a Redis that is away. */
export async function closeQueue(queue: Queue): Promise<void> {
  await pTimeout(queue.close(), { milliseconds: CLOSE_MS, fallback: () => {} }).catch(() => {});
}

/** What scheduling by Redis needs. */
export interface RedisScheduleOptions {
  readonly queue: Queue;
  readonly background: Scheduler;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds between two sweeps. Default 15,000. */
  readonly sweepMs?: number;
}

// A delivery to slow targets occupies one of them for as long as they take.
const CONCURRENCY = 16;
// Runs that the operator can look at: those that did something, and those that failed.
const KEPT = 500;

/**
 * Distributes the background work over all workers on one Redis with Bull. Redis decides which worker looks for work at
 * what time; the work itself and its leases are rows of the database. Every worker therefore also looks by itself, less
 * often, and restores a lost schedule: without Redis the work goes on, only later. A job in Redis holds its name and a
 * count, and no data of any tenant.
 */
export function scheduleWithRedis(options: RedisScheduleOptions): { close(): Promise<void> } {
  const { queue, background, logger, sweepMs = 15_000 } = options;
  logTroubles(queue, logger);
  // What deletes by age goes by its lease, which guards against a clock that jumped ahead: the sweeps do it.
  const tasks = new Map(
    background.tasks.filter(({ deletesByAge }) => !deletesByAge).map((task) => [task.name, task]),
  );
  queue
    .process('*', CONCURRENCY, async ({ name }) => {
      // During an upgrade, another release may have scheduled a task that this one lacks.
      if (!tasks.has(name)) return 0;
      try {
        return await background.run(name);
      } catch (cause) {
        throw new Error(`${cause instanceof Error ? cause.name : 'Error'}; the log of the worker says more`, {
          cause,
        });
      }
    })
    .catch(() => {});

  let enqueuing = false;
  const enqueue = async () => {
    // Commands to a Redis that is away would pile up.
    if (enqueuing || queue.client.status !== 'ready') return;
    enqueuing = true;
    await schedule(queue, tasks).catch((err: unknown) =>
      logger.warn({ err }, 'the background work could not be scheduled; the next sweep tries again'),
    );
    enqueuing = false;
  };
  queue.client.on('ready', enqueue);
  const timer = setInterval(enqueue, sweepMs);
  timer.unref();
  background.start(sweepMs);

  return {
    close: async () => {
      clearInterval(timer);
      await closeQueue(queue);
    },
  };
}

/** Logs each outage of Redis once, and the jobs that fail. */
function logTroubles(queue: Queue, logger: RedisScheduleOptions['logger']): void {
  let away = false;
  queue.client.on('ready', () => {
    away = false;
  });
  queue.on('error', (err) => {
    if (!away) logger.warn({ err }, 'Redis is away: this process does the background work by itself');
    away = true;
  });
  queue.on('failed', ({ name }, err) =>
    logger.error({ err: err.cause ?? err, job: name }, 'a background job failed'),
  );
  // Most jobs find no work: they are removed, so that the queue shows what was done.
  queue.on('completed', (job: Job, done: number) => {
    if (done === 0) job.remove().catch(() => {});
  });
}

/** Makes the jobs in Redis those of the tasks, by name, each as often as it runs. */
async function schedule(queue: Queue, tasks: ReadonlyMap<string, Scheduler['tasks'][number]>): Promise<void> {
  for (const { key, name, every } of await queue.getRepeatableJobs()) {
    if (tasks.get(name)?.everyMs !== Number(every)) await queue.removeRepeatableByKey(key);
  }
  for (const { name, everyMs } of tasks.values()) {
    await queue.add(name, {}, { repeat: { every: everyMs }, removeOnComplete: KEPT, removeOnFail: KEPT });
  }
}
