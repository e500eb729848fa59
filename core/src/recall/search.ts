import { and, eq, sql } from 'drizzle-orm';
import { countTokens } from '../boot/tokens.ts';
import type { Parsed } from '../contract/index.ts';
import { uuids } from '../database/arrays.ts';
import type { Tx } from '../database/database.ts';
import { genericCalibration } from '../embedding/embedder.ts';
import { readWithVector } from '../embedding/read-with-vector.ts';
import type { Context } from '../engine/context.ts';
import { presentImportance } from '../memory/importance.ts';
import { toMemory } from '../memory/row.ts';
import { memories } from '../memory/schema.ts';
import { analyzeQuery } from './analyze.ts';
import { findCandidates, type Proposed } from './candidates.ts';
import type { Recalled } from './contract.ts';
import { preferNewer } from './prefer-newer.ts';
import { type Scored, scoreCandidates } from './rank.ts';
import { rankInContext } from './rank-context.ts';
import { findSurroundings } from './surroundings.ts';

/** Memories of the first scoring whose surroundings are looked at. */
const ANCHORS = 60;
const DEFAULT_LIMIT = 10;
const SIMILARITY_DIGITS = 1e4;

/** What a recall found. */
export interface Found {
  readonly results: Recalled[];
  /** True when the embedder was away and only words were compared. */
  readonly degraded: boolean;
}

/** Finds memories by meaning, best first. Neither counts nor emits: `recall` does. */
export async function searchMemories(context: Context, input: Parsed<'recall'>): Promise<Found> {
  const query = analyzeQuery(input.query, context.now);
  const { threshold, limit, max_tokens, query: _, ...filters } = input;
  const { value: results, degraded } = await readWithVector(context, query.focus, async (tx, vector) => {
    const search = { tenantId: context.tenantId, query, filters, ...(vector ? { vector } : {}) };
    const { corpus, candidates } = await findCandidates(tx, search);
    const present = candidates.map((one) => ({
      ...one,
      importance: presentImportance(one, context.now),
    }));
    const own = scoreCandidates(query, corpus, present, vector?.calibration ?? genericCalibration);
    const anchors = own.slice(0, ANCHORS).map(({ id }) => id);
    const surroundings = await findSurroundings(tx, context.tenantId, anchors, filters);
    const ranked = preferNewer(rankInContext(query, own, surroundings), candidates);
    const near = ranked.filter((item) => rounded(item) >= threshold);
    const relevant = withoutCopies(near, candidates);
    const most = limit ?? (max_tokens === undefined ? DEFAULT_LIMIT : relevant.length);
    return load(tx, context.tenantId, relevant.slice(0, most));
  });
  return {
    results: max_tokens === undefined ? results : fitting(results, max_tokens),
    degraded,
  };
}

/** Leaves out what says the same as a better result, so that copies cannot crowd out the rest. */
function withoutCopies(ranked: readonly Scored[], candidates: readonly Proposed[]): Scored[] {
  const saidBy = new Map(candidates.map(({ id, said }) => [id, said]));
  const seen = new Set<string>();
  return ranked.filter(({ id }) => {
    const said = saidBy.get(id) ?? id;
    return !seen.has(said) && seen.add(said);
  });
}

async function load(tx: Tx, tenantId: string, best: readonly Scored[]): Promise<Recalled[]> {
  if (best.length === 0) return [];
  const ids = best.map(({ id }) => id);
  const found = await tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(ids)})`));
  const byId = new Map(found.map((row) => [row.id, toMemory(row)]));
  return best.flatMap((item) => {
    const memory = byId.get(item.id);
    if (!memory) return [];
    const { id, type, content, category, key, tags, importance, occurred_at, session_id } = memory;
    const similarity = rounded(item);
    const session = session_id === undefined ? {} : { session_id };
    const links = {
      ...(memory.derived_from ? { derived_from: memory.derived_from } : {}),
      ...(memory.superseded_by ? { superseded_by: memory.superseded_by } : {}),
    };
    return [
      { id, type, content, similarity, occurred_at, category, key, tags, importance, ...session, ...links },
    ];
  });
}

/** The best results that together stay within a number of tokens. */
function fitting(results: readonly Recalled[], maxTokens: number): Recalled[] {
  let left = maxTokens;
  return results.filter(({ content }) => {
    const tokens = left > 0 ? countTokens(content) : 1;
    left -= tokens;
    return left >= 0;
  });
}

function rounded({ similarity }: Scored): number {
  return Math.round(similarity * SIMILARITY_DIGITS) / SIMILARITY_DIGITS;
}
