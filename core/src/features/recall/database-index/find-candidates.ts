import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { compileStatement, type Param } from '../../../kernel/database/compiled-statement.ts';
import { uuids } from '../../../kernel/database/parameters.ts';
import { tenants } from '../../../kernel/tenancy/schema.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import type { QueryVector } from '../../embedding/embed.ts';
import { firstOfChain } from '../../records/first-of-chain.ts';
import { memories } from '../../records/schema.ts';
import { isUnexpired } from '../../records/validity.ts';
import { corpusSizes, memoryVectors } from '../../search-index/schema.ts';
import {
  type Filters,
  isFiltered,
  matchesFilters,
  WITHOUT_COPIES,
  WITHOUT_EXPIRED,
  withoutCoveredDigests,
} from '../filters.ts';
import { type MemoryColumns, memoryColumns, memoryColumnsWith, writerColumn } from '../memory-columns.ts';
import { SATURATION } from '../ranking/lexical.ts';
import { CANDIDATE_LIMIT, CONTEXT_SEEDS, scaledLimit } from '../search-limits.ts';
import {
  corpus,
  isAmong,
  NONE_NEAR,
  nearest,
  neighbours,
  semanticShare,
  type VectorValues,
  vectorValues,
  visibleMemories,
} from './candidate-clauses.ts';
import { budgetedTerms, exactTerms, type TermValues, termValues } from './find-words.ts';

/** Contents of this many times the context seeds are answered at once. Ranking may move any of them to the top. */
const PREFETCH = 3;
/** Longer contents are not prefetched: few of them are shown in the end. */
const PREFETCH_BYTES = 2000;

/** A query, and the memories to search. */
export interface CandidateQuery {
  readonly tenantId: string;
  readonly query: AnalyzedQuery;
  /** Undefined: only words count. */
  readonly vector?: QueryVector;
  readonly filters: Filters;
  readonly now: Date;
  /** Condition on what the caller may read; undefined for everything. Other memories do not count in statistics either. */
  readonly readable?: SQL | undefined;
  /** Requested results. */
  readonly limit: number;
  /** Whether the tenant has too many memories to look at all of them; default false. */
  readonly large?: boolean;
  /** The cached document frequency of a term; undefined where it must be counted. */
  known?(term: string): number | undefined;
  /** Ids of memories that are searched as if they did not exist. */
  readonly without?: readonly string[];
}

/** A candidate. `places` are indexes of query terms, from 1; `frequencies` says how often the memory holds each. */
export type CandidateRow = readonly [
  /** Without its content where that is unlikely to be shown. */
  memory: MemoryColumns<string | null>,
  cosine: number | null,
  places: readonly number[] | null,
  frequencies: readonly number[] | null,
  /** Of each place the passages that hold its term; null for a memory of one passage. */
  passages: readonly (readonly number[])[] | null,
  length: number,
  /** Equal for contents that differ only in letter case and spacing. */
  fingerprint: string,
  /** The newer memory that supersedes it, where the caller may read that. */
  successor: string | null,
  sketch: string | null,
  /** The writer: the source with its credential. */
  writer: string,
];

/** The result of the statement, in one JSON value: faster to read than hundreds of short rows. */
export interface CandidatesRow {
  /** The tenant's active model. */
  readonly model: string | null;
  readonly documents: number;
  readonly averageLength: number;
  /** Document frequency of each query term. */
  readonly holding: readonly number[] | null;
  /** Best first. */
  readonly candidates: readonly CandidateRow[] | null;
  readonly links: readonly (readonly [anchor: string, neighbour: string, distance: number])[] | null;
  /** Neighbours whose contents are not among those of the candidates. */
  readonly beside: readonly MemoryColumns[] | null;
}

/** The candidates whose neighbours are read: so many of the best. */
export const seedsOf = (limit: number): number => scaledLimit(CONTEXT_SEEDS, limit);

type Values = TermValues &
  VectorValues &
  Record<'tenantId' | 'now', string> &
  Record<'most' | 'seeds', number>;

/** What the text of the statement depends on beside its values. */
interface Form {
  readonly filters: Filters;
  readonly readable: SQL | undefined;
  readonly without: readonly string[];
  readonly isByVector: boolean;
  /** The search, of a tenant that has too many memories to look at all of them. */
  readonly large: CandidateQuery | undefined;
}

/** A search without conditions: nearly every one. Its text is always the same, and takes as long to make as to search for. */
const PLAIN: Form = { filters: {}, readable: undefined, without: [], isByVector: true, large: undefined };
const plain = compileStatement<Values>((param) => write(PLAIN, param));

/**
 * One statement for everything that a recall needs: the tenant's best memories by BM25 and by cosine distance, what the
 * ranking reads of each, and the neighbours of the best in their sessions. All statistics are the tenant's own.
 */
export function candidatesStatement(search: CandidateQuery): SQLWrapper {
  const { filters, readable, without = [], vector } = search;
  const large = search.large ? search : undefined;
  const values: Values = {
    tenantId: search.tenantId,
    now: search.now.toISOString(),
    most: scaledLimit(CANDIDATE_LIMIT, search.limit),
    seeds: seedsOf(search.limit),
    ...termValues(search.query),
    ...(vector ? vectorValues(vector) : { model: '', vector: '', trust: 0, unrelated: 0, spread: 1 }),
  };
  const form = { filters, readable, without, isByVector: vector !== undefined, large };
  if (isWhole(form) && !large && vector && without.length === 0) return plain(values);
  return write(form, (name) => sql`${values[name]}`);
}

/** Whether it searches all of the tenant's memories. */
function isWhole({ filters, readable }: Form): boolean {
  return !isFiltered(filters) && !readable;
}

function write(form: Form, param: Param<Values>): SQL {
  const own = sql`tenant_id = ${param('tenantId')}::uuid`;
  return sql`
    WITH ${foundCandidates(form, param, own)}, ${rankedCandidates(form, param, own)}, ${neighboursOfBest(form, param)}
    SELECT json_build_object(
      'model', (SELECT embedding_model FROM ${tenants} WHERE ${own}),
      'documents', (SELECT documents FROM corpus),
      'averageLength', (SELECT average FROM corpus),
      'holding', (SELECT json_agg(holding ORDER BY place) FROM asked),
      'candidates', (SELECT json_agg(json_build_array(${memoryColumnsWith(sql`CASE WHEN prefetched THEN content END`)},
        cosine, places, frequencies, passages, length, fingerprint::text, successor, sketch, ${writerColumn})
        ORDER BY rank) FROM judged),
      'links', (SELECT json_agg(json_build_array(anchor, id, distance)) FROM around),
      'beside', (SELECT json_agg(${memoryColumns}) FROM ${memories}
        WHERE ${own} AND id = ANY(ARRAY(SELECT id FROM around EXCEPT SELECT id FROM judged WHERE prefetched)))
    ) AS found`;
}

/** The clauses up to `candidate`: the best memories by words and by vector. */
function foundCandidates(form: Form, param: Param<Values>, own: SQL): SQL {
  const { filters, readable, without, isByVector } = form;
  const proposals = sql`${param('most')}::int`;
  const findable = isFiltered(filters)
    ? sql`SELECT ${memories.id} FROM ${memories} WHERE ${isFindable(form, param)}`
    : undefined;
  const restricted = findable ? sql`AND ${isAmong(findable)}` : WITHOUT_EXPIRED;
  const large = isWhole(form) ? form.large : undefined;
  const among = form.large && findable;
  const isReadable = readable ? sql`AND ${readable}` : sql``;
  const visible = readable
    ? sql`${withoutCoveredDigests(filters)} AND ${isAmong(sql`SELECT id FROM seen`)}`
    : withoutCoveredDigests(filters);
  const onlyCounted = without.length === 0 ? visible : sql`${visible} ${WITHOUT_COPIES}`;
  const words = { param, own, proposals, restricted, onlyCounted };
  const near = isByVector
    ? nearest(param, own, {
        proposals,
        restricted: among ? onlyCounted : sql`${onlyCounted} ${restricted}`,
        among,
        dimensions: large?.vector?.values.length,
      })
    : NONE_NEAR;
  return sql`echo AS MATERIALIZED (
      SELECT id, length FROM ${memories} WHERE ${own} AND echoes AND archived_at IS NULL ${isReadable}
    ), expired AS MATERIALIZED (
      SELECT id FROM ${memories} WHERE ${own} AND archived_at IS NULL AND expires_at <= ${param('now')}::timestamptz
    ), ${without.length === 0 ? sql`` : sql`copy AS MATERIALIZED (SELECT unnest(${uuids(without)}) AS id), `}
    ${readable ? visibleMemories(own, readable) : sql``}${corpus(filters, readable ? sql`seen_size` : sql`${corpusSizes} WHERE ${own}`, without.length)}, ${large ? budgetedTerms(words, large) : exactTerms(words)}, near AS MATERIALIZED (
      ${near}
    ), candidate AS MATERIALIZED (
      SELECT memory_id, places, frequencies, passages, score, distance FROM worded FULL JOIN near USING (memory_id)
    )`;
}

/** What the ranking reads of each candidate, and their order by words and meaning alone. */
function rankedCandidates({ isByVector, readable }: Form, param: Param<Values>, own: SQL): SQL {
  // By the whole primary key, whatever the table's statistics say.
  const cosine = isByVector
    ? sql`1 - coalesce(distance, (SELECT embedding <=> ${param('vector')}::vector FROM ${memoryVectors} v
          WHERE v.${own} AND v.model = ${param('model')} AND v.memory_id = candidate.memory_id))`
    : sql`NULL::float8`;
  // Over what is archived or withheld.
  const successor = readable
    ? sql`(SELECT id FROM (${firstOfChain({ tenant: sql`${param('tenantId')}::uuid`, first: sql`memory.superseded_by`, counts: sql`newer.id IN (SELECT id FROM seen)` })}) AS follower)`
    : sql`superseded_by`;
  const likely = sql`rank <= ${PREFETCH}::int * ${param('seeds')}::int AND octet_length(content) <= ${PREFETCH_BYTES}::int`;
  return sql`known AS MATERIALIZED (
      SELECT memory.*, places, frequencies, passages, score, ${cosine} AS cosine, ${successor} AS successor
      FROM candidate JOIN ${memories} memory ON memory.${own} AND memory.id = memory_id
    ), judged AS MATERIALIZED (
      SELECT *, rank <= ${param('seeds')}::int OR (${likely}) AS prefetched FROM (
        SELECT *, row_number() OVER (ORDER BY
          coalesce(matched, 0) + (1 - coalesce(matched, 0)) * (${isByVector ? semanticShare(param) : sql`0`}) DESC, id) AS rank
        FROM (
          SELECT *, least(1, coalesce(score, 0) * ${SATURATION + 1}::float8
            / (SELECT nullif(sum(gain) FILTER (WHERE whole), 0) FROM asked)) AS matched FROM known
        ) AS matching
      ) AS ranked
    )`;
}

/** Condition on `memories`: what this search may find. */
function isFindable({ filters, readable }: Form, param: Param<Values>): SQL {
  const unexpired = isUnexpired(sql`${param('now')}::timestamptz`);
  return matchesFilters(sql`${param('tenantId')}::uuid`, filters, and(unexpired, readable));
}

/** The memories next to each of the best candidates in its session. */
function neighboursOfBest(form: Form, param: Param<Values>): SQL {
  const condition = isFindable(form, param);
  return sql`around AS MATERIALIZED (
      SELECT anchor.id AS anchor, near.id, near.distance
      FROM judged AS anchor CROSS JOIN LATERAL (${neighbours(condition, 'before')}
        UNION ALL ${neighbours(condition, 'after')}) AS near
      WHERE anchor.rank <= ${param('seeds')}::int AND anchor.session_id IS NOT NULL
    )`;
}

/**
 * Active memories by id, in the form of `MemoryColumns`.
 *
 * @param readable What the caller may read; undefined for everything.
 */
export function memoriesStatement(tenantId: string, ids: SQL, readable: SQL | undefined): SQL {
  return sql`SELECT json_agg(${memoryColumns}) AS found FROM ${memories}
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${ids}) AND archived_at IS NULL
      ${readable ? sql`AND ${readable}` : sql``}`;
}
