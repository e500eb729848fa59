/** Evidence that makes the best memory about as likely relevant as not, found on conversations, talks and facts alike. */
export const EVEN = 0.42;
/**
 * Evidence of the loudest memory beyond which others are not compared with it: a memory of average length that holds all words of
 * the query has about as much. Quotations of the query have more, and answer it no better than others.
 */
const LOUDEST = 1;

const DIGITS = 1e4;

/**
 * The public scale of evidence: 0 at none, 0.5 where relevance gets probable, towards 1 above. Beside a memory that answers the
 * query, one with half of its evidence rarely does, so that a memory's similarity is also at most its share of that evidence,
 * squared. This keeps the order of evidence.
 *
 * @param loudest The evidence that others are compared with; 0 for none.
 * @returns the similarity of an evidence, as answers show it and thresholds are compared with it
 */
export function similarityScale(loudest: number): (evidence: number) => number {
  const even = EVEN ** 2;
  const most = Math.min(loudest, LOUDEST) ** 2;
  return (evidence) => {
    const squared = evidence > 0 ? evidence * evidence : 0;
    const similarity = squared / Math.max(squared + even, most);
    return Math.round(similarity * DIGITS) / DIGITS;
  };
}

/** The least evidence of a similarity below 1: the inverse of the scale, but for its rounding. */
export function evidenceOf(similarity: number, loudest: number): number {
  return Math.sqrt(similarity) * Math.max(Math.min(loudest, LOUDEST), EVEN / Math.sqrt(1 - similarity));
}
