import { Redis } from 'ioredis';

const SILENCE_MS = 5_000;
const LONGEST_RETRY_MS = 5_000;

/**
 * Connects to Redis, now and again whenever it is lost: also when it is silent for 5 s. A command fails at once while Redis
 * is away.
 */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: SILENCE_MS,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RETRY_MS),
  });
  // Failures show in the commands; without a listener each would also be printed.
  redis.on('error', () => {});
  return redis;
}
