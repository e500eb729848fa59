import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Eraser } from '../memory/erase.ts';
import { guardianEntries, isUndecided } from '../records/pending-change-schema.ts';
import { forgetBaselines } from './baseline.ts';

const NO_TEXT = JSON.stringify({ content: '', key: null, tags: [] });

/** Takes the texts of erased memories out of the audit trail; that there were changes, by whom and when, stays. */
export const eraseFromGuardian: Eraser = async (tx, context, memoryIds) => {
  const { tenantId, now } = context;
  const ids = [...memoryIds];
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
