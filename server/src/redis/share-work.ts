import type { Background } from '@svc-memory/core';
import type { Queue } from 'bull';
import type { Logger } from 'pino';
import type { BucketLimiter, BucketOptions } from '../limits/bucket.ts';
import type { Role } from '../role.ts';

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
export async function shareWork(options: ShareWorkOptions): Promise<SharedWork> {
  const { url, role, background } = options;
  if (url !== undefined) {
    // Only who has a Redis pays for its code.
    const { shareByRedis } = await import('./share-by-redis.ts');
    return shareByRedis({ ...options, url });
  }
  if (role !== 'api') background.start();
  return { close: async () => {} };
}
