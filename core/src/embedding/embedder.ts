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

/** Turns texts into vectors whose cosine says how alike their meanings are. */
export interface Embedder {
  /** Name stored beside every vector, e.g. "static:glove-100d". Vectors of different models are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** Maps this model's cosine to evidence of relevance. */
  readonly calibration: Calibration;
  /** Unit-length vectors, one per text, in order. Never NaN, never all zero. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

/**
 * Calibration for a sentence model nothing is known about: a middle course between models that use the
 * whole range of cosines (unrelated near 0.1, related from 0.5) and those crowded at its upper end
 * (unrelated near 0.3 to 0.7). Give a model its own calibration where it is known.
 */
export const genericCalibration: Calibration = { unrelated: 0.25, related: 0.65, trust: 0.8 };
