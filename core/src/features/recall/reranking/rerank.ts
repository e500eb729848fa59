import type { Context } from '../../../kernel/context/context.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import { splitToLimit } from '../../embedding/remote/split-to-limit.ts';
import type { Candidates } from '../candidates.ts';
import type { Scored } from '../ranking/input.ts';

/** Memories that are reranked: as many as usual servers take in one request. */
const DEPTH = 32;
/** Tokens of the query and of a memory that are sent: usual models read 512 of both together. */
const QUERY_TOKENS = 120;
const MEMORY_TOKENS = 360;
/** Least difference of evidence, which no shown similarity tells. */
const STEP = 1e-12;

/**
 * Orders the best ranked memories by the reranker, if there is one. Their evidence stays where it was: the memory that the
 * reranker puts first gets the evidence of the one that recall put first, and so on. So similarity and threshold mean the same
 * with every reranker, whatever the scale of its scores. A query that asks for a time keeps recall's order, which knows the
 * time: a reranker reads texts only.
 *
 * @returns the same memories; in recall's own order when the reranker fails, which is logged. Throws only when the call itself
 *   was aborted.
 */
export async function rerank(
  { reranker, logger, options }: Context,
  { period, newest, focus }: AnalyzedQuery,
  { ranked, load }: { readonly ranked: readonly Scored[]; readonly load: Candidates['load'] },
): Promise<readonly Scored[]> {
  if (!reranker || period !== undefined || newest) return ranked;
  const loaded = await load(ranked.slice(0, DEPTH).map(({ id }) => id));
  const contents = new Map(loaded.map(({ id, content }) => [id, content]));
  const judged = ranked.filter(({ id }) => contents.has(id));
  if (judged.length < 2) return ranked;
  const documents = judged.map(({ id }) => beginningOf(contents.get(id) ?? '', MEMORY_TOKENS));
  const signal = options.signal ?? new AbortController().signal;
  try {
    const scores = await reranker.rerank(beginningOf(focus, QUERY_TOKENS), documents, signal);
    const scoreOf = new Map(judged.map(({ id }, place) => [id, scores[place] ?? 0]));
    return reorder(ranked, scoreOf);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ err: error, model: reranker.model }, 'the reranker is away; recall goes by its own order');
    return ranked;
  }
}

/** Puts the scored memories in the order of their scores, into the places that they had together, with the evidence there. */
function reorder(ranked: readonly Scored[], scoreOf: ReadonlyMap<string, number>): readonly Scored[] {
  const best = ranked
    .filter(({ id }) => scoreOf.has(id))
    .sort((a, b) => (scoreOf.get(b.id) ?? 0) - (scoreOf.get(a.id) ?? 0));
  let next = 0;
  const placed = ranked.map((item) => {
    if (!scoreOf.has(item.id)) return item;
    const { id, words } = best[next] ?? item;
    next += 1;
    return { id, words, evidence: item.evidence };
  });
  // Memories of the same evidence are sorted by id later on, which would undo their new order.
  let least = Number.NEGATIVE_INFINITY;
  return placed
    .reverse()
    .map((item) => {
      if (!scoreOf.has(item.id)) {
        least = item.evidence;
        return item;
      }
      least = Math.max(item.evidence, least + STEP);
      return { ...item, evidence: least };
    })
    .reverse();
}

function beginningOf(text: string, tokens: number): string {
  return splitToLimit(text, tokens)[0] ?? '';
}
