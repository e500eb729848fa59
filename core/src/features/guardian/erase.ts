import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { Eraser } from '../memory/erase.ts';
import { guardianEntries, isDecided, isEntry, isUndecided } from '../records/pending-change-schema.ts';
import { forgetBaselines } from './baseline.ts';
import { newlySaid } from './rejected.ts';

const NO_TEXT = JSON.stringify({ content: '', key: null, tags: [] });

/**
 * Takes the texts of erased memories out of the audit trail; that there were changes, by whom and when, stays. So does a digest of
 * what the human decided about: what they rejected is not to come back because it was erased.
 */
export const eraseFromGuardian: Eraser = async (tx, context, memoryIds) => {
  const { tenantId, now } = context;
  const ids = [...memoryIds];
  await keepDigests(tx, context, ids);
  await tx
    .update(guardianEntries)
    .set({
      current: sql`${guardianEntries.current} || ${NO_TEXT}::jsonb`,
      proposed: sql`${guardianEntries.proposed} || ${NO_TEXT}::jsonb`,
      reason: null,
    })
    .where(and(eq(guardianEntries.tenantId, tenantId), inArray(guardianEntries.memoryId, ids)));
  // What nobody decided must not outlive the memory.
  await tx
    .update(guardianEntries)
    .set({ status: 'rejected', decidedAt: now })
    .where(and(eq(guardianEntries.tenantId, tenantId), inArray(guardianEntries.memoryId, ids), isUndecided));
  await forgetBaselines(tx, context, ids);
};

async function keepDigests(tx: Tx, { tenantId }: Context, memoryIds: string[]): Promise<void> {
  const { memoryId } = guardianEntries;
  const decided = await tx
    .select()
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), inArray(memoryId, memoryIds), isDecided));
  for (const entry of decided) {
    const digest = newlySaid(entry);
    if (digest === null) continue;
    await tx.update(guardianEntries).set({ saidDigest: digest }).where(isEntry(tenantId, entry.id));
  }
}
