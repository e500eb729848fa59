import type { Scheduler } from '@svc-memory/core';
import Bull, { type Job, type Queue, type QueueOptions } from 'bull';
import { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import type { Logger } from 'pino';
import { reconnecting, withRightsFix } from './connection.ts';

/** What Bull calls and does not declare. */
type WorkerQueue = Queue & { setWorkerName(): Promise<unknown> };

/** Opens the queue of the background work. It reconnects without end. */
export function openQueue(url: string): Queue {
  const { retryStrategy, onError } = reconnecting();
  const redis = { ...readAddress(url), retryStrategy };
  const queue = new Bull('background', { prefix: 'svc', redis }) as WorkerQueue;
  // Without a listener for errors the process would end.
  queue.on('error', onError);
  // Bull names its connection and waits for no answer: where Redis refuses that, the process would end by an unhandled rejection.
  const setWorkerName = queue.setWorkerName.bind(queue);
  queue.setWorkerName = () => setWorkerName().catch(() => {});
  return queue;
}

/** Reads an address as ioredis does. Bull passes over `rediss:`, and would send the password in clear text. */
function readAddress(url: string): QueueOptions['redis'] & object {
  const { host, port, path, family, db, username, password, tls } = new Redis(url, { lazyConnect: true })
    .options;
  const given = Object.entries({ host, port, path, family, db, username, password, tls });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null));
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

  const warnUnscheduled = onceAMinute((err) =>
    logger.warn(
      { err },
      withRightsFix('the background work could not be scheduled; the next sweep tries again', err),
    ),
  );
  let enqueuing = false;
  const enqueue = async () => {
    // Commands to a Redis that is away would pile up.
    if (enqueuing || queue.client.status !== 'ready') return;
    enqueuing = true;
    await schedule(queue, tasks).catch(warnUnscheduled);
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
  const warn = onceAMinute((err) =>
    logger.warn(
      { err },
      withRightsFix('Redis is away: this process does the background work by itself', err),
    ),
  );
  queue.on('error', (err) => {
    if (!away) warn(err);
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

/**
 * Passes over what comes within a minute of what it has passed on: a Redis that refuses the service seems to be back again and
 * again.
 */
function onceAMinute(say: (err: unknown) => void): (err: unknown) => void {
  let quietUntil = 0;
  return (err) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + 60_000;
    say(err);
  };
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
