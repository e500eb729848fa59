import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';

declare module '../../../kernel/context/context.ts' {
  interface Services {
    /** Orders the best candidates of a recall anew; without one, recall's own order stays. */
    readonly reranker?: Reranker;
  }
  interface EngineSettings {
    /** Milliseconds that a recall waits for the reranker before it goes by its own order; default 2,000. */
    readonly rerankPatienceMs: number;
  }
}

/** A model that reads a query together with a document, and says how well the one answers the other. */
export interface Reranker {
  /** Name of the model, for the log. */
  readonly model: string;
  /**
   * @returns a score for each document, in the order of the documents, on any scale: the higher, the better. Throws when it
   *   fails; the recall goes on without it.
   */
  rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}

/** Concurrent requests, and those that may wait. Further ones are refused, so that they do not pile up. */
const CONCURRENT = 8;
const MAX_WAITING = 64;
/** After so many failures in a row the reranker is not asked for a while: each costs a recall its patience. */
const FAILURES_TO_PAUSE = 3;
const PAUSE_MS = 10_000;

/**
 * Limits a reranker: a request ends after a time, few run at once, and none is made for a while after failures in a row.
 * An answer without a finite number for each document is a failure.
 */
export function limitReranker(reranker: Reranker, patienceMs: number): Reranker {
  const { model } = reranker;
  const policy = wrap(
    bulkhead(CONCURRENT, MAX_WAITING),
    circuitBreaker(handleAll, {
      halfOpenAfter: PAUSE_MS,
      breaker: new ConsecutiveBreaker(FAILURES_TO_PAUSE),
    }),
    timeout(patienceMs, TimeoutStrategy.Aggressive),
  );
  return {
    model,
    rerank: async (query, documents, signal) => {
      try {
        return await policy.execute(async ({ signal: inner }) => {
          const scores = await reranker.rerank(query, documents, inner);
          if (scores.length !== documents.length || !scores.every(Number.isFinite)) {
            throw new Error(`The reranker ${model} gave no finite score for each document.`);
          }
          return scores;
        }, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw explain(model, patienceMs, error);
      }
    },
  };
}

function explain(model: string, patienceMs: number, error: unknown): unknown {
  if (error instanceof TaskCancelledError) {
    return new Error(`The reranker ${model} did not answer within ${patienceMs} ms.`);
  }
  if (error instanceof BrokenCircuitError) {
    return new Error(
      `The reranker ${model} failed ${FAILURES_TO_PAUSE} times in a row and is left alone for a while.`,
    );
  }
  if (error instanceof BulkheadRejectedError) {
    return new Error(`The reranker ${model} has too many requests waiting.`);
  }
  return error;
}
