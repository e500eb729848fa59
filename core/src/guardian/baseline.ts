import { and, eq } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { MemoryRow } from '../memory/schema.ts';
import { guardianBaselines } from './schema.ts';

/** What a memory is measured against, where that is no longer what it says. */
export type Baseline = typeof guardianBaselines.$inferSelect;

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

/** Makes what a memory says now its baseline: a human has decided that it says this. */
export async function forgetBaseline(tx: Tx, { tenantId }: Context, memoryId: string): Promise<void> {
  await tx
    .delete(guardianBaselines)
    .where(and(eq(guardianBaselines.tenantId, tenantId), eq(guardianBaselines.memoryId, memoryId)));
}
