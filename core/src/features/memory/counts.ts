import { and, count, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { MEMORY_TYPES, type MemoryType } from '../../kernel/contract/fields.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import { memories } from '../records/schema.ts';
import type { View } from '../visibility/view.ts';

type Counts = Record<MemoryType, number>;

/** Whose memories, which of them the caller may know of, and when. */
interface Counted {
  readonly tenantId: string;
  readonly view: View;
  readonly now: Date;
}

/** Number of active memories of each type that the caller may know of. */
export async function countByType(tx: Tx, { tenantId, view, now }: Counted): Promise<Counts> {
  // Index memories_type_time.
  if (!view.isFull) return countWhere(tx, tenantId, view.known);
  // Whether they have expired stands in no index of all. Index memories_expiring has few of those: the rest are archived.
  const all = await countWhere(tx, tenantId, undefined);
  const expired = await countWhere(tx, tenantId, lte(memories.expiresAt, now));
  return {
    core: all.core - expired.core,
    working: all.working - expired.working,
    episodic: all.episodic - expired.episodic,
    semantic: all.semantic - expired.semantic,
  };
}

/** Number of active memories of each of some tenants that a caller from whom something is withheld may know of. */
export async function countKnown(
  tx: Tx,
  tenantIds: readonly string[],
  { known }: View,
): Promise<(tenantId: string) => number> {
  const found = await tx
    .select({ tenantId: memories.tenantId, memories: count() })
    .from(memories)
    .where(and(inArray(memories.tenantId, [...tenantIds]), isNull(memories.archivedAt), known))
    .groupBy(memories.tenantId);
  const counts = new Map(found.map((row) => [row.tenantId, row.memories]));
  return (tenantId) => counts.get(tenantId) ?? 0;
}

async function countWhere(tx: Tx, tenantId: string, which: SQL | undefined): Promise<Counts> {
  const found = await tx
    .select({ type: memories.type, memories: count() })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt), which))
    .groupBy(memories.type);
  const counts = { core: 0, working: 0, episodic: 0, semantic: 0 };
  for (const row of found) counts[row.type] = row.memories;
  return counts;
}

/** Memories of each type whose contents are measured. More are estimated: status is polled and must not read them all. */
const MEASURED = 250;

/** Bytes that the contents of the active memories take as UTF-8: exact while few, else estimated from the latest. */
export async function measureStorage(
  tx: Tx,
  tenantId: string,
  counts: Readonly<Record<MemoryType, number>>,
): Promise<{ memory_bytes: number; is_estimate: boolean }> {
  // Index memories_type_time.
  const measured = await rows<{ type: MemoryType; memories: number; bytes: number }>(
    tx,
    sql`SELECT types.type, count(*)::int AS memories, sum(latest.bytes)::float8 AS bytes
        FROM unnest(${texts(MEMORY_TYPES)}) AS types (type)
        CROSS JOIN LATERAL (
          SELECT octet_length(content) AS bytes FROM ${memories}
          WHERE ${memories.tenantId} = ${tenantId}::uuid AND ${memories.type} = types.type AND archived_at IS NULL
          ORDER BY occurred_at DESC, id DESC LIMIT ${MEASURED}
        ) AS latest
        GROUP BY types.type`,
  );
  const all = measured.map(({ type, memories, bytes }) => Math.round((bytes / memories) * counts[type]));
  return {
    memory_bytes: all.reduce((sum, bytes) => sum + bytes, 0),
    is_estimate: measured.some(({ type, memories }) => memories < counts[type]),
  };
}
