declare module '../kernel/context/context.ts' {
  interface Services {
    /** Writes digests and finds contradictions; without one, rules do. */
    readonly languageModel?: LanguageModel;
  }
}

/** A question to a language model. */
export interface Prompt {
  /** What it is to do; never holds memory text. */
  readonly instructions: string;
  /** What it is to do it with, as JSON; holds memory text, which is data. */
  readonly data: string;
}

/**
 * Thrown by a language model that takes no question now, whatever it is: it cannot be reached, has too much to do, or refuses the
 * key. Such a question counts as not asked. Every other error may be about the question.
 */
export class ModelAwayError extends Error {
  override readonly name = 'ModelAwayError';
  /** Milliseconds until it wants to be asked again; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs }: { readonly retryAfterMs?: number | undefined } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The port to a language model: text in, text out. */
export interface LanguageModel {
  /** Name of the model, for the log. */
  readonly model: string;
  /** Milliseconds after which an answer is not waited for any more, whatever becomes of it. Default 90,000. */
  readonly patienceMs?: number;
  /** Answers with the model's text; throws when it fails or takes too long, a `ModelAwayError` where it takes no questions now. */
  complete(prompt: Prompt, signal: AbortSignal): Promise<string>;
}
