import { and, asc, eq, gte, lte } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { readBoth } from '../../kernel/context/read-both.ts';
import { newerThanCursor, toPage } from '../../kernel/database/cursor.ts';
import type { scheduleRoutes } from './schedule-contract.ts';
import { toScheduleItem } from './schedule-row.ts';
import { type ScheduleRow, scheduleItems } from './schedule-schema.ts';
import { itemLevel, showItems } from './show.ts';

/** The schedule, the soonest first. */
export const listSchedule: Operation<typeof scheduleRoutes.scheduleItems> = (
  context,
  { status, since, until, limit, cursor },
) =>
  context.read(async (tx) => {
    if ((await itemLevel(tx, context)) === 'hidden') return { items: [], next_cursor: null };
    const { dueAt, id } = scheduleItems;
    const positionOf = (row: ScheduleRow) => ({ at: row.dueAt, id: row.id });
    const { shown: items, next_cursor } = await readBoth(context, {
      // Index schedule_items_due.
      find: ({ tenantId }) =>
        tx
          .select()
          .from(scheduleItems)
          .where(
            and(
              eq(scheduleItems.tenantId, tenantId),
              status && eq(scheduleItems.status, status),
              since && gte(dueAt, since),
              until && lte(dueAt, until),
              newerThanCursor(cursor, dueAt, id),
            ),
          )
          .orderBy(asc(dueAt), asc(id))
          .limit(limit + 1),
      positionOf,
      order: 'asc',
      toPage: (rows) => toPage(rows, limit, positionOf),
      show: (source, rows) => showItems(tx, source, rows.map(toScheduleItem)),
    });
    return { items, next_cursor };
  });
