/**
 * How one embedding model's cosine is to be read. Models differ widely: two unrelated texts have a
 * cosine near 0.05 in one model and near 0.75 in another, so a bare cosine says nothing about relevance.
 */
export interface Calibration {
  /** Cosine that two unrelated texts typically have; counts as no evidence. */
  readonly unrelated: number;
  /** Cosine that a question and the memory answering it typically have; counts as full evidence. */
  readonly related: number;
  /**
   * What full evidence by cosine counts, a memory that holds all the query's words counting 1: near 1 for a
   * model that understands sentences, less for one that only compares words.
   */
  readonly trust: number;
}

/** What a text is embedded for. Some models embed queries and memories differently. */
export type Purpose = 'query' | 'memory';

/**
 * Turns texts into vectors whose cosine says how alike their meanings are. `openAiEmbedder`, `transformersEmbedder`,
 * `aiSdkEmbedder` and `langChainEmbedder` make one; writing one takes only a name and `embed`.
 */
export interface Embedder {
  /** Name stored beside every vector, e.g. "static:use-lite-100d". Vectors of different models are never compared. */
  readonly model: string;
  /** Numbers in a vector; where left out, what the first vector has. */
  readonly dimensions?: number;
  /** ISO 639-1 codes of the languages that the model knows; any where left out. Queries in others go by words alone. */
  readonly languages?: readonly string[];
  /** Maps this model's cosine to evidence of relevance; where left out, measured at first use and kept. */
  readonly calibration?: Calibration;
  /** Unit-length vectors, one per text, in order. Never NaN, never all zero. `purpose` defaults to "memory". */
  embed(texts: readonly string[], signal?: AbortSignal, purpose?: Purpose): Promise<Float32Array[]>;
  /**
   * Embeds memories for the background work, which waits between attempts by itself: an embedder that refuses requests for a while
   * after failures takes these all the same. Default: `embed`.
   */
  embedBacklog?(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Drops the texts that it keeps in memory, if any: somebody's are erased for good. */
  forgetTexts?(): void;
}

/** An embedder whose dimensions and calibration are known before its first use. */
export interface MeasuredEmbedder extends Embedder {
  readonly dimensions: number;
  readonly calibration: Calibration;
}

/**
 * Calibration for a sentence model nothing is known about: a middle course between models that use the
 * whole range of cosines (unrelated near 0.1, related from 0.5) and those crowded at its upper end
 * (unrelated near 0.3 to 0.7). Give a model its own calibration where it is known.
 */
export const genericCalibration: Calibration = { unrelated: 0.25, related: 0.65, trust: 0.6 };

/** How far a sentence model's cosine alone is believed; see {@link Calibration.trust}. */
const SENTENCE_MODEL_TRUST = 0.6;

/** Questions, each with a memory that answers it. All other memories of the list are unrelated to it. */
const PROBES: readonly (readonly [question: string, memory: string])[] = [
  ['Which theme does she like in the editor?', 'She prefers dark mode in every application.'],
  ['Where do they live now?', 'The family moved to an apartment in Lisbon last spring.'],
  ['What is he not allowed to eat?', 'He has a severe peanut allergy.'],
  ['Why did the deployment fail?', 'The release was rolled back because the database migration timed out.'],
  ['When is the dentist appointment?', 'The teeth cleaning is booked for 3 October at half past four.'],
  ['What instrument is her son learning?', 'Her boy takes violin lessons on Saturdays.'],
  ['Who is responsible for billing?', 'Priya owns the payment service.'],
  ['How do they get to the airport?', 'A taxi picks them up at six to catch the flight.'],
];

/**
 * Measures how a model's cosines are to be read, from a few short English texts; two calls of the model.
 * Use it for a model whose calibration is not known.
 * @param embed the model: unit-length vectors, one per text, in order
 * @throws Error when the model cannot tell an answer from an unrelated text
 */
export async function measureCalibration(
  embed: Embedder['embed'],
  signal?: AbortSignal,
): Promise<Calibration> {
  const questions = PROBES.map(([question]) => question);
  const memories = PROBES.map(([, memory]) => memory);
  const vectors = [
    ...(await embed(questions, signal, 'query')),
    ...(await embed(memories, signal, 'memory')),
  ];
  const related: number[] = [];
  const unrelated: number[] = [];
  questions.forEach((_, q) => {
    memories.forEach((_, m) => {
      (q === m ? related : unrelated).push(cosine(vectors[q], vectors[questions.length + m]));
    });
  });
  // The upper end of unrelated texts, so that they do not count as relevant; the middle of related texts is full evidence.
  const measured = { unrelated: quantile(unrelated, 0.9), related: quantile(related, 0.6) };
  if (!(measured.related > measured.unrelated)) {
    throw new Error(
      'The embedding model gives a question and its answer no higher cosine than unrelated texts.',
    );
  }
  return { ...measured, trust: SENTENCE_MODEL_TRUST };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, k) => sum + value * (b?.[k] ?? 0), 0) ?? 0;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

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
