/** Evidence that makes the best memory about as likely relevant as not, found on conversations, talks and facts alike. */
export const EVEN = 0.42;
/**
 * Evidence of the loudest memory beyond which others are not compared with it: a memory of average length that holds all words of
 * the query has about as much. Quotations of the query have more, and answer it no better than others.
 */
const LOUDEST = 1;

const DIGITS = 1e4;

/** What a similarity is told by beside the memory's own evidence. */
export interface Scale {
  /** The evidence that others are compared with; 0 for none. */
  readonly loudest: number;
  /** The evidence that makes a memory as likely relevant as not. */
  readonly even: number;
}

/**
 * The public scale of evidence: 0 at none, 0.5 where relevance gets probable, towards 1 above. Beside a memory that answers the
 * query, one with half of its evidence rarely does, so that a memory's similarity is also at most its share of that evidence,
 * squared. This keeps the order of evidence.
 *
 * @returns the similarity of an evidence, as answers show it and thresholds are compared with it
 */
export function similarityScale({ loudest, even }: Scale): (evidence: number) => number {
  const squaredEven = even ** 2;
  const most = Math.min(loudest, LOUDEST) ** 2;
  return (evidence) => {
    const squared = evidence > 0 ? evidence * evidence : 0;
    const similarity = squared / Math.max(squared + squaredEven, most);
    return Math.round(similarity * DIGITS) / DIGITS;
  };
}

/** The least evidence of a similarity below 1: the inverse of the scale, but for its rounding. */
export function evidenceOf(similarity: number, { loudest, even }: Scale): number {
  return Math.sqrt(similarity) * Math.max(Math.min(loudest, LOUDEST), even / Math.sqrt(1 - similarity));
}

/** The second's share of the best memory's evidence up to which that stands alone, and from which on it is one of a crowd. */
const ALONE_UP_TO = 0.25;
const CROWD_FROM = 0.75;
/** How much less evidence is enough for a memory that stands alone, and how much more is needed beside another one that is as near. */
const EASE = 0.8;
const RAISE = 0.15;
/** Among so many memories, how far ahead the best is counts half: among few, one is often ahead by chance. */
const FEW = 20;

/**
 * The evidence that makes the best memory about as likely relevant as not. A question that one memory answers is near to that one
 * alone, in whatever words: less is enough then. What is near to many as much as to the best may be about none of them.
 *
 * @param compared How many memories the best was chosen from.
 */
export function evenBeside(best: number, second: number, compared: number): number {
  if (best <= 0) return EVEN;
  const share = Math.min(1, second / best);
  const alone = Math.min(1, Math.max(0, (CROWD_FROM - share) / (CROWD_FROM - ALONE_UP_TO)));
  const crowd = Math.max(0, (share - CROWD_FROM) / (1 - CROWD_FROM));
  return EVEN * (1 + ((RAISE * crowd - EASE * alone) * compared) / (compared + FEW));
}
