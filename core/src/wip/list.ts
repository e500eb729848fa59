import { and, desc, eq } from 'drizzle-orm';
import { beyond, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { showItems } from '../schedule/show.ts';
import { toWipItem } from './row.ts';
import { wipItems } from './schema.ts';

/** Works in progress, last changed first. Design 5, GET /wip. */
export const listWip: Operation<'wipItems'> = (context, { status, limit, cursor }) =>
  context.read(async (tx) => {
    const { updatedAt, id } = wipItems;
    // Index wip_items_changed.
    const found = await tx
      .select()
      .from(wipItems)
      .where(
        and(
          eq(wipItems.tenantId, context.tenantId),
          status && eq(wipItems.status, status),
          beyond(cursor, updatedAt, id),
        ),
      )
      .orderBy(desc(updatedAt), desc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.updatedAt, id: row.id }));
    return { items: await showItems(tx, context, page.map(toWipItem)), next_cursor };
  });
