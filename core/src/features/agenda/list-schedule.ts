import { and, eq, gte, lte } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { listAcrossTenants } from '../../kernel/context/list-across-tenants.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
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
    const { dueAt } = scheduleItems;
    const list = sortedList('asc', [dueAt, scheduleItems.id]);
    const positionOf = (row: ScheduleRow) => ({ at: row.dueAt, id: row.id });
    const { shown: items, next_cursor } = await listAcrossTenants(context, {
      list,
      limit,
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
              list.after(cursor),
            ),
          )
          .orderBy(...list.orderBy)
          .limit(limit + 1),
      positionOf,
      show: (source, rows) => showItems(tx, source, rows.map(toScheduleItem)),
    });
    return { items, next_cursor };
  });
