/**
 * Why an embedder failed. `rejected` concerns one text only; everything else concerns the embedder itself. `busy`,
 * `unreachable` and `failed` are retried.
 */
export type EmbedderFailure =
  | 'unreachable'
  | 'timeout'
  | 'busy'
  | 'failed'
  | 'refused'
  | 'rejected'
  | 'unusable'
  | 'paused';

/** Thrown by embedders. The message names the model and the fix, never a text or a key. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  readonly failure: EmbedderFailure;
  /** Milliseconds that the server asks to wait before the next request; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: EmbedderFailure,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
  }
}
