import { and, type SQL, sql } from 'drizzle-orm';
import type { MemoryType } from '../../../kernel/contract/fields.ts';
import { uuids } from '../../../kernel/database/arrays.ts';
import { vectorLiteral } from '../../../kernel/database/columns.ts';
import { tenants } from '../../../kernel/tenancy/schema.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import type { QueryVector } from '../../embedding/embed-query.ts';
import { memories } from '../../records/schema.ts';
import { isUnexpired } from '../../records/validity.ts';
import { corpusSizes, memoryVectors } from '../../search-index/schema.ts';
import {
  type Filters,
  isFiltered,
  matchesFilters,
  WITHOUT_COPIES,
  withoutCoveredDigests,
} from '../filters.ts';
import { type MemoryColumns, memoryColumns, writerColumn } from '../memory-columns.ts';
import { SATURATION } from '../ranking/lexical.ts';
import { CANDIDATE_LIMIT, CONTEXT_SEEDS, scaledLimit } from '../search-limits.ts';
import { corpus, nearest, neighbours, semanticShare, visibleMemories } from './candidate-clauses.ts';
import { budgetedTerms, exactTerms } from './find-words.ts';

/** Contents of this many times the context seeds are returned at once. Ranking may move any of them to the top. */
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
  id: string,
  cosine: number | null,
  places: readonly number[] | null,
  frequencies: readonly number[] | null,
  /** Of each place the passages that hold its term; null for a memory of one passage. */
  passages: readonly (readonly number[])[] | null,
  length: number,
  importance: number,
  occurredAt: string,
  type: MemoryType,
  /** Equal for contents that differ only in letter case and spacing. */
  fingerprint: string,
  /** The newer memory that supersedes it. */
  supersededBy: string | null,
  /** When it begins to hold, and ends by itself. */
  validFrom: string | null,
  validTo: string | null,
  sketch: string | null,
  /** The writer: the source with its credential. */
  source: string,
];

/** The result of the statement, in one JSON value: faster to read than hundreds of short rows. */
export interface CandidatesRow {
  /** The tenant's active model. */
  readonly model: string | null;
  readonly documents: number;
  readonly averageLength: number;
  /** Document frequency of each query term. */
  readonly holding: readonly number[] | null;
  readonly candidates: readonly CandidateRow[] | null;
  readonly links: readonly (readonly [anchor: string, neighbour: string, distance: number])[] | null;
  /** The context seeds and their neighbours. */
  readonly memories: readonly MemoryColumns[] | null;
  /** The next best candidates, prefetched because they may become results. Missing ones are read by another query. */
  readonly spare: readonly MemoryColumns[] | null;
}

/**
 * One statement for everything that a recall needs: the tenant's best memories by BM25 and by cosine distance, what the
 * ranking reads of each, and the neighbours of the best in their sessions. All statistics are the tenant's own.
 */
export function candidatesStatement(search: CandidateQuery): SQL {
  const own = sql`tenant_id = ${search.tenantId}::uuid`;
  const seeds = sql`${scaledLimit(CONTEXT_SEEDS, search.limit)}::int`;
  return sql`
    WITH ${foundCandidates(search, own)}, ${rankedCandidates(search)}, ${seedsAndNeighbours(search, seeds)}
    SELECT json_build_object(
      'model', (SELECT embedding_model FROM ${tenants} WHERE ${own}),
      'documents', (SELECT documents FROM corpus),
      'averageLength', (SELECT average FROM corpus),
      'holding', (SELECT json_agg(holding ORDER BY place) FROM asked),
      'candidates', (SELECT json_agg(json_build_array(memory_id, cosine, places, frequencies, passages, length, importance,
        occurred_at AT TIME ZONE 'UTC', type, fingerprint::text, superseded_by,
        valid_from AT TIME ZONE 'UTC', valid_to AT TIME ZONE 'UTC', sketch, source)) FROM known),
      'links', (SELECT json_agg(json_build_array(anchor, id, distance)) FROM around),
      'memories', (SELECT json_agg(${memoryColumns}) FROM ${memories}
        WHERE ${own} AND id = ANY(ARRAY(SELECT id FROM anchor UNION SELECT id FROM around))),
      'spare', (SELECT json_agg(${memoryColumns}) FROM ${memories}
        WHERE ${own} AND id = ANY(ARRAY(SELECT id FROM judged WHERE rank > ${seeds} AND rank <= ${PREFETCH} * ${seeds}))
          AND octet_length(content) <= ${PREFETCH_BYTES})
    ) AS found`;
}

/** The clauses up to `candidate`: the best memories by words and by vector. */
function foundCandidates(search: CandidateQuery, own: SQL): SQL {
  const { tenantId, vector, filters, readable, known = () => undefined, without = [] } = search;
  const most = scaledLimit(CANDIDATE_LIMIT, search.limit);
  const restricted = isFiltered(filters)
    ? sql`AND memory_id IN (SELECT ${memories.id} FROM ${memories} WHERE ${matchesFilters(tenantId, filters, findable(search))})`
    : sql``;
  const isLarge = search.large === true && !isFiltered(filters) && !readable;
  const isReadable = readable ? sql`AND ${readable}` : sql``;
  const visible = readable
    ? sql`${withoutCoveredDigests(filters)} AND memory_id IN (SELECT id FROM seen)`
    : withoutCoveredDigests(filters);
  const onlyCounted = without.length === 0 ? visible : sql`${visible} ${WITHOUT_COPIES}`;
  const words = { ...search, known, proposals: most, restricted, onlyCounted };
  return sql`echo AS MATERIALIZED (
      SELECT id, length FROM ${memories} WHERE ${own} AND echoes AND archived_at IS NULL ${isReadable}
    ), ${without.length === 0 ? sql`` : sql`copy AS MATERIALIZED (SELECT unnest(${uuids(without)}) AS id), `}
    ${readable ? visibleMemories(own, readable) : sql``}${corpus(filters, readable ? sql`seen_size` : sql`${corpusSizes} WHERE ${own}`, without.length)}, ${isLarge ? budgetedTerms(words) : exactTerms(words)}, near AS MATERIALIZED (
      ${nearest(vector, own, { proposals: most, restricted: sql`${onlyCounted} ${restricted}`, large: isLarge })}
    ), candidate AS MATERIALIZED (
      SELECT memory_id, places, frequencies, passages, score, distance FROM worded FULL JOIN near USING (memory_id)
    )`;
}

/** What the ranking reads of each candidate, and their order by words and meaning alone. */
function rankedCandidates({ tenantId, vector, readable, now }: CandidateQuery): SQL {
  const distance = vector && sql`embedding <=> ${vectorLiteral(vector.values)}::vector`;
  // By the whole primary key, whatever the table's statistics say.
  const cosine = distance
    ? sql`1 - coalesce(distance, (SELECT ${distance} FROM ${memoryVectors} v
          WHERE v.tenant_id = ${tenantId}::uuid AND v.model = ${vector.model} AND v.memory_id = candidate.memory_id))`
    : sql`NULL::float8`;
  return sql`known AS MATERIALIZED (
      SELECT memory_id, places, frequencies, passages, score, ${cosine} AS cosine, length, importance, occurred_at, session_id,
        type, fingerprint, ${readable ? sql`CASE WHEN superseded_by IN (SELECT id FROM seen) THEN superseded_by END AS superseded_by` : sql`superseded_by`},
        valid_from, valid_to, sketch, ${writerColumn} AS source
      FROM candidate JOIN ${memories} memory ON memory.tenant_id = ${tenantId}::uuid AND memory.id = memory_id
        AND (expires_at IS NULL OR expires_at > ${now.toISOString()}::timestamptz)
    ), judged AS MATERIALIZED (
      SELECT memory_id AS id, session_id, occurred_at, row_number() OVER (ORDER BY
        coalesce(matched, 0) + (1 - coalesce(matched, 0)) * ${semanticShare(vector?.calibration)} DESC, memory_id) AS rank
      FROM (
        SELECT *, least(1, coalesce(score, 0) * ${SATURATION + 1}::float8
          / (SELECT nullif(sum(gain) FILTER (WHERE whole), 0) FROM asked)) AS matched FROM known
      ) AS matching
    )`;
}

/** Condition on `memories`: what this search may find. */
function findable({ now, readable }: CandidateQuery): SQL | undefined {
  return and(isUnexpired(now), readable);
}

/** The best candidates, and the memories next to each of them in its session. */
function seedsAndNeighbours(search: CandidateQuery, seeds: SQL): SQL {
  const { tenantId, filters } = search;
  const condition = matchesFilters(tenantId, filters, findable(search));
  return sql`anchor AS MATERIALIZED (
      SELECT id, session_id, occurred_at FROM judged WHERE rank <= ${seeds}
    ), around AS MATERIALIZED (
      SELECT anchor.id AS anchor, near.id, near.distance
      FROM anchor CROSS JOIN LATERAL (${neighbours(condition, 'before')}
        UNION ALL ${neighbours(condition, 'after')}) AS near
      WHERE anchor.session_id IS NOT NULL
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
