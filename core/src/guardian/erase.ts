import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { guardianBaselines, guardianEntries, isPending } from './schema.ts';

const NO_TEXT = JSON.stringify({ content: '', key: null, tags: [] });

/** Takes the texts of erased memories out of the audit trail; that there were changes, by whom and when, stays. */
export async function eraseFromGuardian(tx: Tx, { tenantId, now }: Context, memoryIds: readonly string[]) {
  const ids = [...memoryIds];
  await tx
    .update(guardianEntries)
    .set({
      current: sql`${guardianEntries.current} || ${NO_TEXT}::jsonb`,
      proposed: sql`${guardianEntries.proposed} || ${NO_TEXT}::jsonb`,
      reason: null,
    })
    .where(and(eq(guardianEntries.tenantId, tenantId), inArray(guardianEntries.memoryId, ids)));
  // None can be pending on an archived memory; should one be, it must not outlive it.
  await tx
    .update(guardianEntries)
    .set({ status: 'rejected', decidedAt: now })
    .where(and(eq(guardianEntries.tenantId, tenantId), inArray(guardianEntries.memoryId, ids), isPending));
  await tx
    .delete(guardianBaselines)
    .where(and(eq(guardianBaselines.tenantId, tenantId), inArray(guardianBaselines.memoryId, ids)));
}
