import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context, Operation } from '../engine/context.ts';
import { toEntry } from './entry.ts';
import { type EntryRow, guardianEntries } from './schema.ts';

/** Reads one entry. Design 5, GET /guardian/{id}. */
export const guardianEntry: Operation<'guardianEntry'> = (context, { id }) =>
  context.read(async (tx) => ({ entry: toEntry(await findEntry(tx, context, id)) }));

/**
 * One entry of this tenant by id.
 *
 * @throws SvcError `NOT_FOUND`, the same for an unknown id and another tenant's.
 */
export async function findEntry(tx: Tx, { tenantId }: Context, id: string): Promise<EntryRow> {
  const [row] = await tx
    .select()
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), eq(guardianEntries.id, id)));
  if (!row) throw new SvcError('NOT_FOUND', 'There is no Guardian entry with this id.');
  return row;
}
