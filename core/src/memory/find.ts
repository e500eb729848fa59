import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { restorableUntil } from './row.ts';
import { type MemoryRow, memories } from './schema.ts';

interface FindOptions {
  /** Holds the row until the transaction ends, so that checks on it stay true. */
  readonly lock?: boolean;
  /** Finds archived memories too, as long as they can be restored. */
  readonly archived?: boolean;
}

/**
 * One memory of this tenant by id.
 *
 * @throws SvcError `NOT_FOUND`, word for word the same for an unknown id, another tenant's and an erased memory's.
 */
export async function findMemory(
  tx: Tx,
  { tenantId, now }: Context,
  id: string,
  { lock = false, archived = false }: FindOptions = {},
): Promise<MemoryRow> {
  const query = tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), eq(memories.id, id)));
  const [row] = await (lock ? query.for('update') : query);
  if (!row || (row.archivedAt && restorableUntil(row.archivedAt) <= now)) {
    throw new SvcError('NOT_FOUND', 'There is no memory with this id.');
  }
  if (row.archivedAt && !archived) {
    const until = restorableUntil(row.archivedAt).toISOString();
    throw new SvcError(
      'NOT_FOUND',
      `This memory is archived; POST /memories/{id}/restore brings it back until ${until}.`,
      {
        details: { archived_at: row.archivedAt.toISOString(), restorable_until: until },
      },
    );
  }
  return row;
}
