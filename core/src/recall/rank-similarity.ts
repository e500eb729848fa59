/** Evidence that makes a memory about as likely relevant as not, found on conversations and small stores. */
const EVEN = 0.45;
/** How sharply the scale turns at that point; 2 puts a memory's exact repeat above 0.9. */
const SHARPNESS = 2;

/** The public scale of evidence: 0 at none, 0.5 where relevance gets probable, towards 1 above. */
export function similarityOf(evidence: number): number {
  const odds = (Math.max(0, evidence) / EVEN) ** SHARPNESS;
  return odds / (1 + odds);
}
