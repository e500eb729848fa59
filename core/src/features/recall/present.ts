import { type Context, originOf } from '../../kernel/context/context.ts';
import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import { countTokens } from '../../text/tokens.ts';
import { showLinks } from '../visibility/show.ts';
import { currentView } from '../visibility/view.ts';
import type { Candidate, Candidates, MemoryView } from './candidates.ts';
import type { Recalled } from './contract.ts';
import { cutToPassage, matchingPassage } from './passage.ts';
import type { Conflicts } from './ranking/conflicts.ts';
import type { Scored } from './ranking/input.ts';
import type { Picked } from './ranking/pick-results.ts';
import { byEvidence } from './ranking/score-candidates.ts';
import { similarityScale } from './ranking/similarity.ts';

/** The ranked memories of one tenant. */
interface RankedSource {
  readonly source: Context;
  readonly candidates: Pick<Candidates, 'load'>;
  /** The candidates by id. */
  readonly proposed: ReadonlyMap<string, Candidate>;
  readonly outcome: { readonly ranked: readonly Scored[] };
}

/** What to show of results. */
interface Presentation {
  readonly query: AnalyzedQuery;
  readonly maxTokens: number | undefined;
  readonly maxContentCharacters: number | undefined;
  /** Whether to show when results were stored and changed. */
  readonly withTimes: boolean;
}

/** Those of the results that are memories of this ranking's tenant. */
export async function present(
  { source, proposed, candidates: found, outcome }: RankedSource,
  { query, maxContentCharacters, withTimes }: Presentation,
  { results: best, ...scale }: Picked,
): Promise<Recalled[]> {
  const similarityOf = similarityScale(scale);
  // What is of other tenants would be looked for in the database.
  const wanted = new Set(best.map(({ id }) => id));
  const own = outcome.ranked.filter(({ id }) => wanted.has(id));
  const loaded = await found.load(own.map(({ id }) => id));
  const { tenantId } = source;
  const origin = originOf(source);
  const memories = new Map(loaded.map((memory) => [memory.id, memory]));
  const recalled = best.flatMap((item) => {
    const memory = memories.get(item.id);
    if (!memory) return [];
    const passage = matchingPassage(query, memory.content, proposed.get(item.id)?.matched ?? []);
    const result = {
      ...toRecalled(memory, similarityOf(item.evidence)),
      ...origin,
      ...(withTimes && timesOf(memory)),
      ...(passage && { passage }),
    };
    return [maxContentCharacters === undefined ? result : cutToPassage(result, maxContentCharacters)];
  });
  const view = await currentView(source);
  return view.isFull ? recalled : source.read((tx) => showLinks(tx, { tenantId, view }, recalled));
}

/** Marks older results that newer ones contradict, and shows how far these were raised. */
export function withConflicts(
  results: readonly Recalled[],
  { results: best, ...scale }: Picked,
  conflicts: Conflicts,
): readonly Recalled[] {
  if (conflicts.size === 0) return results;
  const similarityOf = similarityScale(scale);
  const evidenceOf = new Map(best.map(({ id, evidence }) => [id, evidence]));
  return results.map((result) => {
    const newer = conflicts.get(result.id);
    const similarity = similarityOf(evidenceOf.get(result.id) ?? 0);
    return { ...result, similarity, ...(newer && { conflicts_with: [...newer] }) };
  });
}

/** Results best first, as far as their tokens allow: by the order in which they were picked. */
export function inOrder(
  results: readonly Recalled[],
  { results: best }: Picked,
  { maxTokens }: Presentation,
): Recalled[] {
  const placeOf = new Map(best.map(({ id }, place) => [id, place]));
  const rankOf = new Map([...best].sort(byEvidence).map(({ id }, place) => [id, place]));
  const by = (places: ReadonlyMap<string, number>) => (a: Recalled, b: Recalled) =>
    (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0);
  const picked = [...results].sort(by(placeOf));
  return (maxTokens === undefined ? picked : withinTokens(picked, maxTokens)).sort(by(rankOf));
}

function toRecalled(memory: MemoryView, similarity: number): Recalled {
  const { id, type, content, category, key, importance, contentSource } = memory;
  const occurredAt = memory.occurredAt.toISOString();
  return {
    id,
    type,
    content,
    similarity,
    occurred_at: occurredAt,
    valid_from: memory.validFrom?.toISOString() ?? occurredAt,
    ...(memory.validTo && { valid_to: memory.validTo.toISOString() }),
    ...(memory.metadata && { metadata: memory.metadata }),
    category,
    key,
    tags: [...memory.tags],
    importance,
    ...(contentSource === 'agent' ? {} : { content_source: contentSource }),
    ...(memory.sessionId === null ? {} : { session_id: memory.sessionId }),
    ...(memory.derivedFrom.length === 0 ? {} : { derived_from: [...memory.derivedFrom] }),
    ...(memory.supersededBy === null ? {} : { superseded_by: memory.supersededBy }),
  };
}

function timesOf({ createdAt, updatedAt }: MemoryView) {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

/** The best results that together stay within a number of tokens. */
function withinTokens(results: readonly Recalled[], maxTokens: number): Recalled[] {
  let left = maxTokens;
  return results.filter(({ content }) => {
    const tokens = left > 0 ? countTokens(content) : 1;
    left -= tokens;
    return left >= 0;
  });
}
