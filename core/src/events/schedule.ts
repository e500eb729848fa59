const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Waits between the attempts, in milliseconds: the example schedule of Standard Webhooks. The first attempt is
 * immediate, the tenth comes about 75 h 35 min later.
 */
export const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Share by which a wait may differ from the table, so that what failed together does not come back together. */
export const JITTER = 0.1;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

interface Failure {
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly now: Date;
  /** What the target asked for by `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** 0 up to 1. */
  readonly random: () => number;
}

/** When to try again after a failure; undefined when all attempts are used. */
export function nextAttempt({ attempts, now, retryAfterMs = 0, random }: Failure): Date | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 + JITTER * (2 * random() - 1));
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return new Date(now.getTime() + Math.round(Math.max(jittered, asked)));
}

/** Milliseconds that a `Retry-After` header asks for, seconds or a date; undefined where it says nothing usable. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  // An HTTP date starts with its weekday; Date.parse alone reads almost anything.
  const moment = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now.getTime());
}
