import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import type { Calibration } from '../../embedding/embedder.ts';
import type { Copies, Corpus, RankInput, Scored } from './input.ts';
import { lexicalEvidence, sumOf } from './lexical.ts';
import { semanticEvidence } from './semantic.ts';
import { periodEvidence, timeFactor, withTime } from './time.ts';

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
  candidates: readonly RankInput[],
  calibration: Calibration,
): Scored[] {
  const lexical = lexicalEvidence(query, corpus);
  const when = timeFactor(query, candidates);
  const inTime = withTime(query);
  const ofPeriod = periodEvidence(query, corpus, candidates);
  const scored = candidates.map((candidate) => {
    const words = lexical(candidate);
    const matched = sumOf(words);
    // What words have already shown, the vector cannot show again; it speaks where they leave a gap.
    const meant = semanticEvidence(candidate.cosine, calibration) * Math.max(0, 1 - matched);
    const importance = 1 + IMPORTANCE_SHARE * candidate.importance;
    return {
      id: candidate.id,
      evidence: inTime(matched + meant + ofPeriod(candidate), candidate) * when(candidate) * importance,
      words,
    };
  });
  if (corpus.copies) tellApart(scored, candidates, query, corpus.copies);
  return scored.sort(byEvidence);
}

/** A word of the query tells copies apart when at most so many memories hold it. */
const TELLING = 2;
/** What a copy is louder than the loudest of its group when the query tells it apart. */
const TOLD_APART = 1.05;

/**
 * Of near-copies, puts those first that hold a word of the query that the others lack, such as a number or an identifier. Where
 * copies are not counted, such a word weighs no more than those that they share.
 *
 * @param scored Changed in place; in the order of `candidates`.
 */
function tellApart(
  scored: Scored[],
  candidates: readonly RankInput[],
  { terms }: AnalyzedQuery,
  { groups, documentFrequency }: Copies,
): void {
  const telling = new Set(
    terms
      .filter(({ whole, term }) => whole && (documentFrequency.get(term) ?? 0) <= TELLING)
      .map(({ term }) => term),
  );
  const loudest = new Map<string, number>();
  for (const { id, evidence } of scored) {
    const group = groups.get(id) ?? id;
    loudest.set(group, Math.max(loudest.get(group) ?? 0, evidence));
  }
  for (const [place, { id, matched }] of candidates.entries()) {
    const own = scored[place];
    if (!own || !matched.some(({ term }) => telling.has(term))) continue;
    scored[place] = withEvidence(own, TOLD_APART * (loudest.get(groups.get(id) ?? id) ?? 0));
  }
}

/** The same memory with other evidence. Not by a spread, whose objects are of another shape, which makes each comparison slow. */
export function withEvidence({ id, words }: Scored, evidence: number): Scored {
  return { id, evidence, words };
}

/** Best first; memories of the same evidence by id, as Postgres sorts them, so that equal calls give equal answers. */
export function byEvidence(a: Scored, b: Scored): number {
  // Not the difference, which the sort would have to put in a box for each of its comparisons.
  if (a.evidence !== b.evidence) return a.evidence > b.evidence ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
