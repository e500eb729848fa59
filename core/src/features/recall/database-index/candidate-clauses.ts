import { type SQL, sql } from 'drizzle-orm';
import { vectorLiteral } from '../../../kernel/database/columns.ts';
import type { QueryVector } from '../../embedding/embed-query.ts';
import type { Calibration } from '../../embedding/embedder.ts';
import { memories } from '../../records/schema.ts';
import { memoryVectors } from '../../search-index/schema.ts';
import { type Filters, includesCoveredDigests } from '../filters.ts';
import { LONGEST_AVERAGE } from '../ranking/lexical.ts';
import { NEIGHBOURS } from '../search-limits.ts';

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

/** The evidence of a candidate's vector, roughly as the ranking computes it: precise enough to choose the context seeds. */
export function semanticShare(calibration: Calibration | undefined): SQL {
  if (!calibration) return sql`0`;
  const { unrelated, related, trust } = calibration;
  return sql`${trust}::float8 * least(1, greatest(0,
    (coalesce(cosine, 0) - ${unrelated}::float8) / ${related - unrelated}::float8))`;
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

/**
 * The nearest memories, with the distance of each. The expression matches the vector index of a large tenant, where there is
 * one; otherwise every vector of the tenant is compared.
 */
export function nearest(
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
