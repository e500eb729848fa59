import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { toMemory } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { shownVersion } from '../visibility/show.ts';

/**
 * Refuses what was asked for another version than the caller sees of a locked memory.
 *
 * @throws SvcError `CONFLICT`.
 */
export async function requireShownVersion(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  wanted: number,
): Promise<void> {
  const version = await shownVersion(tx, context, toMemory(row));
  if (wanted === version) return;
  throw new SvcError('CONFLICT', `The memory is at version ${version}, not ${wanted}.`, {
    details: { version },
  });
}
