import { SvcError } from '@svc-memory/core/contract';
import type { Response } from 'express';

/** What a limiter says about one call. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Calls left right now. */
  readonly remaining: number;
  /** Seconds until the next call is allowed; 0 while some are left. */
  readonly retryAfter: number;
  /** Seconds until the full burst is available again. */
  readonly reset: number;
}

/** Counts calls by caller. The store behind it may be shared by many processes. */
export interface BucketLimiter {
  /** Calls allowed per minute in the long run. */
  readonly perMinute: number;
  take(caller: string): Promise<RateLimitDecision>;
}

export interface BucketOptions {
  /** Calls allowed per minute in the long run; 0 = no limit. */
  readonly perMinute: number;
  /** Calls allowed at once after a pause. Default: a sixth of `perMinute`. */
  readonly burst?: number | undefined;
  /** Milliseconds since some fixed moment. Default: a clock that is never set back, which would leave all buckets empty. */
  readonly now?: (() => number) | undefined;
}

const MAX_CALLERS = 100_000;

/** A token bucket: how much it holds and how fast it fills. */
export interface Bucket {
  readonly size: number;
  readonly perMs: number;
}

/** The bucket that options describe. */
export function bucketOf({ perMinute, burst }: Pick<BucketOptions, 'perMinute' | 'burst'>): Bucket {
  return { size: burst ?? Math.max(1, Math.round(perMinute / 6)), perMs: perMinute / 60_000 };
}

/** The decision for a bucket that lacks `missing` tokens. A token that was just taken counts as missing. */
export function decisionOf({ size, perMs }: Bucket, allowed: boolean, missing: number): RateLimitDecision {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(size - missing + 1e-9)),
    retryAfter: allowed ? 0 : Math.ceil((1 - size + missing) / perMs / 1000),
    reset: Math.ceil(missing / perMs / 1000),
  };
}

/** Lets every call pass: the answer of a limiter that is off. */
export const UNLIMITED: RateLimitDecision = {
  allowed: true,
  remaining: Number.MAX_SAFE_INTEGER,
  retryAfter: 0,
  reset: 0,
};

/** A token bucket per caller in this process's memory; a refused call costs nothing. */
export function createMemoryLimiter({
  perMinute,
  burst,
  now = () => performance.now(),
}: BucketOptions): BucketLimiter {
  const bucket = bucketOf({ perMinute, burst });
  const { size, perMs } = bucket;
  // When each caller's bucket is full again; a full bucket needs no entry.
  const fullAt = new Map<string, number>();

  const forgetFull = (at: number) => {
    for (const [caller, full] of fullAt) if (full <= at) fullAt.delete(caller);
    // Under a flood of callers the oldest entries go: memory stays bounded, and some regain a burst.
    for (const caller of fullAt.keys()) {
      if (fullAt.size < MAX_CALLERS) break;
      fullAt.delete(caller);
    }
  };

  return {
    perMinute,
    take: async (caller) => {
      if (perMinute <= 0) return UNLIMITED;
      const at = now();
      const missing = Math.max(0, (fullAt.get(caller) ?? at) - at) * perMs;
      const allowed = size - missing >= 1 - 1e-9;
      if (!fullAt.has(caller) && fullAt.size >= MAX_CALLERS) forgetFull(at);
      const used = allowed ? missing + 1 : missing;
      if (allowed) fullAt.set(caller, at + used / perMs);
      return decisionOf(bucket, allowed, used);
    },
  };
}

/**
 * Writes the `RateLimit` headers (IETF draft-ietf-httpapi-ratelimit-headers) of a decision.
 *
 * @throws SvcError `RATE_LIMITED`, with `Retry-After` set, where the call is not allowed.
 */
export function applyDecision(response: Response, limiter: BucketLimiter, decision: RateLimitDecision): void {
  if (limiter.perMinute <= 0) return;
  response.setHeader('RateLimit-Policy', `"default";q=${limiter.perMinute};w=60`);
  response.setHeader('RateLimit', `"default";r=${decision.remaining};t=${decision.reset}`);
  if (!decision.allowed) refuseTooMany(response, decision, 'Too many calls with this API key.');
}

/** Answers `RATE_LIMITED` and says when to come back. */
export function refuseTooMany(
  response: Response,
  { retryAfter }: Pick<RateLimitDecision, 'retryAfter'>,
  message: string,
): never {
  response.setHeader('Retry-After', String(retryAfter));
  throw new SvcError('RATE_LIMITED', `${message} Try again in ${retryAfter} s.`, {
    details: { retry_after: retryAfter },
  });
}
