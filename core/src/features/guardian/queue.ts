import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { type EntryRow, guardianEntries, isEntry } from '../records/pending-change-schema.ts';
import { knownEntries } from '../visibility/entries.ts';
import { showEntries, showEntry } from '../visibility/show.ts';
import { levelsOf, viewOf } from '../visibility/view.ts';
import type { guardianRoutes } from './contract.ts';
import { toEntry } from './entry.ts';

/** Changes to protected memories, newest first. */
export const guardianQueue: Operation<typeof guardianRoutes.guardianQueue> = (
  context,
  { status, memory_id, limit, cursor },
) =>
  context.read(async (tx) => {
    if (memory_id !== undefined && (await isHidden(tx, context, memory_id))) {
      return { entries: [], next_cursor: null };
    }
    const list = sortedList('desc', [guardianEntries.requestedAt, guardianEntries.id]);
    const found = await tx
      .select()
      .from(guardianEntries)
      .where(
        and(
          eq(guardianEntries.tenantId, context.tenantId),
          status && eq(guardianEntries.status, status),
          memory_id === undefined ? undefined : eq(guardianEntries.memoryId, memory_id),
          await knownEntries(tx, context),
          list.after(cursor),
        ),
      )
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, (row) => ({ at: row.requestedAt, id: row.id }));
    return { entries: await showEntries(tx, context, page.map(toEntry)), next_cursor };
  });

/** Whether the caller must not know of a memory. Its entries name no memory, so asking for them by its id finds none. */
async function isHidden(tx: Tx, context: Context, memoryId: string): Promise<boolean> {
  const reader = { tenantId: context.tenantId, view: await viewOf(tx, context) };
  return (await levelsOf(tx, reader, [memoryId], 'full'))(memoryId) === 'hidden';
}

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
