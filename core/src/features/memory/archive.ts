import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { MemoryRow } from '../records/schema.ts';
import { changeMemory } from './change.ts';

/** Archives a locked, active memory: out of recall, query and boot, its key free, restorable for 30 days. */
export function archiveRow(tx: Tx, context: Context, row: MemoryRow, source?: Source): Promise<MemoryRow> {
  return changeMemory(tx, context, row, {
    change: 'archived',
    archivedAt: context.now,
    ...(source ? { source } : {}),
  });
}
