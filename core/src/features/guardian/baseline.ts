import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { MemoryRow } from '../records/schema.ts';
import { guardianBaselines } from './schema.ts';

/** What a memory is measured against, where that is no longer what it says. */
type Baseline = typeof guardianBaselines.$inferSelect;

export async function findBaseline(
  tx: Tx,
  { tenantId }: Context,
  memoryId: string,
): Promise<Baseline | undefined> {
  const [baseline] = await tx
    .select()
    .from(guardianBaselines)
    .where(and(eq(guardianBaselines.tenantId, tenantId), eq(guardianBaselines.memoryId, memoryId)));
  return baseline;
}

/** Keeps what a memory says, before the first change that no human decided. */
export async function keepBaseline(tx: Tx, { tenantId }: Context, row: MemoryRow): Promise<void> {
  await tx
    .insert(guardianBaselines)
    .values({ tenantId, memoryId: row.id, content: row.content, since: row.updatedAt })
    .onConflictDoNothing();
}

/** Makes what memories say now their baseline. */
export async function forgetBaselines(
  tx: Tx,
  { tenantId }: Context,
  memoryIds: readonly string[],
): Promise<void> {
  if (memoryIds.length === 0) return;
  await tx
    .delete(guardianBaselines)
    .where(
      and(eq(guardianBaselines.tenantId, tenantId), inArray(guardianBaselines.memoryId, [...memoryIds])),
    );
}
