import { sql } from 'drizzle-orm';
import { countTokens } from '../boot/tokens.ts';
import type { Parsed } from '../contract/index.ts';
import { uuids } from '../database/arrays.ts';
import type { Rows } from '../database/database.ts';
import { embedQuery, type QueryVector } from '../embedding/embed-query.ts';
import { genericCalibration } from '../embedding/embedder.ts';
import type { Context } from '../engine/context.ts';
import { presentImportance } from '../memory/importance.ts';
import { tenants } from '../tenants/schema.ts';
import { type AnalyzedQuery, analyzeQuery } from './analyze.ts';
import type { Recalled } from './contract.ts';
import {
  type CandidateRow,
  type CandidatesAnswer,
  candidatesStatement,
  type MemoryColumns,
  memoriesStatement,
  type Search,
} from './find-candidates.ts';
import { type Proposed, preferNewer } from './prefer-newer.ts';
import { type Corpus, type Scored, scoreCandidates } from './rank.ts';
import { rankInContext } from './rank-context.ts';
import { blindfold } from './signals.ts';

const DEFAULT_LIMIT = 10;
/** Results that may fit into a number of tokens. */
const MOST_RESULTS = 100;
const SIMILARITY_DIGITS = 1e4;

/** What a recall found. */
export interface Found {
  readonly results: Recalled[];
  /** True when the embedder was away and only words were compared. */
  readonly degraded: boolean;
}

/** Runs the searching statement of a recall: `context.ask` where it counts as a use, else `context.look`. */
type Ask = (statement: ReturnType<typeof candidatesStatement>) => Promise<Rows>;

/** Finds memories by meaning, best first. */
export async function searchMemories(context: Context, input: Parsed<'recall'>, ask: Ask): Promise<Found> {
  const { recallWithout: without } = context.settings;
  const seen = without.length === 0 ? undefined : blindfold(without);
  const analyzed = analyzeQuery(input.query, context.now);
  const query = seen?.query(analyzed) ?? analyzed;
  const { threshold, limit, max_tokens, query: _, ...filters } = input;
  const most = limit ?? (max_tokens === undefined ? DEFAULT_LIMIT : MOST_RESULTS);
  const { found, vector } = await findCandidates(context, { query, filters, limit: most }, ask);
  const all = (found.candidates ?? []).map((row) => toCandidate(query, row, context.now));
  const candidates = seen?.candidates(all) ?? all;
  const loaded = new Map((found.memories ?? []).map((memory) => [memory[0], memory]));
  const own = scoreCandidates(
    query,
    corpusOf(query, found),
    candidates,
    vector?.calibration ?? genericCalibration,
  );
  const around = {
    contents: new Map([...loaded].map(([id, memory]) => [id, memory[2]])),
    links: (found.links ?? []).map(([id, neighbourId, distance]) => ({ id, neighbourId, distance })),
  };
  const surroundings = seen?.surroundings(around) ?? around;
  const ranked = preferNewer(rankInContext(query, own, surroundings), candidates);
  const near = ranked.filter((item) => rounded(item) >= threshold);
  const relevant = withoutCopies(near, candidates);
  const best = relevant.slice(0, limit === undefined && max_tokens !== undefined ? undefined : most);
  const results = await present(context, best, loaded);
  return {
    results: max_tokens === undefined ? results : fitting(results, max_tokens),
    degraded: vector === undefined,
  };
}

/**
 * Asks with the vector of the model whose vectors answer this tenant's recalls: while the tenant is being re-embedded, that
 * is still the model from before. Which one it is, the statement itself tells, so that a switch comes before or after it.
 */
async function findCandidates(
  context: Context,
  search: Pick<Search, 'query' | 'filters' | 'limit'>,
  ask: Ask,
): Promise<{ found: CandidatesAnswer; vector: QueryVector | undefined }> {
  const { tenantId, spaces, sizes } = context;
  // Only the first statement counts as a use.
  for (let once = ask; ; once = context.look) {
    // A query goes only to the embedder it is meant for: where nothing is known yet, that is looked up first.
    const model = spaces.lastAnswering(tenantId) ?? (await answeringModel(context));
    spaces.noteAnswering(tenantId, model);
    const vector = await embedQuery(context, model, search.query.focus);
    const large = sizes.isLarge(tenantId);
    const whole = { ...search, tenantId, large, ...(vector ? { vector } : {}) };
    const [answer] = (await once(candidatesStatement(whole))) as readonly { found: CandidatesAnswer }[];
    if (!answer) throw new TypeError('the statement answers one row');
    const { found } = answer;
    sizes.note(tenantId, found.documents);
    const answering = found.model ?? spaces.current;
    if (answering === model) return { found, vector };
    spaces.noteAnswering(tenantId, answering);
  }
}

async function answeringModel({ tenantId, spaces, look }: Context): Promise<string> {
  const [tenant] = (await look(
    sql`SELECT embedding_model AS model FROM ${tenants} WHERE tenant_id = ${tenantId}::uuid`,
  )) as readonly { model: string }[];
  return tenant?.model ?? spaces.current;
}

function toCandidate({ terms }: AnalyzedQuery, row: CandidateRow, now: Date): Proposed {
  const [id, cosine, places, frequencies, length, given, at, type, fingerprint, supersededBy] = row;
  const occurredAt = toDate(at);
  const importance = presentImportance({ type, importance: given, occurredAt }, now);
  const matched = (places ?? []).map((place, index) => ({
    term: terms[place - 1]?.term ?? '',
    frequency: frequencies?.[index] ?? 1,
  }));
  const said = `${type} ${fingerprint}`;
  return { id, cosine, matched, length, importance, occurredAt, said, supersededBy };
}

function corpusOf({ terms }: AnalyzedQuery, { documents, averageLength, holding }: CandidatesAnswer): Corpus {
  return {
    documents,
    averageLength,
    documentFrequency: new Map((holding ?? []).map((count, index) => [terms[index]?.term ?? '', count])),
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

/** The memories of the best; those beyond the ones whose surroundings were looked at still have to be fetched. */
async function present(
  context: Context,
  best: readonly Scored[],
  loaded: ReadonlyMap<string, MemoryColumns>,
): Promise<Recalled[]> {
  const missing = best.filter(({ id }) => !loaded.has(id)).map(({ id }) => id);
  const more =
    missing.length === 0 ? [] : await context.look(memoriesStatement(context.tenantId, uuids(missing)));
  const [{ found } = { found: null }] = more as readonly { found: readonly MemoryColumns[] | null }[];
  const byId = new Map([...loaded, ...(found ?? []).map((memory) => [memory[0], memory] as const)]);
  return best.flatMap((item) => {
    const memory = byId.get(item.id);
    return memory ? [toRecalled(memory, rounded(item))] : [];
  });
}

function toRecalled(memory: MemoryColumns, similarity: number): Recalled {
  const [id, type, content, category, key, tags, importance, occurredAt, sessionId, sources, newer] = memory;
  return {
    id,
    type,
    content,
    similarity,
    occurred_at: toDate(occurredAt).toISOString(),
    category,
    key,
    tags: [...tags],
    importance,
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(sources.length === 0 ? {} : { derived_from: [...sources] }),
    ...(newer === null ? {} : { superseded_by: newer }),
  };
}

/** A moment as JSON has it, in UTC without saying so. */
function toDate(text: string): Date {
  return new Date(`${text}Z`);
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
