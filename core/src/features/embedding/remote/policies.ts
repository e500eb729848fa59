import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  type ICancellationContext,
  type IPolicy,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import { EmbedderError, type Purpose } from '../embedder.ts';

/** How requests to a model are retried and limited. */
export interface Resilience {
  /** Milliseconds one request may take; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Concurrent requests for memories; default 4. Queries do not wait for them. */
  readonly concurrency?: number | undefined;
  /** Retries of a request that may succeed later; default 3. */
  readonly retries?: number | undefined;
  /** Milliseconds before the first retry, doubled each time, plus up to as much at random; default 250. */
  readonly retryDelayMs?: number | undefined;
  /** Failed requests of calls in a row after which none is made for a while; default 5. Queries and memories count apart. */
  readonly failuresToPause?: number | undefined;
  /** How long that while is, in milliseconds; default 10,000. */
  readonly pauseMs?: number | undefined;
}

const CONCURRENT_QUERIES = 8;
/** Queries that may wait. Further ones are refused, so that they do not pile up behind a server that hangs. */
const MAX_WAITING_QUERIES = 256;
/** The same for batches of memories. One call may have hundreds. */
const MAX_WAITING_BATCHES = 4_096;
/** No retry when the server asks to wait longer: the caller goes on without vectors. */
const MAX_RETRY_AFTER_MS = 20_000;
const RETRIED: readonly string[] = ['unreachable', 'busy', 'failed'];

/**
 * What a request is for. Failures of one kind do not pause the others: a text that makes the server fail is mostly a memory, and
 * queries are for everybody. The background work is never paused, as it could not tell such a text from a server that is away.
 */
export type Kind = Purpose | 'backlog';

/** Runs the requests to one model, with its retries, timeout, circuit breaker and limits. */
export class ModelPolicies {
  readonly #model: string;
  readonly #timeoutMs: number;
  readonly #failuresToPause: number;
  readonly #timeout: IPolicy<ICancellationContext>;
  readonly #limits: Readonly<Record<Kind, IPolicy>>;

  constructor(model: string, resilience: Resilience) {
    const { timeoutMs = 30_000, concurrency = 4, retries = 3, retryDelayMs = 250 } = resilience;
    const { failuresToPause = 5, pauseMs = 10_000 } = resilience;
    this.#model = model;
    this.#timeoutMs = timeoutMs;
    this.#failuresToPause = failuresToPause;
    this.#timeout = timeout(timeoutMs, TimeoutStrategy.Aggressive);
    const breaker = () =>
      circuitBreaker(handleWhen(isAboutTheModel), {
        halfOpenAfter: pauseMs,
        breaker: new ConsecutiveBreaker(failuresToPause),
      });
    const retryPolicy = retry(handleWhen(isWorthRetrying), {
      maxAttempts: retries,
      backoff: new DelegateBackoff(({ attempt, result }) => {
        const asked =
          'error' in result && result.error instanceof EmbedderError ? result.error.retryAfterMs : undefined;
        return asked ?? retryDelayMs * 2 ** (attempt - 1) * (1 + Math.random());
      }),
    });
    const queries = bulkhead(CONCURRENT_QUERIES, MAX_WAITING_QUERIES);
    const batches = bulkhead(concurrency, MAX_WAITING_BATCHES);
    this.#limits = {
      query: wrap(queries, retryPolicy, breaker()),
      memory: wrap(batches, retryPolicy, breaker()),
      backlog: wrap(batches, retryPolicy),
    };
  }

  async run<T>(
    kind: Kind,
    signal: AbortSignal | undefined,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#limits[kind].execute(() => this.#attempt(signal, request), signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#toEmbedderError(error);
    }
  }

  async #attempt<T>(
    signal: AbortSignal | undefined,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#timeout.execute(({ signal: inner }) => request(inner), signal);
    } catch (error) {
      signal?.throwIfAborted();
      const translated = this.#toEmbedderError(error);
      if (translated instanceof EmbedderError) throw translated;
      // The messages of other errors may quote the texts.
      const name = nameOf(error);
      throw new EmbedderError('failed', `The embedder ${this.#model} failed: ${name}.`, { cause: name });
    }
  }

  /** Translates the errors of the policies; other errors pass unchanged. */
  #toEmbedderError(error: unknown): unknown {
    const embedder = `The embedder ${this.#model}`;
    if (error instanceof BrokenCircuitError) {
      return new EmbedderError(
        'paused',
        `${embedder} failed ${this.#failuresToPause} times in a row and is left alone for a while.`,
      );
    }
    if (error instanceof BulkheadRejectedError) {
      return new EmbedderError('paused', `${embedder} has too many requests waiting.`);
    }
    if (error instanceof TaskCancelledError) {
      return new EmbedderError('timeout', `${embedder} did not answer within ${this.#timeoutMs} ms.`);
    }
    return error;
  }
}

function isWorthRetrying(error: Error): boolean {
  if (!(error instanceof EmbedderError)) return false;
  return RETRIED.includes(error.failure) && (error.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS;
}

/** Whether a failure counts against the model: a rejected text and an aborted call do not. */
function isAboutTheModel(error: Error): boolean {
  return error instanceof EmbedderError && error.failure !== 'rejected';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'it threw no error';
}
