import type { Background } from '@svc-memory/core';
import type { Job, Queue } from 'bull';
import type { Logger } from 'pino';
import { closeQueue } from './queue.ts';

/** What scheduling by Redis needs. */
export interface RedisScheduleOptions {
  readonly queue: Queue;
  readonly background: Background;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds between two sweeps. Default 15,000. */
  readonly sweepMs?: number;
}

// A delivery to slow targets occupies one of them for as long as they take.
const CONCURRENCY = 16;
// Runs that the operator can look at: those that did something, and those that failed.
const KEPT = 500;

/**
 * Spreads the background work over all workers on one Redis with Bull. Redis only says who looks when: what there is to
 * do, and who got it, stands in the database. So every worker also sweeps, more rarely, by itself, and puts the schedule
 * back where it was lost; without Redis the work goes on, only less promptly. A job in Redis holds its name and how much
 * it did, nothing of any tenant.
 */
export function scheduleWithRedis(options: RedisScheduleOptions): { close(): Promise<void> } {
  const { queue, background, logger, sweepMs = 15_000 } = options;
  let away = false;
  queue.on('error', (err) => {
    if (!away) logger.warn({ err }, 'Redis is away: this process does the background work by itself');
    away = true;
  });
  queue.on('failed', ({ name }, err) =>
    logger.error({ err: err.cause ?? err, job: name }, 'a background job failed'),
  );
  // The queue shows what was done: most looks find nothing.
  queue.on('completed', (job: Job, done: number) => {
    if (done === 0) job.remove().catch(() => {});
  });
  const known = new Map(background.jobs.map((job) => [job.name, job]));
  queue
    .process('*', CONCURRENCY, async ({ name }) => {
      // The schedule of another release, during an upgrade.
      if (!known.has(name)) return 0;
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
    try {
      for (const { key, name, every } of await queue.getRepeatableJobs()) {
        if (known.get(name)?.everyMs !== Number(every)) await queue.removeRepeatableByKey(key);
      }
      for (const { name, everyMs } of background.jobs) {
        await queue.add(name, {}, { repeat: { every: everyMs }, removeOnComplete: KEPT, removeOnFail: KEPT });
      }
      away = false;
    } catch (err) {
      logger.warn({ err }, 'the background work could not be scheduled; the next sweep tries again');
    } finally {
      enqueuing = false;
    }
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
