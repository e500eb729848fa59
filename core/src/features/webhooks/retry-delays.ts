import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/runtime/durations.ts';

/**
 * Waits between the attempts, in milliseconds: the example schedule of Standard Webhooks. The first attempt is
 * immediate, the tenth comes about 75 h 35 min later.
 */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Random deviation from the table, as a share, so that deliveries that failed together are not retried together. */
export const JITTER = 0.1;
const LONGEST_RETRY_AFTER_MS = DAY_MS;
/** Longest wait between two attempts, in milliseconds. */
export const LONGEST_WAIT_MS = (1 + JITTER) * DAY_MS;

interface Failure {
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly now: Date;
  /** The target's `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Returns 0 up to 1. */
  readonly random: () => number;
}

/** When to retry after a failure; undefined after the last attempt. */
export function nextAttempt({ attempts, now, retryAfterMs = 0, random }: Failure): Date | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 + JITTER * (2 * random() - 1));
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return new Date(now.getTime() + Math.round(Math.max(jittered, asked)));
}
