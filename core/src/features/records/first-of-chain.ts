import { type SQL, sql } from 'drizzle-orm';
import { memories } from './schema.ts';

/**
 * A query for the first memory of a chain that counts, from one of them on: its `id`, and the `start` from which it holds. It reads
 * by the primary key alone, and no further than to that one: of a long chain every memory asks. A circle ends.
 *
 * @param tenant Expression for the id of the tenant.
 * @param first Expression for the id of the memory to begin with.
 * @param counts Condition on the memory `newer`.
 */
export function firstOfChain({
  tenant,
  first,
  counts,
}: {
  readonly tenant: SQL;
  readonly first: SQL;
  readonly counts: SQL;
}): SQL {
  const link = sql`SELECT newer.id, coalesce(newer.valid_from, newer.occurred_at), newer.superseded_by, ${counts}`;
  const byId = (id: SQL) => sql`(SELECT * FROM ${memories} AS linked
    WHERE linked.tenant_id = ${tenant} AND linked.id = ${id} OFFSET 0) AS newer`;
  return sql`WITH RECURSIVE link(id, start, next, counts) AS (
      ${link} FROM ${byId(first)}
      UNION ${link} FROM link CROSS JOIN LATERAL ${byId(sql`link.next`)} WHERE NOT link.counts
    ) SELECT id, start FROM link WHERE counts LIMIT 1`;
}
