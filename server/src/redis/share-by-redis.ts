import { createRedisLimiters } from '../limits/redis.ts';
import { connectRedis } from './connection.ts';
import { closeQueue, openQueue } from './queue.ts';
import { scheduleWithRedis } from './schedule.ts';
import type { SharedWork, ShareWorkOptions } from './share-work.ts';

/** Starts the background work of this process as one of several, which share rate limits too. */
export function shareByRedis(options: ShareWorkOptions & { readonly url: string }): SharedWork {
  const { url, role, background, logger } = options;
  const redis = connectRedis(url);
  const queue = openQueue(url);
  const schedule = role === 'api' ? undefined : scheduleWithRedis({ queue, background, logger });
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
