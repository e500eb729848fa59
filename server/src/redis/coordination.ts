import type { Scheduler } from '@svc-memory/core';
import type { Queue } from 'bull';
import type { Logger } from 'pino';
import type { Role } from '../config/role.ts';
import type { BucketLimiter, BucketOptions } from '../limits/bucket.ts';
import { loadOptional } from '../optional-packages.ts';

/** What the processes of one service do together. */
export interface Coordination {
  /** Makes a rate limit that all processes share; absent without Redis. */
  readonly createLimiter?: (name: string, options: BucketOptions) => BucketLimiter;
  /** The queue of the background work; absent without Redis. */
  readonly queue?: Queue;
  /** Begins the background work of this process. */
  startWork(): void;
  /** Ends the jobs of this process, then the connections. The engine ends background work that runs without Redis. */
  close(): Promise<void>;
}

export interface CoordinationOptions {
  /** `redis://…`. Without it each process takes its background work from the database and counts calls by itself. */
  readonly url: string | undefined;
  /** `api` leaves the background work to workers. */
  readonly role: Role;
  readonly background: Scheduler;
  readonly logger: Logger;
}

/**
 * Loads what works with Redis.
 *
 * @throws SvcError `UNAVAILABLE` where its packages are not installed.
 */
export function loadRedis() {
  return loadOptional({ feature: 'SVC_REDIS_URL', packages: ['bull', 'ioredis'] }, () =>
    Promise.all([import('./rate-limits.ts'), import('./work-queue.ts')]),
  );
}

/** Prepares the background work of this process. With Redis, the work and the rate limits are shared by all processes. */
export async function startCoordination(options: CoordinationOptions): Promise<Coordination> {
  const { url, role, background, logger } = options;
  if (url === undefined) {
    return {
      startWork: () => {
        if (role !== 'api') background.start();
      },
      close: async () => {},
    };
  }
  const [{ connectRedis, createRedisLimiters }, { closeQueue, openQueue, scheduleWithRedis }] =
    await loadRedis();
  const redis = connectRedis(url);
  const queue = openQueue(url);
  let schedule: ReturnType<typeof scheduleWithRedis> | undefined;
  return {
    createLimiter: createRedisLimiters({ redis, logger }),
    queue,
    startWork: () => {
      if (role !== 'api') schedule = scheduleWithRedis({ queue, background, logger });
    },
    close: async () => {
      await (schedule?.close() ?? closeQueue(queue));
      redis.disconnect();
    },
  };
}
