import { Redis } from 'ioredis';

const PATIENCE_MS = 5_000;

/**
 * Asks a Redis server once for its version.
 *
 * @throws Error with what the server, or the way there, has against it.
 */
export async function askRedis(url: string): Promise<string> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on('error', (error) => {
    failure ??= error;
  });
  try {
    await redis.connect();
    const info = await redis.info('server');
    return /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  } catch (error) {
    // A connection that fails is closed, and what waits for it is told only that.
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}
