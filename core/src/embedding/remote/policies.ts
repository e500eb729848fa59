import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import type { Purpose } from '../embedder.ts';
import { EmbedderError } from '../embedder-error.ts';

/** How patient an embedder is with its model. */
export interface Resilience {
  /** Milliseconds one request may take; default 30,000. */
  readonly timeoutMs?: number;
  /** Requests for memories at a time; default 4. Queries do not wait for them. */
  readonly concurrency?: number;
  /** Times a request that may succeed later is tried again; default 3. */
  readonly retries?: number;
  /** Milliseconds before the first of these, doubled each time, plus up to as much at random; default 250. */
  readonly retryDelayMs?: number;
  /** Failed requests in a row after which none is made for a while; default 5. */
  readonly failuresToPause?: number;
  /** How long that while is, in milliseconds; default 10,000. */
  readonly pauseMs?: number;
}

const QUERIES_AT_A_TIME = 8;
/** Queries that wait for their turn; more are refused, lest they pile up behind a server that hangs. */
const MOST_WAITING = 256;
/** The same for batches of memories, of which one call may have hundreds. */
const MOST_BATCHES_WAITING = 4_096;
/** A server that wants to be left alone for longer is not waited for: the caller goes on without it. */
const LONGEST_WAIT_MS = 20_000;
const RETRIED: readonly string[] = ['unreachable', 'busy', 'failed'];

/** Runs requests under the same care for all. */
export interface Policies {
  run<T>(
    purpose: Purpose,
    signal: AbortSignal | undefined,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

/** Retries, timeout, circuit breaker and limits of one model. */
export function createPolicies(model: string, resilience: Resilience): Policies {
  const { timeoutMs = 30_000, concurrency = 4, retries = 3, retryDelayMs = 250 } = resilience;
  const { failuresToPause = 5, pauseMs = 10_000 } = resilience;
  const again = retry(handleWhen(isWorthRetrying), {
    maxAttempts: retries,
    backoff: new DelegateBackoff(({ attempt, result }) => {
      const asked =
        'error' in result && result.error instanceof EmbedderError ? result.error.retryAfterMs : undefined;
      return asked ?? retryDelayMs * 2 ** (attempt - 1) * (1 + Math.random());
    }),
  });
  const breaker = circuitBreaker(handleWhen(isAboutTheModel), {
    halfOpenAfter: pauseMs,
    breaker: new ConsecutiveBreaker(failuresToPause),
  });
  const limit = timeout(timeoutMs, TimeoutStrategy.Aggressive);
  const inTurn = {
    query: wrap(bulkhead(QUERIES_AT_A_TIME, MOST_WAITING), again),
    memory: wrap(bulkhead(concurrency, MOST_BATCHES_WAITING), again),
  };

  const explain = (error: unknown): unknown => {
    if (error instanceof BrokenCircuitError) {
      return new EmbedderError(
        'paused',
        `The embedder ${model} failed ${failuresToPause} times in a row and is left alone for a while.`,
      );
    }
    if (error instanceof BulkheadRejectedError) {
      return new EmbedderError('paused', `The embedder ${model} has too many requests waiting.`);
    }
    if (error instanceof TaskCancelledError) {
      return new EmbedderError('timeout', `The embedder ${model} did not answer within ${timeoutMs} ms.`);
    }
    return error;
  };
  const once = async <T>(
    signal: AbortSignal | undefined,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    try {
      return await limit.execute(({ signal: inner }) => request(inner), signal);
    } catch (error) {
      signal?.throwIfAborted();
      const explained = explain(error);
      if (explained instanceof EmbedderError) throw explained;
      // Messages of others may quote what they were given.
      throw new EmbedderError('failed', `The embedder ${model} failed: ${nameOf(error)}.`, {
        cause: nameOf(error),
      });
    }
  };
  return {
    run: async (purpose, signal, request) => {
      try {
        return await inTurn[purpose].execute(() => breaker.execute(() => once(signal, request)), signal);
      } catch (error) {
        signal?.throwIfAborted();
        throw explain(error);
      }
    },
  };
}

function isWorthRetrying(error: Error): boolean {
  if (!(error instanceof EmbedderError)) return false;
  return RETRIED.includes(error.failure) && (error.retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
}

/** A text that is rejected, and a caller who goes away, say nothing of the model. */
function isAboutTheModel(error: Error): boolean {
  return error instanceof EmbedderError && error.failure !== 'rejected';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'it threw no error';
}
