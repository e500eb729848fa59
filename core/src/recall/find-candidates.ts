import { type SQL, sql } from 'drizzle-orm';
import type { MemoryType } from '../contract/fields.ts';
import { vectorLiteral } from '../database/columns.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import type { Calibration } from '../embedding/embedder.ts';
import { memories } from '../memory/schema.ts';
import { tenants } from '../tenants/schema.ts';
import type { AnalyzedQuery } from './analyze.ts';
import type { Recalled } from './contract.ts';
import { echoesCount, type Filters, isFiltered, matches, withoutEchoes } from './filters.ts';
import { allWords, someWords } from './find-words.ts';
import { SATURATION } from './rank-lexical.ts';
import { corpusSizes, memoryVectors } from './schema.ts';

/** Memories that each side, words and vectors, may propose: for each result asked for, at least and at most. */
export const PROPOSALS = { each: 6, least: 60, most: 200 };
/** Candidates whose surroundings are looked at, likewise. */
export const ANCHORS = { each: 2, least: 24, most: 100 };
/** Times as many whose contents are answered at once: some of the best are told only by how they are ranked. */
const SPARE = 3;
/** Bytes of a content up to which it is answered so: few of them are shown in the end. */
const SPARE_BYTES = 2000;
/** Places looked at on either side of a memory within its session. */
export const REACH = 2;

/** A query, and where to look for it. */
export interface Search {
  readonly tenantId: string;
  readonly query: AnalyzedQuery;
  /** Without it only words count. */
  readonly vector?: QueryVector;
  readonly filters: Filters;
  /** Results asked for. */
  readonly limit: number;
  /** Whether the tenant has so many memories that not all can be looked at; default false. */
  readonly large?: boolean;
  /** How many memories hold a term, as far as that is known; else they are counted. */
  known?(term: string): number | undefined;
}

/** `[id, cosine, places in the query's terms, frequencies, length, importance, occurred at, ...]` */
export type CandidateRow = readonly [
  id: string,
  cosine: number | null,
  places: readonly number[] | null,
  frequencies: readonly number[] | null,
  length: number,
  importance: number,
  occurredAt: string,
  type: MemoryType,
  /** The same for contents that differ in letter case and spacing only. */
  fingerprint: string,
  /** The newer memory that contradicts it. */
  supersededBy: string | null,
];

/** What recall shows of a memory, as `memoryColumns` makes it. */
export type MemoryColumns = readonly [
  id: string,
  type: Recalled['type'],
  content: string,
  category: Recalled['category'],
  key: string | null,
  tags: readonly string[],
  importance: number,
  occurredAt: string,
  sessionId: string | null,
  derivedFrom: readonly string[],
  supersededBy: string | null,
];

/** What the statement answers, in one JSON value: hundreds of rows of a few numbers are read faster so. */
export interface CandidatesAnswer {
  /** The model whose vectors answer the tenant. */
  readonly model: string | null;
  readonly documents: number;
  readonly averageLength: number;
  /** Memories that hold each of the query's terms. */
  readonly holding: readonly number[] | null;
  readonly candidates: readonly CandidateRow[] | null;
  readonly links: readonly (readonly [anchor: string, neighbour: string, distance: number])[] | null;
  /** The anchors and their neighbours. */
  readonly memories: readonly MemoryColumns[] | null;
  /** The next best, which may become results too: what is missing still then is asked for once more. */
  readonly spare: readonly MemoryColumns[] | null;
}

/**
 * One statement for all that a recall needs: the tenant's best memories by BM25 and by cosine distance, what the ranking has
 * to know of each, and around the best of them the neighbours in their sessions. Statistics are the tenant's own, so that
 * other tenants' memories change nothing.
 */
export function candidatesStatement(search: Search): SQL {
  const { tenantId, vector, filters } = search;
  const own = sql`tenant_id = ${tenantId}::uuid`;
  const proposals = within(PROPOSALS, search.limit);
  const anchors = sql`${within(ANCHORS, search.limit)}::int`;
  const restricted = isFiltered(filters)
    ? sql`AND memory_id IN (SELECT ${memories.id} FROM ${memories} WHERE ${matches(tenantId, filters)})`
    : sql``;
  const large = search.large === true && !isFiltered(filters);
  const { known = () => undefined } = search;
  const words = { ...search, known, proposals, restricted, withoutEchoes: withoutEchoes(filters) };
  const distance = vector && sql`embedding <=> ${vectorLiteral(vector.values)}::vector`;
  // Looked up by the whole primary key whatever the table's statistics say.
  const cosine = distance
    ? sql`1 - coalesce(distance, (SELECT ${distance} FROM ${memoryVectors} v
          WHERE v.tenant_id = ${tenantId}::uuid AND v.model = ${vector.model} AND v.memory_id = candidate.memory_id))`
    : sql`NULL::float8`;
  return sql`
    WITH echo AS MATERIALIZED (
      SELECT id, length FROM ${memories} WHERE ${own} AND echoes AND archived_at IS NULL
    ), ${corpus(own, filters)}, ${large ? someWords(words) : allWords(words)}, near AS MATERIALIZED (
      ${nearest(vector, own, { proposals, restricted: sql`${withoutEchoes(filters)} ${restricted}`, large })}
    ), candidate AS MATERIALIZED (
      SELECT memory_id, places, frequencies, score, distance FROM worded FULL JOIN near USING (memory_id)
    ), known AS MATERIALIZED (
      SELECT memory_id, places, frequencies, score, ${cosine} AS cosine, length, importance, occurred_at, session_id,
        type, fingerprint, superseded_by
      FROM candidate JOIN ${memories} memory ON memory.tenant_id = ${tenantId}::uuid AND memory.id = memory_id
    ), judged AS MATERIALIZED (
      SELECT memory_id AS id, session_id, occurred_at, row_number() OVER (ORDER BY
        coalesce(matched, 0) + (1 - coalesce(matched, 0)) * ${meaning(vector?.calibration)} DESC, memory_id) AS rank
      FROM (
        SELECT *, least(1, coalesce(score, 0) * ${SATURATION + 1}::float8
          / (SELECT nullif(sum(gain) FILTER (WHERE whole), 0) FROM asked)) AS matched FROM known
      ) AS matching
    ), anchor AS MATERIALIZED (
      SELECT id, session_id, occurred_at FROM judged WHERE rank <= ${anchors}
    ), around AS MATERIALIZED (
      SELECT anchor.id AS anchor, near.id, near.distance
      FROM anchor CROSS JOIN LATERAL (${side(tenantId, filters, 'before')}
        UNION ALL ${side(tenantId, filters, 'after')}) AS near
      WHERE anchor.session_id IS NOT NULL
    )
    SELECT json_build_object(
      'model', (SELECT embedding_model FROM ${tenants} WHERE ${own}),
      'documents', (SELECT documents FROM corpus),
      'averageLength', (SELECT average FROM corpus),
      'holding', (SELECT json_agg(holding ORDER BY place) FROM asked),
      'candidates', (SELECT json_agg(json_build_array(memory_id, cosine, places, frequencies, length, importance,
        occurred_at AT TIME ZONE 'UTC', type, fingerprint::text, superseded_by)) FROM known),
      'links', (SELECT json_agg(json_build_array(anchor, id, distance)) FROM around),
      'memories', (SELECT json_agg(${memoryColumns}) FROM ${memories}
        WHERE ${own} AND id = ANY(ARRAY(SELECT id FROM anchor UNION SELECT id FROM around))),
      'spare', (SELECT json_agg(${memoryColumns}) FROM ${memories}
        WHERE ${own} AND id = ANY(ARRAY(SELECT id FROM judged WHERE rank > ${anchors} AND rank <= ${SPARE} * ${anchors}))
          AND octet_length(content) <= ${SPARE_BYTES})
    ) AS found`;
}

/** Memories by id, in the form of `MemoryColumns`. */
export function memoriesStatement(tenantId: string, ids: SQL): SQL {
  return sql`SELECT json_agg(${memoryColumns}) AS found FROM ${memories}
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${ids})`;
}

/** A memory in the form of `MemoryColumns`. */
export const memoryColumns = sql`json_build_array(id, type, content, category, key, tags, importance,
  occurred_at AT TIME ZONE 'UTC', session_id, derived_from, superseded_by)`;

/**
 * The tenant's memories as BM25 counts them. Those that say nothing new are few, and not among the sizes that are kept:
 * where they take part they are counted here.
 */
function corpus(own: SQL, filters: Filters): SQL {
  const more = echoesCount(filters)
    ? sql`UNION ALL SELECT count(*), coalesce(sum(length), 0) FROM echo`
    : sql``;
  return sql`corpus AS MATERIALIZED (
      SELECT coalesce(sum(documents), 0)::float8 AS documents,
        coalesce(nullif(sum(words), 0)::float8 / nullif(sum(documents), 0)::float8, 1) AS average
      FROM (SELECT documents, words FROM ${corpusSizes} WHERE ${own} ${more}) AS size
    )`;
}

/** What the vector tells of a candidate, roughly as the ranking will read it: enough to choose whose surroundings to see. */
function meaning(calibration: Calibration | undefined): SQL {
  if (!calibration) return sql`0`;
  const { unrelated, related, trust } = calibration;
  return sql`${trust}::float8 * least(1, greatest(0,
    (coalesce(cosine, 0) - ${unrelated}::float8) / ${related - unrelated}::float8))`;
}

/** The neighbours on one side of an anchor in its session. Index memories_session, two entries from its place. */
function side(tenantId: string, filters: Filters, direction: 'before' | 'after'): SQL {
  const [comparison, order, sign] = direction === 'before' ? [sql`<`, sql`DESC`, -1] : [sql`>`, sql`ASC`, 1];
  return sql`(SELECT ${memories.id} AS id,
      ${sign}::int * row_number() OVER (ORDER BY ${memories.occurredAt} ${order}, ${memories.id} ${order}) AS distance
    FROM ${memories}
    WHERE ${matches(tenantId, filters)} AND ${memories.sessionId} = anchor.session_id
      AND (${memories.occurredAt}, ${memories.id}) ${comparison} (anchor.occurred_at, anchor.id)
    ORDER BY ${memories.occurredAt} ${order}, ${memories.id} ${order} LIMIT ${REACH})`;
}

/**
 * The nearest memories, with the distance of each. Of a large tenant by its own index, which this is spelled to match, as
 * far as there is one; else by comparing with every vector of the tenant.
 */
function nearest(
  vector: QueryVector | undefined,
  own: SQL,
  { proposals, restricted, large }: { proposals: number; restricted: SQL; large: boolean },
): SQL {
  if (!vector) return sql`SELECT NULL::uuid AS memory_id, NULL::float8 AS distance WHERE false`;
  const { model, values } = vector;
  const type = large ? sql.raw(`vector(${values.length})`) : sql`vector`;
  const distance = sql`embedding::${type} <=> ${vectorLiteral(values)}::${type}`;
  return sql`SELECT memory_id, ${distance} AS distance FROM ${memoryVectors}
    WHERE ${own} AND model = ${model} ${restricted}
    ORDER BY ${distance}${large ? sql`` : sql`, memory_id`} LIMIT ${proposals}`;
}

/** How many of something go with so many results. */
export function within({ each, least, most }: typeof PROPOSALS, limit: number): number {
  return Math.min(most, Math.max(least, each * limit));
}
