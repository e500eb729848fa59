import type { Background } from '@svc-memory/core';
import type { Queue } from 'bull';
import type { Logger } from 'pino';
import type { BucketLimiter, BucketOptions } from '../limits/bucket.ts';
import { createRedisLimiters } from '../limits/redis.ts';
import type { Role } from '../role.ts';
import { connectRedis } from './connection.ts';
import { closeQueue, openQueue } from './queue.ts';
import { scheduleWithRedis } from './schedule.ts';

/** What the processes of one service do together. */
export interface SharedWork {
  /** Makes a rate limit that all of them share; absent without Redis. */
  readonly createLimiter?: (name: string, options: BucketOptions) => BucketLimiter;
  /** The queue of the background work; absent without Redis. */
  readonly queue?: Queue;
  close(): Promise<void>;
}

/** What a process shares. */
export interface ShareWorkOptions {
  /** `redis://…`; without one this process does the work by itself, beside others on the same database. */
  readonly url: string | undefined;
  /** `api` leaves the background work to workers. */
  readonly role: Role;
  readonly background: Background;
  readonly logger: Logger;
}

/** Starts the background work of this process, and shares it and the rate limits with others where there is a Redis. */
export function shareWork({ url, role, background, logger }: ShareWorkOptions): SharedWork {
  const works = role !== 'api';
  if (url === undefined) {
    if (works) background.start();
    return { close: async () => {} };
  }
  const redis = connectRedis(url);
  const queue = openQueue(url);
  const schedule = works ? scheduleWithRedis({ queue, background, logger }) : undefined;
  // Failures show in what uses it; without a listener each would end the process.
  queue.on('error', () => {});
  return {
    createLimiter: createRedisLimiters({ redis, logger }),
    queue,
    close: async () => {
      await (schedule?.close() ?? closeQueue(queue));
      redis.disconnect();
    },
  };
}
