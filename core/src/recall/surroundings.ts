import { sql } from 'drizzle-orm';
import { uuids } from '../database/arrays.ts';
import { rows, type Tx } from '../database/database.ts';
import { memories } from '../memory/schema.ts';
import { type Filters, matches } from './filters.ts';
import type { RecallContext } from './rank-context.ts';

/** Places looked at on either side of a memory within its session. */
const REACH = 2;

interface Row {
  readonly id: string;
  readonly content: string;
  readonly anchor: string | null;
  readonly distance: number | null;
}

/**
 * What stands around memories: their contents, and the neighbours before and after each in its session, as far as
 * they pass the filters.
 */
export async function findSurroundings(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  filters: Filters,
): Promise<RecallContext> {
  const side = (direction: 'before' | 'after') => {
    const [comparison, order, sign] =
      direction === 'before' ? [sql`<`, sql`DESC`, -1] : [sql`>`, sql`ASC`, 1];
    // Index memories_session, two entries from the anchor's place.
    return sql`(SELECT ${memories.id} AS id, ${memories.content} AS content,
        ${sign}::int * row_number() OVER (ORDER BY ${memories.occurredAt} ${order}, ${memories.id} ${order}) AS distance
      FROM ${memories}
      WHERE ${matches(tenantId, filters)} AND ${memories.sessionId} = anchor.session_id
        AND (${memories.occurredAt}, ${memories.id}) ${comparison} (anchor.occurred_at, anchor.id)
      ORDER BY ${memories.occurredAt} ${order}, ${memories.id} ${order} LIMIT ${REACH})`;
  };
  const found = await rows<Row>(
    tx,
    sql`WITH anchor AS (
          SELECT id, content, session_id, occurred_at FROM ${memories}
          WHERE tenant_id = ${tenantId} AND id = ANY(${uuids(ids)})
        )
        SELECT id, content, NULL AS anchor, NULL::int AS distance FROM anchor
        UNION ALL
        SELECT near.id, near.content, anchor.id AS anchor, near.distance::int
        FROM anchor CROSS JOIN LATERAL (${side('before')} UNION ALL ${side('after')}) AS near
        WHERE anchor.session_id IS NOT NULL`,
  );
  return {
    contents: new Map(found.map(({ id, content }) => [id, content])),
    links: found.flatMap(({ id, anchor, distance }) =>
      anchor === null || distance === null ? [] : [{ id: anchor, neighbourId: id, distance }],
    ),
  };
}
