import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { listAcrossTenants } from '../../kernel/context/list-across-tenants.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import type { WipItem, wipRoutes } from './contract.ts';
import {
  itemLevel,
  newItem,
  refuseUnseenWords,
  showCreated,
  showItem,
  showItems,
  toAgendaItem,
} from './item.ts';
import { type WipRow, wipItems } from './schema.ts';

/** Works in progress, last changed first. */
export const listWip: Operation<typeof wipRoutes.wipItems> = (context, { status, limit, cursor }) =>
  context.read(async (tx) => {
    if ((await itemLevel(tx, context)) === 'hidden') return { items: [], next_cursor: null };
    const list = sortedList('desc', [wipItems.updatedAt, wipItems.id]);
    const positionOf = (row: WipRow) => ({ at: row.updatedAt, id: row.id });
    const { shown: items, next_cursor } = await listAcrossTenants(context, {
      list,
      limit,
      // Index wip_items_changed.
      find: ({ tenantId }) =>
        tx
          .select()
          .from(wipItems)
          .where(
            and(eq(wipItems.tenantId, tenantId), status && eq(wipItems.status, status), list.after(cursor)),
          )
          .orderBy(...list.orderBy)
          .limit(limit + 1),
      positionOf,
      show: (source, rows) => showItems(tx, source, rows.map(toWipItem)),
    });
    return { items, next_cursor };
  });

/** Adds a piece of work. */
export const createWipItem: Operation<typeof wipRoutes.createWipItem> = (context, { title, note }) =>
  context.write(async (tx) => {
    const [row] = await tx
      .insert(wipItems)
      .values({
        ...newItem(context),
        title,
        note: note ?? null,
        status: 'open',
      })
      .returning();
    return { outcome: 'created' as const, item: await showCreated(tx, context, row && toWipItem(row)) };
  });

/** Reads one piece of work. */
export const getWipItem: Operation<typeof wipRoutes.wipItem> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx.select().from(wipItems).where(own(context, id));
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Changes the named fields. */
export const updateWipItem: Operation<typeof wipRoutes.updateWipItem> = (context, { id, ...changes }) =>
  context.write(async (tx) => {
    await refuseUnseenWords(tx, context, changes);
    const [row] = await tx
      .update(wipItems)
      .set({ ...changes, updatedAt: context.now })
      .where(own(context, id))
      .returning();
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Removes a piece of work for good. */
export const deleteWipItem: Operation<typeof wipRoutes.deleteWipItem> = (context, { id }) =>
  context.write(async (tx) => {
    const [row] = await tx.delete(wipItems).where(own(context, id)).returning();
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

function own({ tenantId }: Context, id: string) {
  return and(eq(wipItems.tenantId, tenantId), eq(wipItems.id, id));
}

/** A stored piece of work as answers show it. */
function toWipItem(row: WipRow): WipItem {
  return toAgendaItem(row, { status: row.status });
}
