import type { Calibration } from '../../embedding/embedder.ts';
import type { RankInput } from './input.ts';

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

/** So many memories near to a query are a crowd; where there are fewer than twice as many, half of them. */
const CROWD = 20;
/** Of fewer memories than these none is a crowd. */
const FEW = 8;
/** A model that is trusted less only supports the words. It does so in a crowd too. */
const SPEAKS_FROM = 0.3;

/**
 * A calibration for one query, beside what is near to it. In a long talk of two people nearly everything is about as near to a
 * question as what answers it, and to a model that does not know a language all texts of it are alike: then only what is nearer
 * than a crowd tells something.
 *
 * @param candidates Of each tenant that a call reads the memories that are nearest to the query, and others; in any order.
 */
export function besideCrowd(
  calibration: Calibration,
  candidates: readonly (readonly RankInput[])[],
): Calibration {
  const { unrelated, related, trust } = calibration;
  if (trust < SPEAKS_FROM) return calibration;
  const known = Float64Array.from(
    candidates.flatMap((found) =>
      found.flatMap(({ cosine }) => (cosine !== null && Number.isFinite(cosine) ? cosine : [])),
    ),
  ).sort();
  if (known.length < FEW) return calibration;
  const crowd = known.at(-Math.min(CROWD, Math.ceil(known.length / 2))) ?? 0;
  const further = Math.max(0, crowd - unrelated);
  return { unrelated: unrelated + further, related: related + further, trust };
}
