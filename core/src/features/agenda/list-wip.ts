import { and, desc, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { readBoth } from '../../kernel/context/read-both.ts';
import { olderThanCursor, toPage } from '../../kernel/database/cursor.ts';
import { itemLevel, showItems } from './show.ts';
import type { wipRoutes } from './wip-contract.ts';
import { toWipItem } from './wip-row.ts';
import { type WipRow, wipItems } from './wip-schema.ts';

/** Works in progress, last changed first. */
export const listWip: Operation<typeof wipRoutes.wipItems> = (context, { status, limit, cursor }) =>
  context.read(async (tx) => {
    if ((await itemLevel(tx, context)) === 'hidden') return { items: [], next_cursor: null };
    const { updatedAt, id } = wipItems;
    const positionOf = (row: WipRow) => ({ at: row.updatedAt, id: row.id });
    const { shown: items, next_cursor } = await readBoth(context, {
      // Index wip_items_changed.
      find: ({ tenantId }) =>
        tx
          .select()
          .from(wipItems)
          .where(
            and(
              eq(wipItems.tenantId, tenantId),
              status && eq(wipItems.status, status),
              olderThanCursor(cursor, updatedAt, id),
            ),
          )
          .orderBy(desc(updatedAt), desc(id))
          .limit(limit + 1),
      positionOf,
      order: 'desc',
      toPage: (rows) => toPage(rows, limit, positionOf),
      show: (source, rows) => showItems(tx, source, rows.map(toWipItem)),
    });
    return { items, next_cursor };
  });
