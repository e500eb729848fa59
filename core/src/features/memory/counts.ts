import { and, count, eq, isNull } from 'drizzle-orm';
import type { MemoryType } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { memories } from '../records/schema.ts';
import type { View } from '../visibility/view.ts';

/** Number of active memories of each type that the caller may know of. */
export async function countByType(
  tx: Tx,
  { tenantId, view }: { readonly tenantId: string; readonly view: View },
): Promise<Record<MemoryType, number>> {
  // Index memories_type_time.
  const found = await tx
    .select({ type: memories.type, memories: count() })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt), view.known))
    .groupBy(memories.type);
  const counts = { core: 0, working: 0, episodic: 0, semantic: 0 };
  for (const row of found) counts[row.type] = row.memories;
  return counts;
}
