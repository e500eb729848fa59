import type { Background } from '@svc-memory/core';
import type { Logger } from 'pino';
import type { BucketLimiter, BucketOptions } from '../limits/bucket.ts';
import { createRedisLimiters } from '../limits/redis.ts';
import { connectRedis } from './connection.ts';
import { scheduleWithRedis } from './schedule.ts';

/** What the processes of one service do together. */
export interface SharedWork {
  /** Makes a rate limit that all of them share; absent without Redis. */
  readonly createLimiter?: (name: string, options: BucketOptions) => BucketLimiter;
  close(): Promise<void>;
}

/**
 * Starts the background work of this process, and shares it and the rate limits with others where there is a Redis.
 *
 * @param url `redis://…`; without one this process does the work by itself, beside others on the same database.
 */
export function shareWork(url: string | undefined, background: Background, logger: Logger): SharedWork {
  if (url === undefined) {
    background.start();
    return { close: async () => {} };
  }
  const redis = connectRedis(url);
  const schedule = scheduleWithRedis({ url, background, logger });
  return {
    createLimiter: createRedisLimiters({ redis, logger }),
    close: async () => {
      await schedule.close();
      redis.disconnect();
    },
  };
}
