import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { loadVectors } from './compared-vectors.ts';

/** Fewer episodes need no digest: they wait for more. */
const LEAST_EPISODES = 3;
/** Episodes that are clustered at once. */
export const MOST_AT_ONCE = 200;
const GROUPS_AT_ONCE = 200;

/**
 * Undigested episodes. A category may be hidden from the human, and a digest has none; nor has it an end. So episodes with a
 * category, and those that expire, stay as they are.
 */
function undigested(tenantId: string): SQL | undefined {
  return and(
    eq(memories.tenantId, tenantId),
    eq(memories.type, 'episodic'),
    isNull(memories.digestId),
    isNull(memories.archivedAt),
    isNull(memories.category),
    isNull(memories.expiresAt),
  );
}

/** What belongs together in the first place: a session, or a week of what was said outside of sessions. */
const group = sql<string>`coalesce('session ' || ${memories.sessionId},
  'week ' || to_char(${memories.occurredAt} AT TIME ZONE 'UTC', 'IYYY-IW'))`;

/** Names of the next groups, in order, that are wholly older than a moment. */
export async function findGroups(
  tx: Tx,
  { tenantId }: Context,
  { before, after }: { readonly before: Date; readonly after: string },
): Promise<string[]> {
  // Index memories_undigested.
  const found = await tx
    .select({ name: group })
    .from(memories)
    .where(undigested(tenantId))
    .groupBy(group)
    .having(
      sql`${group} > ${after} AND count(*) >= ${LEAST_EPISODES}::int
          AND max(${memories.occurredAt}) < ${timestamptz(before)}`,
    )
    .orderBy(group)
    .limit(GROUPS_AT_ONCE);
  return found.map(({ name }) => name);
}

/** Episodes in all groups that are wholly older than a moment. */
export async function countEpisodes(tx: Tx, { tenantId }: Context, before: Date): Promise<number> {
  const [counted] = await rows<{ episodes: number }>(
    tx,
    sql`SELECT coalesce(sum(number), 0)::int AS episodes FROM (
          SELECT count(*) AS number FROM ${memories} WHERE ${undigested(tenantId)} GROUP BY ${group}
          HAVING count(*) >= ${LEAST_EPISODES}::int
            AND max(${memories.occurredAt}) < ${timestamptz(before)}) grouped`,
  );
  return counted?.episodes ?? 0;
}

export interface LoadedEpisode {
  readonly row: MemoryRow;
  readonly vector: Float32Array | undefined;
}

/** The first episodes of a group, by time. */
export async function loadGroup(tx: Tx, context: Context, name: string): Promise<LoadedEpisode[]> {
  const { tenantId } = context;
  const found = await tx
    .select()
    .from(memories)
    .where(and(undigested(tenantId), eq(group, name)))
    .orderBy(asc(memories.occurredAt), asc(memories.id))
    .limit(MOST_AT_ONCE);
  const ids = found.map(({ id }) => id);
  const { vectors } = await loadVectors(tx, context, ids);
  return found.map((row) => ({ row, vector: vectors.get(row.id) }));
}
