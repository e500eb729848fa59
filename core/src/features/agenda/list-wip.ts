import { and, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { listAcrossTenants } from '../../kernel/context/list-across-tenants.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { itemLevel, showItems } from './show.ts';
import type { wipRoutes } from './wip-contract.ts';
import { toWipItem } from './wip-row.ts';
import { type WipRow, wipItems } from './wip-schema.ts';

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
