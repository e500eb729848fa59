import { type SQL, sql } from 'drizzle-orm';
import { vectorLiteral } from '../../../kernel/database/columns.ts';
import type { Param } from '../../../kernel/database/compiled-statement.ts';
import type { QueryVector } from '../../embedding/embed.ts';
import { memories } from '../../records/schema.ts';
import { memoryVectors } from '../../search-index/schema.ts';
import { type Filters, includesCoveredDigests } from '../filters.ts';
import { LONGEST_AVERAGE } from '../ranking/lexical.ts';
import { TIE_BREAKER } from '../ranking/semantic.ts';
import { NEIGHBOURS } from '../search-limits.ts';

/** The vector of a query, and how its cosines are read. */
export type VectorValues = Record<'model' | 'vector', string> &
  Record<'trust' | 'unrelated' | 'spread', number>;

/** The same as parameters. */
export function vectorValues({ model, values, calibration }: QueryVector): VectorValues {
  const { trust, unrelated, related } = calibration;
  return { model, vector: vectorLiteral(values), trust, unrelated, spread: related - unrelated };
}

/**
 * The clause `corpus`: the number of memories and their average length, as BM25 needs them. The stored sizes leave out
 * covered digests, which are few and counted here where they take part.
 *
 * @param left How many memories do not count.
 */
export function corpus(filters: Filters, sizes: SQL, left: number): SQL {
  const more = includesCoveredDigests(filters)
    ? sql`UNION ALL SELECT count(*), coalesce(sum(length), 0) FROM echo`
    : sql``;
  return sql`corpus AS MATERIALIZED (
      SELECT greatest(0, coalesce(sum(documents), 0) - ${left}::int)::float8 AS documents,
        least(${LONGEST_AVERAGE}::float8,
          coalesce(nullif(sum(words), 0)::float8 / nullif(sum(documents), 0)::float8, 1)) AS average
      FROM (SELECT documents, words FROM ${sizes} ${more}) AS size
    )`;
}

/** The clauses for the memories that the caller may read, and their sizes. The stored sizes count all memories. */
export function visibleMemories(own: SQL, readable: SQL): SQL {
  return sql`seen AS MATERIALIZED (
      SELECT id, length, echoes FROM ${memories} WHERE ${own} AND archived_at IS NULL AND ${readable}
    ), seen_size AS (
      SELECT count(*) AS documents, coalesce(sum(length), 0) AS words FROM seen WHERE NOT echoes
    ), `;
}

/**
 * Condition on `memory_id`: it is one of some ids, which are looked up in a hash table. Of tables without statistics the planner
 * expects one row, and would compare every entry with all ids in a join.
 */
export function isAmong(ids: SQL): SQL {
  // It hashes what it expects to fit into memory, and behind a limit that it does not know it expects a tenth.
  return sql`(memory_id IN (${ids} LIMIT (SELECT 2147483647))) IS TRUE`;
}

/** The evidence of a candidate's vector, roughly as the ranking computes it: precise enough to choose the context seeds. */
export function semanticShare(param: Param<VectorValues>): SQL {
  return sql`${param('trust')}::float8 * least(1, greatest(0,
    (coalesce(cosine, 0) - ${param('unrelated')}::float8) / ${param('spread')}::float8))
    + ${TIE_BREAKER}::float8 * greatest(0, coalesce(cosine, 0))`;
}

/** The neighbours on one side of an anchor in its session. Reads a few entries of the index memories_session. */
export function neighbours(matching: SQL, direction: 'before' | 'after'): SQL {
  const [comparison, order, sign] = direction === 'before' ? [sql`<`, sql`DESC`, -1] : [sql`>`, sql`ASC`, 1];
  const { most, within, longest } = NEIGHBOURS;
  return sql`(SELECT id, ${sign}::int * place AS distance FROM (
      SELECT ${memories.id} AS id, ${memories.length} AS length,
        row_number() OVER (ORDER BY ${memories.occurredAt} ${order}, ${memories.id} ${order}) AS place
      FROM ${memories}
      WHERE ${matching} AND ${memories.sessionId} = anchor.session_id
        AND (${memories.occurredAt}, ${memories.id}) ${comparison} (anchor.occurred_at, anchor.id)
      ORDER BY ${memories.occurredAt} ${order}, ${memories.id} ${order} LIMIT (SELECT CASE WHEN average < ${LONGEST_AVERAGE}::float8 THEN ${most}::int ELSE ${within}::int END FROM corpus)
    ) AS beside WHERE length <= ${longest} ORDER BY place LIMIT ${most})`;
}

/** No memories, where only words count. */
export const NONE_NEAR = sql`SELECT NULL::uuid AS memory_id, NULL::float8 AS distance WHERE false`;

/**
 * The nearest memories, with the distance of each. The expression matches the vector index of a large tenant, where there is
 * one; otherwise every vector of the tenant is compared.
 *
 * @param among Ids whose vectors alone are read, one by one by the primary key, whatever the planner expects of them.
 * @param dimensions Of the vectors of a large tenant.
 */
export function nearest(
  param: Param<VectorValues>,
  own: SQL,
  {
    proposals,
    restricted,
    among,
    dimensions,
  }: { proposals: SQL; restricted: SQL; among: SQL | undefined; dimensions: number | undefined },
): SQL {
  const large = dimensions !== undefined;
  const type = large ? sql.raw(`vector(${dimensions})`) : sql`vector`;
  const distance = sql`embedding::${type} <=> ${param('vector')}::${type}`;
  const ofModel = sql`${own} AND model = ${param('model')}`;
  const vectors = among
    ? sql`(${among}) AS found (id) CROSS JOIN LATERAL (
        SELECT * FROM ${memoryVectors} WHERE ${ofModel} AND memory_id = found.id OFFSET 0) AS vectors WHERE true`
    : sql`${memoryVectors} WHERE ${ofModel}`;
  return sql`SELECT memory_id, ${distance} AS distance FROM ${vectors} ${restricted}
    ORDER BY ${distance}${large ? sql`` : sql`, memory_id`} LIMIT ${proposals}`;
}
