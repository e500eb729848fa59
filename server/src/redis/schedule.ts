import type { Background } from '@svc-memory/core';
import Bull from 'bull';
import type { Logger } from 'pino';

/** What scheduling by Redis needs. */
export interface RedisScheduleOptions {
  readonly url: string;
  readonly background: Background;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Milliseconds between two sweeps. Default 15,000. */
  readonly sweepMs?: number;
}

// A delivery to slow targets occupies one of them for as long as they take.
const CONCURRENCY = 16;
const CLOSE_MS = 2_000;

/**
 * Spreads the background work over all processes on one Redis with Bull. Redis only says who looks when: what there is
 * to do, and who got it, stands in the database. So every process also sweeps, more rarely, by itself, and puts the
 * schedule back where it was lost; without Redis the work goes on, only less promptly.
 */
export function scheduleWithRedis(options: RedisScheduleOptions): { close(): Promise<void> } {
  const { url, background, logger, sweepMs = 15_000 } = options;
  const queue = new Bull('background', url, {
    prefix: 'svc',
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    redis: { retryStrategy: (attempt: number) => Math.min(attempt * 100, 5_000) },
  });
  let away = false;
  queue.on('error', (err) => {
    if (!away) logger.warn({ err }, 'Redis is away: this process does the background work by itself');
    away = true;
  });
  queue.on('failed', ({ name }, err) => logger.error({ err, job: name }, 'a background job failed'));
  queue.process('*', CONCURRENCY, ({ name }) => background.run(name)).catch(() => {});

  let enqueuing = false;
  const enqueue = async () => {
    // Commands to a Redis that is away would pile up.
    if (enqueuing || queue.client.status !== 'ready') return;
    enqueuing = true;
    try {
      for (const { name, everyMs } of background.jobs)
        await queue.add(name, {}, { repeat: { every: everyMs } });
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
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([queue.close().catch(() => {}), late]);
    },
  };
}
