import { SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { refuseWhilePending } from '../guardian/gate.ts';
import { archiveRow } from './archive.ts';
import { findMemory } from './find.ts';
import { restorableUntil } from './row.ts';

/** Categories whose memories are never deleted. Spec: What the service does, 6. */
const UNDELETABLE: readonly (string | null)[] = ['soul', 'identity'];

/** Archives a memory. Spec: DELETE /memories/{id}; States. */
export const forget: Operation<'forget'> = (context, { id }) =>
  context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true });
    await refuseWhilePending(tx, context, row);
    if (UNDELETABLE.includes(row.category)) {
      throw new SvcError('FORBIDDEN', `Memories of category ${row.category} cannot be deleted.`, {
        details: { category: row.category },
      });
    }
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
