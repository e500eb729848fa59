/**
 * What went wrong with an embedder: `rejected` is about one text, which another text need not meet; all else is about
 * the embedder itself. `busy`, `unreachable` and `failed` are tried again.
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
  /** Milliseconds the server asks to be left alone, where it does. */
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
