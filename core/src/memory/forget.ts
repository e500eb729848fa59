import { SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { guard, isUndeletable, refuseWhilePending } from '../guardian/gate.ts';
import { archiveRow } from './archive.ts';
import { findMemory } from './find.ts';
import { restorableUntil } from './row.ts';

/**
 * Archives a memory; in a category the human protects, asks the Guardian for it. Spec: DELETE /memories/{id}; States.
 */
export const forget: Operation<'forget'> = (context, { id }) =>
  context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true });
    await refuseWhilePending(tx, context, row);
    if (isUndeletable(row)) {
      throw new SvcError('FORBIDDEN', `Memories of category ${row.category} cannot be deleted.`, {
        details: { category: row.category },
      });
    }
    const entry = await guard(tx, context, row, { fields: null });
    if (entry) return { outcome: 'queued' as const, memory: { id: row.id }, entry };
    await archiveRow(tx, context, row);
    return answer(row.id, context.now);
  });

function answer(id: string, archivedAt: Date) {
  return {
    memory: {
      id,
      archived_at: archivedAt.toISOString(),
      restorable_until: restorableUntil(archivedAt).toISOString(),
    },
  };
}
