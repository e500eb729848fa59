import { and, eq } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { restorableUntil } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';

interface FindOptions {
  /** Holds the row until the transaction ends, so that checks on it stay true. */
  readonly lock?: boolean;
  /** Finds archived memories too, as long as they can be restored. */
  readonly archived?: boolean;
}

/**
 * One memory of this tenant by id.
 *
 * @throws SvcError `NOT_FOUND`, word for word the same for an unknown id, another tenant's, an erased memory's and one
 *   that is hidden from the caller.
 */
export async function findMemory(
  tx: Tx,
  context: Context,
  id: string,
  { lock = false, archived = false }: FindOptions = {},
): Promise<MemoryRow> {
  const { tenantId, now } = context;
  const { known } = await viewOf(tx, context);
  const query = tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), eq(memories.id, id), known));
  const [row] = await (lock ? query.for('update') : query);
  if (!row || (row.archivedAt && restorableUntil(row.archivedAt) <= now)) throw noMemory();
  if (!row.archivedAt || archived) return row;
  const until = restorableUntil(row.archivedAt).toISOString();
  const message = `This memory is archived; POST /memories/{id}/restore brings it back until ${until}.`;
  const details = { archived_at: row.archivedAt.toISOString(), restorable_until: until };
  throw new SvcError('NOT_FOUND', message, { details });
}

/** One active memory of this tenant; undefined where `findMemory` throws. */
export async function findActive(
  tx: Tx,
  context: Context,
  id: string,
  options: Pick<FindOptions, 'lock'> = {},
): Promise<MemoryRow | undefined> {
  try {
    return await findMemory(tx, context, id, options);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** The answer for an id that names no memory the caller may know of. */
export function noMemory(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no memory with this id.');
}
