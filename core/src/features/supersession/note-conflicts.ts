import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { chunksOf } from '../../kernel/database/parameters.ts';
import type { MemoryRow } from '../records/schema.ts';
import { factConflicts } from './schema.ts';

type Compared = Pick<MemoryRow, 'id' | 'version'>;

/** Two facts of which the rules cannot tell whether both hold. */
export interface Conflict {
  readonly older: Compared;
  readonly newer: Compared;
}

const ROWS_AT_ONCE = 100;

/** Leaves conflicts to the language model, if there is one. */
export async function noteConflicts(
  tx: Tx,
  { tenantId, now, ids, languageModel }: Context,
  conflicts: readonly Conflict[],
): Promise<void> {
  if (!languageModel) return;
  for (const some of chunksOf(conflicts, ROWS_AT_ONCE)) {
    const rows = some.map(({ older, newer }) => ({
      tenantId,
      id: ids(),
      olderId: older.id,
      olderVersion: older.version,
      newerId: newer.id,
      newerVersion: newer.version,
      foundAt: now,
      status: 'waiting' as const,
    }));
    await tx.insert(factConflicts).values(rows).onConflictDoNothing();
  }
}
