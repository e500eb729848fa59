const STEP_MS = 100;
const LONGEST_MS = 5_000;

/** How a connection to Redis comes back. */
export interface Reconnecting {
  /** Milliseconds before an attempt, of which the first has the number 1. */
  retryStrategy(attempt: number): number;
  /** Takes what each attempt failed with. */
  onError(error: Error): void;
}

/**
 * Reconnects without end, soon at first. Where Redis refuses the password, ioredis begins to count anew each time: the wait is long
 * then from the first attempt on, so that nobody is taken for one who guesses.
 */
export function reconnecting(): Reconnecting {
  let isRefused = false;
  return {
    retryStrategy: (attempt) => (isRefused ? LONGEST_MS : Math.min(attempt * STEP_MS, LONGEST_MS)),
    onError: ({ message }) => {
      isRefused = /^(WRONGPASS|NOAUTH)\b/.test(message);
    },
  };
}

/**
 * What the user of `SVC_REDIS_URL` may do, as `ACL SETUSER` takes it: the service's own keys and channels, nothing that rules
 * Redis.
 */
const REDIS_RIGHTS = '~svc:* &svc:* +@all -@admin -@dangerous +info';

/** What to do where Redis refuses a command to the user of the service. */
export const RIGHTS_FIX = `Give the user in SVC_REDIS_URL its rights: ACL SETUSER <user> ${REDIS_RIGHTS}`;

/** A message about what Redis failed with, and what to do where rights are missing. */
export function withRightsFix(message: string, error: unknown): string {
  return error instanceof Error && /\bNOPERM\b/.test(error.message) ? `${message}. ${RIGHTS_FIX}` : message;
}
