import type { Scored } from './rank-input.ts';

/** Evidence that makes a memory about as likely relevant as not, found on conversations and small stores. */
const EVEN = 0.45;
/** How sharply the scale turns at that point; 2 puts a memory's exact repeat above 0.9. */
const SHARPNESS = 2;

/** The public scale of evidence: 0 at none, 0.5 where relevance gets probable, towards 1 above. */
export function similarityOf(evidence: number): number {
  const odds = (Math.max(0, evidence) / EVEN) ** SHARPNESS;
  return odds / (1 + odds);
}

/** The evidence of a similarity below 1: the inverse of `similarityOf`. */
export function evidenceOf(similarity: number): number {
  return EVEN * (similarity / (1 - similarity)) ** (1 / SHARPNESS);
}

const DIGITS = 1e4;

/** The similarity that an answer shows, and that a threshold is compared with. */
export function roundedSimilarity({ evidence }: Pick<Scored, 'evidence'>): number {
  return Math.round(similarityOf(evidence) * DIGITS) / DIGITS;
}
