import type { Calibration } from '../../embedding/embedder.ts';

/**
 * Evidence of a cosine as the model's calibration reads it: 0 for what unrelated texts have, up to the
 * model's `trust` for what related texts have. Without a vector of the query's model there is none.
 */
export function semanticEvidence(cosine: number | null, calibration: Calibration): number {
  if (cosine === null || !Number.isFinite(cosine)) return 0;
  const { unrelated, related, trust } = calibration;
  return trust * Math.min(1, Math.max(0, (cosine - unrelated) / (related - unrelated)));
}
