import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { changeMemory } from './change.ts';
import type { MemoryRow } from './schema.ts';

/** Archives a locked, active memory: out of recall, query and boot, its key free, restorable for 30 days. */
export function archiveRow(tx: Tx, context: Context, row: MemoryRow, source?: Source): Promise<MemoryRow> {
  return changeMemory(tx, context, row, {
    change: 'archived',
    archivedAt: context.now,
    ...(source ? { source } : {}),
  });
}
