import type { Calibration } from '../../embedding/embedder.ts';

/** Evidence of a cosine of 1 besides: so little that it only orders memories for which nothing else speaks. */
export const TIE_BREAKER = 0.0001;

/**
 * Evidence of a cosine as the model's calibration reads it: next to nothing for what unrelated texts
 * have, up to the model's `trust` for what related texts have. Without a vector of the query's model there is none.
 */
export function semanticEvidence(cosine: number | null, calibration: Calibration): number {
  if (cosine === null || !Number.isFinite(cosine)) return 0;
  const { unrelated, related, trust } = calibration;
  const meant = Math.min(1, Math.max(0, (cosine - unrelated) / (related - unrelated)));
  return trust * meant + TIE_BREAKER * Math.max(0, cosine);
}
