import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { restorableUntil } from './row.ts';
import { type MemoryRow, memories } from './schema.ts';

interface FindOptions {
  /** Holds the row until the transaction ends, so that checks on it stay true. */
  readonly lock?: boolean;
}

/**
 * One memory of this tenant by id. An archived one past its restore window counts as gone, erased or not.
 *
 * @throws SvcError `NOT_FOUND`, the same for an unknown id and for another tenant's.
 */
export async function findMemory(
  tx: Tx,
  { tenantId, now }: Context,
  id: string,
  { lock = false }: FindOptions = {},
): Promise<MemoryRow> {
  const query = tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), eq(memories.id, id)));
  const [row] = await (lock ? query.for('update') : query);
  if (!row || (row.archivedAt && restorableUntil(row.archivedAt) <= now)) {
    throw new SvcError('NOT_FOUND', `There is no memory with the id ${id}.`);
  }
  return row;
}

/** Refuses to change what is archived. */
export function requireActive(row: MemoryRow): void {
  if (row.archivedAt) {
    throw new SvcError('CONFLICT', `The memory ${row.id} is archived. Restore it first.`, {
      details: { archived_at: row.archivedAt.toISOString() },
    });
  }
}
