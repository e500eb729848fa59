import type { Operation } from '../../kernel/context/context.ts';
import { restorableUntil } from '../records/row.ts';
import { showEntries } from '../visibility/show.ts';
import { refuseUnseenChange } from '../visibility/withheld.ts';
import { archiveRow } from './change.ts';
import type { memoryRoutes } from './contract.ts';
import { findMemory } from './find.ts';
import { requireShownVersion } from './update.ts';

/** Archives a memory; in a category the human protects, asks the Guardian for it. */
export const forget: Operation<typeof memoryRoutes.forget> = async (context, { id }) => {
  const { ifMatch } = context.options;
  const { entry, ...forgotten } = await context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true });
    if (ifMatch !== undefined) {
      await refuseUnseenChange(tx, context, row, {});
      await requireShownVersion(tx, context, row, ifMatch);
    }
    const entry = await context.changePolicy.submit(tx, context, row, { fields: null });
    if (entry) return { outcome: 'queued' as const, memory: { id: row.id }, entry };
    await archiveRow(tx, context, row);
    const archived_at = context.now.toISOString();
    const restorable_until = restorableUntil(context.now).toISOString();
    return { memory: { id: row.id, archived_at, restorable_until }, entry: undefined };
  });
  if (!entry) return forgotten;
  const [shown = entry] = await context.read((tx) => showEntries(tx, context, [entry]));
  return { ...forgotten, entry: shown };
};
