import type { Calibration } from '../embedding/embedder.ts';
import type { AnalyzedQuery } from './analyze.ts';
import { lexicalEvidence } from './rank-lexical.ts';
import { semanticEvidence } from './rank-semantic.ts';
import { timeFactor } from './rank-time.ts';

/** A memory that the database found by its words, its vector, or both. */
export interface Candidate {
  readonly id: string;
  /** Cosine of query and memory; null when there is no vector of the query's model for it. */
  readonly cosine: number | null;
  /** The query's terms that the memory holds, with how often. */
  readonly matched: readonly { readonly term: string; readonly frequency: number }[];
  /** Words in the memory, as `analyzeDocument` counted them. */
  readonly length: number;
  /** 0 to 1. */
  readonly importance: number;
  /** When it happened, in milliseconds since 1970. */
  readonly time: number;
}

/** What the lexical score needs to know of the tenant's memories, and of no one else's. */
export interface Corpus {
  readonly documents: number;
  /** Mean of the memories' lengths in words. */
  readonly averageLength: number;
  /** Query term → number of memories that hold it; terms that none holds may be left out. */
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** A memory with what speaks for it. */
export interface Scored {
  readonly id: string;
  /** Sum of what speaks for the memory, 0 or more; this orders results, and `similarityOf` shows it. */
  readonly evidence: number;
  /** What each of the query's words contributed, in the query's order of words; the same length for all. */
  readonly words: readonly number[];
}

/** Importance only decides between memories that match alike: from the least to the most important. */
const IMPORTANCE_SHARE = 0.04;
/** The words of a memory that matches none. */
export const NO_WORDS: readonly number[] = [];

/**
 * Weighs each candidate by its own words, vector, time and importance.
 * @param corpus counts over this tenant's memories only
 * @returns all candidates, best first, the order being the same for the same input
 */
export function scoreCandidates(
  query: AnalyzedQuery,
  corpus: Corpus,
  candidates: readonly Candidate[],
  calibration: Calibration,
): Scored[] {
  const lexical = lexicalEvidence(query, corpus);
  const when = timeFactor(query, candidates);
  return candidates
    .map((candidate) => {
      const words = lexical(candidate);
      const matched = sum(words);
      // What words have already shown, the vector cannot show again; it speaks where they leave a gap.
      const meant = semanticEvidence(candidate.cosine, calibration) * Math.max(0, 1 - matched);
      const importance = 1 + IMPORTANCE_SHARE * candidate.importance;
      return { id: candidate.id, evidence: (matched + meant) * when(candidate) * importance, words };
    })
    .sort(byEvidence);
}

/** Best first; memories of the same evidence by id, as Postgres sorts them, so that equal calls give equal answers. */
export function byEvidence(a: Scored, b: Scored): number {
  // Not the difference, which the sort would have to put in a box for each of its comparisons.
  if (a.evidence !== b.evidence) return a.evidence > b.evidence ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** What the query's words contributed together. */
export function sum(words: readonly number[]): number {
  let total = 0;
  // Without an iterator, which puts each number in a box.
  for (let word = 0; word < words.length; word += 1) total += words[word] ?? 0;
  return total;
}
