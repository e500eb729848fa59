import { and } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { type EntryRow, guardianEntries, isEntry } from '../records/pending-change-schema.ts';
import { knownEntries } from '../visibility/entries.ts';
import { showEntry } from '../visibility/show.ts';
import type { guardianRoutes } from './contract.ts';
import { toEntry } from './entry.ts';

/** Reads one entry. */
export const getGuardianEntry: Operation<typeof guardianRoutes.guardianEntry> = (context, { id }) =>
  context.read(async (tx) => ({
    entry: await showEntry(tx, context, toEntry(await findEntry(tx, context, id))),
  }));

/**
 * One entry of this tenant by id.
 *
 * @throws SvcError `NOT_FOUND`, the same for an unknown id, another tenant's and one the caller must not know of.
 */
export async function findEntry(tx: Tx, context: Context, id: string): Promise<EntryRow> {
  const [row] = await tx
    .select()
    .from(guardianEntries)
    .where(and(isEntry(context.tenantId, id), await knownEntries(tx, context)));
  if (!row) throw new SvcError('NOT_FOUND', 'There is no Guardian entry with this id.');
  return row;
}
