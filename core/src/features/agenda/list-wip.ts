import { and, desc, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { olderThanCursor, toPage } from '../../kernel/database/cursor.ts';
import { itemLevel, showItems } from './show.ts';
import type { wipRoutes } from './wip-contract.ts';
import { toWipItem } from './wip-row.ts';
import { wipItems } from './wip-schema.ts';

/** Works in progress, last changed first. */
export const listWip: Operation<typeof wipRoutes.wipItems> = (context, { status, limit, cursor }) =>
  context.read(async (tx) => {
    if ((await itemLevel(tx, context)) === 'hidden') return { items: [], next_cursor: null };
    const { updatedAt, id } = wipItems;
    // Index wip_items_changed.
    const found = await tx
      .select()
      .from(wipItems)
      .where(
        and(
          eq(wipItems.tenantId, context.tenantId),
          status && eq(wipItems.status, status),
          olderThanCursor(cursor, updatedAt, id),
        ),
      )
      .orderBy(desc(updatedAt), desc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.updatedAt, id: row.id }));
    return { items: await showItems(tx, context, page.map(toWipItem)), next_cursor };
  });
