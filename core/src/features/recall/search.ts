import { sql } from 'drizzle-orm';
import { type Context, contextsOf } from '../../kernel/context/context.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { type AnalyzedQuery, analyzeQuery } from '../../text/analyze-query.ts';
import { correctionsOf, withCorrections } from '../../text/spelling.ts';
import { embedQuery, type QueryVector } from '../embedding/embed.ts';
import { type Calibration, genericCalibration } from '../embedding/embedder.ts';
import { currentView } from '../visibility/view.ts';
import { byWords, ofPeriod, ofShortPeriod, withPeriod } from './asked-period.ts';
import { addCandidates, type Candidate, type Candidates } from './candidates.ts';
import type { Explained, Recalled, recallRoutes } from './contract.ts';
import { databaseIndex } from './database-index/database-index.ts';
import { explainChoice, explainRanking, type Outcome, type RankedBy } from './explain.ts';
import { holdsAt, passesFilters } from './filters.ts';
import { followChains } from './follow-chains.ts';
import { inMemoryIndex } from './in-memory-index/find-in-memory.ts';
import { indexesKnownAt } from './known-index.ts';
import { lookPastCopies } from './look-past-copies.ts';
import type { EmbeddedSearch, MemoryIndex, RunQuery, Search } from './memory-index.ts';
import { inOrder, present, withConflicts } from './present.ts';
import {
  type Conflicts,
  conflictsAmong,
  conflictsAsked,
  type FoundConflicts,
  joinConflicts,
  nextBest,
  raiseNewer,
  storedConflicts,
  withNewer,
} from './ranking/conflicts.ts';
import { rankInContext } from './ranking/context.ts';
import { type Picked, pickResults } from './ranking/pick-results.ts';
import { findSuccessors, preferNewer, type Validity } from './ranking/prefer-newer.ts';
import { byEvidence, scoreCandidates } from './ranking/score-candidates.ts';
import { besideCrowd } from './ranking/semantic.ts';
import { rerank } from './reranking/rerank.ts';
import { withoutSignals } from './signals.ts';

const DEFAULT_LIMIT = 10;
/** Most words of a question for one thing. */
const SHORT_QUESTION = 12;
/** Results that may fit into a number of tokens. */
const MOST_RESULTS = 100;

/** The results of a recall. */
export interface SearchResults {
  readonly results: Recalled[];
  /** True when the embedder was away and only words were compared. */
  readonly degraded: boolean;
  /** What was left out and why, where `explain` is set. */
  readonly explained: Explained | undefined;
}

/** A search with the limits of its results. */
interface Request extends Search {
  readonly threshold: number;
  /** Number of results; infinite where a number of tokens decides. */
  readonly wanted: number;
  readonly maxTokens: number | undefined;
  readonly maxContentCharacters: number | undefined;
  /** Whether to show when results were stored and changed. */
  readonly withTimes: boolean;
  readonly validity: Validity;
  /** Searches what the store knew then; undefined: what it knows now. */
  readonly knownAt: Date | undefined;
  /** Whether to say why each result is one. */
  readonly explain: boolean;
}

/** The ranked candidates of one tenant, and what they were ranked by. */
interface Ranking extends FoundCandidates {
  readonly source: Context;
  /** The candidates by id. */
  readonly proposed: ReadonlyMap<string, Candidate>;
  readonly by: RankedBy;
  readonly outcome: Outcome;
  /** The conflicts among the candidates that were found when these were stored. */
  readonly conflicts: FoundConflicts;
}

interface FoundCandidates {
  readonly candidates: Candidates;
  readonly vector: QueryVector | undefined;
}

/** Candidates with the index that found them. */
interface Found extends FoundCandidates {
  readonly index: MemoryIndex;
}

/**
 * Finds memories by meaning, best first: analyses the query, embeds it, finds candidates, ranks them (and reranks
 * the best where there is a reranker), and presents the best.
 *
 * @param firstQuery Runs the first query on the agent's own tenant; default: like the others, which count as no use of the plan.
 */
export async function searchMemories(
  context: Context,
  input: ParsedOf<typeof recallRoutes.recall>,
  firstQuery?: RunQuery,
): Promise<SearchResults> {
  const request = analyse(context, input);
  const rankings = await rankAll(context, request, firstQuery);
  const best = pickAmong(rankings, request);
  const ranked = rankings.map(({ outcome }) => outcome.ranked);
  const runnersUp = nextBest(ranked, best.results);
  const compared = { ...best, results: [...best.results, ...runnersUp] };
  const presented = await Promise.all(rankings.map((ranking) => present(ranking, request, compared)));
  const conflicts = findConflicts(rankings, presented, request, compared);
  const picked = {
    ...best,
    results: withNewer(best.results, { beside: runnersUp, conflicts: conflicts.likely, most: request.limit }),
  };
  const shown = new Set(picked.results.map(({ id }) => id));
  const memories = presented.flat().filter(({ id }) => shown.has(id));
  const results = inOrder(withConflicts(memories, picked, conflicts.all), picked, request);
  const degraded = rankings.some(({ vector }) => vector === undefined);
  if (!request.explain) return { results, degraded, explained: undefined };
  return { ...explain(request, withRaised(rankings, conflicts.likely), picked, results), degraded };
}

/**
 * The conflicts of the best memories: those that were found when they were stored, and those that a comparison of what they say
 * finds now.
 *
 * @param presented The memories of each ranking.
 */
function findConflicts(
  rankings: readonly Ranking[],
  presented: readonly (readonly Recalled[])[],
  { query, validity }: Request,
  { results }: Picked,
): FoundConflicts {
  const evidence = new Map(results.map((one) => [one.id, one.evidence]));
  const evidenceOf = (id: string) => evidence.get(id) ?? 0;
  const asked = presented.map((memories, place) => {
    const writerOf = (id: string) => rankings[place]?.proposed.get(id)?.source;
    return conflictsAmong(memories, query.focus, { at: validity.at, writerOf, evidenceOf });
  });
  const found = [...rankings.map(({ conflicts }) => conflicts), ...asked];
  return {
    all: joinConflicts(found.map(({ all }) => all)),
    likely: joinConflicts(found.map(({ likely }) => likely)),
  };
}

/** The rankings with the newer facts raised, so that an explanation tells the order that is shown. */
function withRaised(rankings: readonly Ranking[], likely: Conflicts): readonly Ranking[] {
  return rankings.map((ranking) => {
    const ranked = [...raiseNewer(ranking.outcome.ranked, likely)].sort(byEvidence);
    return { ...ranking, outcome: { ...ranking.outcome, ranked } };
  });
}

function analyse({ now, settings }: Context, input: ParsedOf<typeof recallRoutes.recall>): Request {
  const { query, threshold, limit, max_tokens: maxTokens, ...rest } = input;
  const {
    max_content_characters: maxContentCharacters,
    include_times: withTimes,
    include_superseded: includeSuperseded,
    known_at: knownAt,
    explain,
    ...filters
  } = rest;
  const { as_of: asOf, ...timeless } = filters;
  const byTokens = limit === undefined && maxTokens !== undefined;
  const most = limit ?? (byTokens ? MOST_RESULTS : DEFAULT_LIMIT);
  return {
    query: withoutSignals(settings.recallWithout).query(withPeriod(analyzeQuery(query, now), filters)),
    filters,
    limit: most,
    threshold,
    wanted: byTokens ? Number.POSITIVE_INFINITY : most,
    maxTokens,
    maxContentCharacters,
    withTimes,
    explain,
    knownAt,
    validity: {
      at: asOf ?? now,
      includeSuperseded,
      fits: (memory) => passesFilters(memory, timeless),
      isOver: (memory) => asOf !== undefined && !holdsAt(memory, asOf),
    },
  };
}

/**
 * Ranks the memories of each tenant that a call reads. A query that names nothing but a period ("What happens tomorrow?") asks for
 * all that happened in it; where nothing did, for what holds its words.
 */
async function rankAll(context: Context, request: Request, firstQuery?: RunQuery): Promise<Ranking[]> {
  const sources = contextsOf(context);
  // The agent's plan counts the call of a user, too. The count goes with the search of the agent's own tenant: its index is mostly in
  // memory, so the count is done before the search of the user's tenant ends.
  const countedWith = sources.find(({ tenantId }) => tenantId === context.agentId) ?? sources[0];
  const find = (asked: Request, first?: RunQuery) =>
    Promise.all(
      sources.map(async (source) => {
        const run = startingWith(source === countedWith ? first : undefined, freeQueries(source));
        return { source, ...(await findCandidates(source, asked, run)) };
      }),
    );
  const search = async (asked: Request, first?: RunQuery) => {
    const asWritten = await find(asked, first);
    const mended = await withoutErrors(asked, asWritten);
    const found = mended ? await find(mended) : asWritten;
    return Promise.all(
      found.map((one) =>
        rank(one.source, mended ?? asked, { ...one, calibration: calibrationBeside(one, found) }),
      ),
    );
  };
  const inPeriod = ofPeriod(request);
  const rankings = await search(inPeriod ?? request, firstQuery);
  const isEmpty = rankings.every(({ outcome }) => outcome.ranked.length === 0);
  return inPeriod && isEmpty ? search(byWords(request)) : rankings;
}

/**
 * The search by what was meant, where a word of the query that no memory holds differs by one typing error from one that some hold;
 * undefined where none does.
 */
async function withoutErrors<S extends Search>(search: S, found: readonly Found[]): Promise<S | undefined> {
  const isHeld = (term: string) =>
    found.some(({ candidates }) => (candidates.corpus.documentFrequency.get(term) ?? 0) > 0);
  const corrections = correctionsOf(search.query, isHeld);
  if (corrections.length === 0) return undefined;
  const terms = [...new Set(corrections.map(({ term }) => term))];
  const held = await Promise.all(found.map(({ index }) => index.holding(terms)));
  const query = withCorrections(search.query, corrections, new Set(held.flatMap((some) => [...some])));
  return query === search.query ? undefined : { ...search, query };
}

/**
 * Embeds the query by the model whose vectors are active for this tenant, and finds candidates in the first index that can
 * answer. While the tenant is being re-embedded, the former model stays active.
 */
async function findCandidates(context: Context, search: Request, run: RunQuery): Promise<Found> {
  const { tenantId, embeddingModels, indexCache } = context;
  // Only the embedder of the active model receives the query.
  const model = rememberedModel(context) ?? (await loadActiveModel(context));
  embeddingModels.rememberActiveModel(tenantId, model);
  // In parallel: the embedder may take longer than everything else.
  const [held, vector] = await Promise.all([
    indexCache.get(tenantId, (statement) => run({ statement, shareable: true })),
    embedQuery(context, model, search.query),
  ]);
  // Read after the embedder answered: the visibility settings may have changed meanwhile.
  const view = await currentView(context);
  const embedded = { ...search, model, vector, view };
  const indexesFor = (asked: EmbeddedSearch) =>
    search.knownAt
      ? indexesKnownAt(context, asked, { at: search.knownAt, run, held })
      : [inMemoryIndex(held, asked, context.now), databaseIndex(context, asked, run)];
  const first = await firstAnswer(indexesFor(embedded));
  // No index has vectors of this model: the active one changed meanwhile.
  if (!first) return findCandidates(context, search, run);
  const candidates = await pastCopies(context, search, { ...first, vector });
  const inPeriod = ofShortPeriod(embedded);
  const more = inPeriod && (await firstAnswer(indexesFor(inPeriod)));
  return {
    candidates: more ? addCandidates(candidates, more.found) : candidates,
    index: first.index,
    vector,
  };
}

/** The answer of the first index that can give one. */
async function firstAnswer(
  indexes: readonly MemoryIndex[],
): Promise<{ readonly found: Candidates; readonly index: MemoryIndex } | undefined> {
  for (const index of indexes) {
    const found = await index.find();
    if (found) return { found, index };
  }
  return undefined;
}

/** Searches again when near-copies crowd all others out. Not in large tenants, where that is too slow. */
async function pastCopies(
  { settings }: Context,
  { query }: Search,
  { found, index, vector }: { found: Candidates; index: MemoryIndex; vector: QueryVector | undefined },
): Promise<Candidates> {
  const { recallExactUpTo, recallWithout } = settings;
  if (found.corpus.documents > recallExactUpTo || recallWithout.includes('copies')) return found;
  return lookPastCopies(query, found, { calibration: vector?.calibration ?? genericCalibration, index });
}

/** How the cosines of what was found in a tenant are read, beside what was found in all of them by the same model. */
function calibrationBeside({ vector }: FoundCandidates, all: readonly FoundCandidates[]): Calibration {
  if (!vector) return genericCalibration;
  const alike = all.filter((other) => other.vector?.model === vector.model);
  return besideCrowd(
    vector.calibration,
    alike.map(({ candidates }) => candidates.candidates),
  );
}

async function rank(
  context: Context,
  { query, validity, knownAt }: Request,
  { candidates: found, vector, calibration }: FoundCandidates & { readonly calibration: Calibration },
): Promise<Ranking> {
  const signals = withoutSignals(context.settings.recallWithout);
  const candidates = signals.candidates(found.candidates);
  const surroundings = signals.surroundings(found);
  const scored = scoreCandidates(query, found.corpus, candidates, calibration);
  const inContext = rankInContext(query, scored, surroundings);
  const reranked = await rerank(context, query, { ranked: inContext, load: found.load });
  const successors = await findSuccessors(candidates, validity, {
    load: found.load,
    follow: (ids) => followChains(context, ids, knownAt),
  });
  const unraised = preferNewer(reranked, candidates, successors, validity);
  const all = storedConflicts(candidates, validity.at);
  const likely = await conflictsAsked(all, query.focus, found.load);
  const ranked = likely.size === 0 ? unraised : [...raiseNewer(unraised, likely)].sort(byEvidence);
  return {
    ...{ source: context, candidates: found, vector },
    proposed: byId(candidates),
    by: { query, corpus: found.corpus, candidates, surroundings, calibration },
    outcome: { inContext, reranked, unraised, ranked, successors },
    conflicts: { all, likely },
  };
}

function byId(candidates: readonly Candidate[]): ReadonlyMap<string, Candidate> {
  const found = new Map<string, Candidate>();
  for (const candidate of candidates) found.set(candidate.id, candidate);
  return found;
}

/** Picks the best of all tenants together. */
function pickAmong(rankings: readonly Ranking[], { threshold, wanted, limit, query }: Request): Picked {
  const limits = { threshold, wanted, most: limit, isForOne: asksForOne(query) };
  const [only, ...others] = rankings;
  if (only && others.length === 0) return pickResults(only.outcome, only.proposed, limits);
  const ranked = rankings.flatMap(({ outcome }) => outcome.ranked).sort(byEvidence);
  const unraised = rankings.flatMap(({ outcome }) => outcome.unraised).sort(byEvidence);
  const proposed = new Map(rankings.flatMap((ranking) => [...ranking.proposed]));
  return pickResults({ ranked, unraised }, proposed, limits);
}

/** Whether a query is a short question. With a longer one, memories share some words by chance. */
function asksForOne({ asks, hasTopic, length }: AnalyzedQuery): boolean {
  return asks && hasTopic && length <= SHORT_QUESTION;
}

/** Adds to results why they are there. */
function explain(
  { threshold }: Request,
  rankings: readonly Ranking[],
  picked: Picked,
  results: readonly Recalled[],
) {
  const explanations = rankings.map(({ by, outcome }) => ({
    has: new Set(outcome.ranked.map(({ id }) => id)),
    of: explainRanking(by, outcome),
  }));
  const shown = new Set(results.map(({ id }) => id));
  const explained = results.map((result) => {
    const { of } = explanations.find(({ has }) => has.has(result.id)) ?? {};
    return of ? { ...result, explanation: of(result.id) } : result;
  });
  return { results: explained, explained: explainChoice(threshold, rankings, picked, shown) };
}

/** Runs queries without counting them against the plan. */
function freeQueries({ database, sharedQueries, tenantId }: Context): RunQuery {
  return async ({ statement, shareable }) => {
    if (shareable) return sharedQueries.run(tenantId, statement);
    const [found = []] = await database.batch(tenantId, [statement()]);
    return found;
  };
}

/** Runs the first query in another way than the others. */
function startingWith(first: RunQuery | undefined, others: RunQuery): RunQuery {
  let next = first ?? others;
  return (query) => {
    const run = next;
    next = others;
    return run(query);
  };
}

/**
 * The active model of the tenant, where this process remembers it. For the tenant of a user that is searched for the first time, that
 * of its agent: they are nearly always the same, and an index with vectors of another model answers nothing.
 */
function rememberedModel({ tenantId, agentId, user, embeddingModels }: Context): string | undefined {
  const remembered = embeddingModels.activeModelOf(tenantId);
  return remembered ?? (user?.tenantId === tenantId ? embeddingModels.activeModelOf(agentId) : undefined);
}

async function loadActiveModel(context: Context): Promise<string> {
  const { tenantId, embeddingModels } = context;
  const statement = () =>
    sql`SELECT embedding_model AS model FROM ${tenants} WHERE tenant_id = ${tenantId}::uuid`;
  const [tenant] = (await freeQueries(context)({ statement, shareable: false })) as readonly {
    model: string;
  }[];
  return tenant?.model ?? embeddingModels.current;
}
