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
