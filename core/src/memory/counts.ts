import { and, count, eq, isNull } from 'drizzle-orm';
import type { MemoryType } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import { memories } from './schema.ts';

/** Number of active memories of each type. */
export async function countByType(tx: Tx, tenantId: string): Promise<Record<MemoryType, number>> {
  // Index memories_type_time.
  const found = await tx
    .select({ type: memories.type, memories: count() })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt)))
    .groupBy(memories.type);
  const counts = { core: 0, working: 0, episodic: 0, semantic: 0 };
  for (const row of found) counts[row.type] = row.memories;
  return counts;
}
