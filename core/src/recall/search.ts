import { sql } from 'drizzle-orm';
import { countTokens } from '../boot/tokens.ts';
import type { Parsed } from '../contract/index.ts';
import { embedQuery, type QueryVector } from '../embedding/embed-query.ts';
import { genericCalibration } from '../embedding/embedder.ts';
import type { Context } from '../engine/context.ts';
import { tenants } from '../tenants/schema.ts';
import { type AnalyzedQuery, analyzeQuery } from './analyze.ts';
import type { Recalled } from './contract.ts';
import { type CandidatesAnswer, candidatesStatement, type Search } from './find-candidates.ts';
import { mostOf } from './find-words.ts';
import type { Findings, Remembered } from './findings.ts';
import { type Proposed, preferNewer } from './prefer-newer.ts';
import { type Scored, scoreCandidates } from './rank.ts';
import { rankInContext } from './rank-context.ts';
import { similarityOf } from './rank-similarity.ts';
import { readFindings } from './read-findings.ts';
import { findResident } from './resident/find-resident.ts';
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

/** Finds memories by meaning, best first; `ask` is `context.ask` where the recall counts as a use, else `context.look`. */
export async function searchMemories(
  context: Context,
  input: Parsed<'recall'>,
  ask: Context['look'],
): Promise<Found> {
  const { recallWithout: without } = context.settings;
  const seen = without.length === 0 ? undefined : blindfold(without);
  const analyzed = analyzeQuery(input.query, context.now);
  const query = seen?.query(analyzed) ?? analyzed;
  const { threshold, limit, max_tokens, query: _, ...filters } = input;
  const most = limit ?? (max_tokens === undefined ? DEFAULT_LIMIT : MOST_RESULTS);
  const wanted = limit === undefined && max_tokens !== undefined ? Number.POSITIVE_INFINITY : most;
  const rank = (findings: Findings, vector: QueryVector | undefined): Ranked => {
    const candidates = seen?.candidates(findings.candidates) ?? findings.candidates;
    const own = scoreCandidates(
      query,
      findings.corpus,
      candidates,
      vector?.calibration ?? genericCalibration,
    );
    const surroundings = seen?.surroundings(findings) ?? findings;
    const ranked = preferNewer(rankInContext(query, own, surroundings), candidates);
    const best = bestOf(ranked, candidates, { threshold, wanted });
    return { best, load: findings.load, degraded: vector === undefined };
  };
  const { best, load, degraded } = await find(context, { query, filters, limit: most }, { ask, rank });
  const results = await present(best, load);
  return { results: max_tokens === undefined ? results : fitting(results, max_tokens), degraded };
}

/** The best of what was found, with what shows them. */
interface Ranked extends Pick<Found, 'degraded'>, Pick<Findings, 'load'> {
  readonly best: readonly Scored[];
}

/**
 * Searches the tenant's memories in this process where it holds them, else in the database: with the vector of the model
 * whose vectors answer this tenant's recalls. While the tenant is being re-embedded, that is still the model from before;
 * which one it is, the answer itself tells, so that a switch comes before or after it.
 *
 * @param rank Called with what was found before anything else is waited for: of recalls that the database answers together,
 * one's findings at a time are then in memory.
 */
async function find(
  context: Context,
  search: Pick<Search, 'query' | 'filters' | 'limit'>,
  { ask, rank }: { ask: Context['look']; rank(findings: Findings, vector: QueryVector | undefined): Ranked },
): Promise<Ranked> {
  const { tenantId, spaces, sizes, residents, now } = context;
  // Only the first statement counts as a use.
  let counted = false;
  const once: Context['look'] = (lookup) => {
    const first = !counted;
    counted = true;
    return first ? ask(lookup) : context.look(lookup);
  };
  for (;;) {
    // A query goes only to the embedder it is meant for: where nothing is known yet, that is looked up first.
    const model = spaces.lastAnswering(tenantId) ?? (await answeringModel(context));
    spaces.noteAnswering(tenantId, model);
    // Neither waits for the other: a model may take longer than all the rest.
    const [index, vector] = await Promise.all([
      residents.upToDate(tenantId, once),
      embedQuery(context, model, search.query.focus),
    ]);
    if (index?.model === model) return rank(findResident(index, { ...search, vector, now }), vector);
    const large = sizes.isLarge(tenantId);
    const known = (term: string) => sizes.holding(tenantId, term);
    const whole = { ...search, tenantId, large, known, ...(vector ? { vector } : {}) };
    const [answer] = (await once(candidatesStatement(whole))) as readonly { found: CandidatesAnswer }[];
    if (!answer) throw new TypeError('the statement answers one row');
    const { found } = answer;
    sizes.note(tenantId, found.documents);
    const answering = found.model ?? spaces.current;
    if (answering === model) {
      residents.wish(tenantId, found.documents);
      const findings = readFindings(context, search.query, found);
      if (large) noteTerms(context, search.query, findings);
      return rank(findings, vector);
    }
    spaces.noteAnswering(tenantId, answering);
  }
}

/** Remembers how many memories hold a term, where all of them were counted, or so many that it tells little anyway. */
function noteTerms({ tenantId, sizes }: Context, query: AnalyzedQuery, { corpus }: Findings): void {
  const most = mostOf(query);
  for (const [place, { term, whole }] of query.terms.entries()) {
    const holding = corpus.documentFrequency.get(term) ?? 0;
    const counted = whole || holding < (most[place] ?? 0);
    if (counted && sizes.holding(tenantId, term) === undefined) sizes.noteHolding(tenantId, term, holding);
  }
}

async function answeringModel({ tenantId, spaces, look }: Context): Promise<string> {
  const [tenant] = (await look(
    sql`SELECT embedding_model AS model FROM ${tenants} WHERE tenant_id = ${tenantId}::uuid`,
  )) as readonly { model: string }[];
  return tenant?.model ?? spaces.current;
}

/** The first that reach the threshold, but for what says the same as a better one: copies cannot crowd out the rest. */
function bestOf(
  ranked: readonly Scored[],
  candidates: readonly Proposed[],
  { threshold, wanted }: { threshold: number; wanted: number },
): Scored[] {
  const proposed = new Map<string, Proposed>();
  for (const candidate of candidates) proposed.set(candidate.id, candidate);
  const seen = new Set<string>();
  const best: Scored[] = [];
  for (const item of ranked) {
    if (best.length >= wanted || rounded(item) < threshold) break;
    const { type, fingerprint = item.id } = proposed.get(item.id) ?? {};
    const said = `${type} ${fingerprint}`;
    if (!seen.has(said)) best.push(item);
    seen.add(said);
  }
  return best;
}

async function present(best: readonly Scored[], load: Findings['load']): Promise<Recalled[]> {
  const loaded = await load(best.map(({ id }) => id));
  const memories = new Map(loaded.map((memory) => [memory.id, memory]));
  return best.flatMap((item) => {
    const memory = memories.get(item.id);
    return memory ? [toRecalled(memory, rounded(item))] : [];
  });
}

function toRecalled(memory: Remembered, similarity: number): Recalled {
  const { id, type, content, category, key, importance } = memory;
  return {
    id,
    type,
    content,
    similarity,
    occurred_at: memory.occurredAt.toISOString(),
    category,
    key,
    tags: [...memory.tags],
    importance,
    ...(memory.sessionId === null ? {} : { session_id: memory.sessionId }),
    ...(memory.derivedFrom.length === 0 ? {} : { derived_from: [...memory.derivedFrom] }),
    ...(memory.supersededBy === null ? {} : { superseded_by: memory.supersededBy }),
  };
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

function rounded({ evidence }: Scored): number {
  return Math.round(similarityOf(evidence) * SIMILARITY_DIGITS) / SIMILARITY_DIGITS;
}
