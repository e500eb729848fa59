import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  type BucketLimiter,
  type BucketOptions,
  bucketOf,
  createMemoryLimiter,
  decisionOf,
  UNLIMITED,
} from '../limits/bucket.ts';
import { reconnecting, withRightsFix } from './connection.ts';

const SILENCE_MS = 5_000;

/**
 * Connects to Redis, and reconnects when the connection breaks or Redis is silent for 5 s. While Redis is away, commands
 * fail immediately.
 */
export function connectRedis(url: string): Redis {
  const { retryStrategy, onError } = reconnecting();
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: SILENCE_MS,
    connectTimeout: 2_000,
    retryStrategy,
  });
  // Failures show in the commands; without a listener each would also be printed.
  redis.on('error', onError);
  return redis;
}

export interface RedisLimiterOptions {
  readonly redis: Redis;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/**
 * The token bucket of `createMemoryLimiter`, in Redis and by Redis's clock. The script is atomic: all processes together
 * let no more calls pass than one process would.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local size, per_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = tonumber(redis.call('GET', KEYS[1]) or '0')
local missing = math.max(0, full_at - now) * per_ms
-- No bucket lacks more than it holds: the clock was set back.
if missing > size + 1 then missing = 0 end
if size - missing < 1 - 1e-9 then return { 0, tostring(missing) } end
local used = missing + 1
redis.call('SET', KEYS[1], string.format('%.3f', now + used / per_ms), 'PX', math.ceil(used / per_ms) + 1)
return { 1, tostring(used) }`;

// Redis answers within a millisecond; on a machine that is too busy it may take many.
const TIMEOUT_MS = 1_000;

/**
 * Makes limiters that all processes on one Redis share. While Redis is away each process counts for itself and says so
 * once: calls are neither stopped nor left unlimited. When it hangs, the first calls wait a second for it, and the next not
 * at all until it answers them or the connection is given up.
 */
export function createRedisLimiters({ redis, logger }: RedisLimiterOptions) {
  let away = false;
  let hangs = false;
  const note = (nowAway: boolean, err?: unknown) => {
    if (nowAway === away) return;
    away = nowAway;
    if (away)
      logger.warn(
        { err },
        withRightsFix('Redis is away: rate limits are counted per process until it is back', err),
      );
    else logger.info({}, 'Redis is back: rate limits are shared again');
  };

  /** @param name Tells the buckets of different limits apart. */
  return (name: string, options: BucketOptions): BucketLimiter => {
    const { perMinute } = options;
    const bucket = bucketOf(options);
    const alone = createMemoryLimiter(options);
    return {
      perMinute,
      take: async (caller) => {
        if (perMinute <= 0) return UNLIMITED;
        if (hangs) return alone.take(caller);
        const asked = redis.eval(TAKE, 1, `svc:limit:${name}:${caller}`, bucket.size, bucket.perMs);
        const onLate = () => {
          hangs = true;
          const over = () => {
            hangs = false;
          };
          asked.then(over, over);
        };
        try {
          const answer = await inTime(asked, onLate);
          // The script's own answer: a flag and a number as text.
          const [allowed, missing] = answer as [number, string];
          note(false);
          return decisionOf(bucket, allowed === 1, Number(missing));
        } catch (error) {
          note(true, error);
          return alone.take(caller);
        }
      },
    };
  };
}

/** Waits for an answer, but not for long. What came while this process was too busy to read it has come in time. */
async function inTime<T>(asked: Promise<T>, onLate: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => {
      onLate();
      reject(new Error(`Redis did not answer within ${TIMEOUT_MS} ms`));
    };
    // What the sockets hold is read between a timer and this.
    timer = setTimeout(() => {
      turn = setImmediate(giveUp);
    }, TIMEOUT_MS);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
    clearImmediate(turn);
  }
}
