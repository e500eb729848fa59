import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { memoriesKnownAt } from '../records/known-at.ts';
import { memories, memoryVersions } from '../records/schema.ts';

/**
 * By id, what supersedes it, of all memories on the chains that begin with these ids, whether they are archived or not. Index: the
 * primary key.
 *
 * @param knownAt Reads the links as the store knew them then; default: those of now.
 */
export async function followChains(
  { database, tenantId, now }: Context,
  ids: readonly string[],
  knownAt: Date | undefined,
): Promise<ReadonlyMap<string, string>> {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  // Of the others no state has a link.
  const seen = sql`(memories.superseded_by IS NOT NULL OR memories.id IN (
    SELECT memory_id FROM ${memoryVersions} AS former WHERE former.${tenant} AND former.superseded_by IS NOT NULL))`;
  const states = knownAt
    ? sql`WITH memories AS MATERIALIZED (${memoriesKnownAt({ tenantId, at: knownAt, now, seen })})`
    : sql``;
  const [rows = []] = await database.batch(tenantId, [
    sql`${states} SELECT id, superseded_by AS next FROM (
        WITH RECURSIVE link(id, superseded_by) AS (
          SELECT id, superseded_by FROM ${memories} AS first WHERE first.${tenant} AND first.id = ANY(${uuids(ids)})
          UNION SELECT newer.id, newer.superseded_by FROM link JOIN ${memories} AS newer
            ON newer.${tenant} AND newer.id = link.superseded_by
        ) SELECT * FROM link
      ) AS chain WHERE superseded_by IS NOT NULL`,
  ]);
  return new Map((rows as readonly { id: string; next: string }[]).map(({ id, next }) => [id, next]));
}
