import { and, asc, eq, gte, lte } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { newerThanCursor, toPage } from '../../kernel/database/cursor.ts';
import type { scheduleRoutes } from './schedule-contract.ts';
import { toScheduleItem } from './schedule-row.ts';
import { scheduleItems } from './schedule-schema.ts';
import { itemLevel, showItems } from './show.ts';

/** The schedule, the soonest first. */
export const listSchedule: Operation<typeof scheduleRoutes.scheduleItems> = (
  context,
  { status, since, until, limit, cursor },
) =>
  context.read(async (tx) => {
    if ((await itemLevel(tx, context)) === 'hidden') return { items: [], next_cursor: null };
    const { dueAt, id } = scheduleItems;
    // Index schedule_items_due.
    const found = await tx
      .select()
      .from(scheduleItems)
      .where(
        and(
          eq(scheduleItems.tenantId, context.tenantId),
          status && eq(scheduleItems.status, status),
          since && gte(dueAt, since),
          until && lte(dueAt, until),
          newerThanCursor(cursor, dueAt, id),
        ),
      )
      .orderBy(asc(dueAt), asc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.dueAt, id: row.id }));
    return { items: await showItems(tx, context, page.map(toScheduleItem)), next_cursor };
  });
