import { and, eq, gte, lte } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { listAcrossTenants } from '../../kernel/context/list-across-tenants.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import type { ScheduleItem, scheduleRoutes } from './contract.ts';
import {
  itemLevel,
  newItem,
  refuseUnseenWords,
  showCreated,
  showItem,
  showItems,
  toAgendaItem,
} from './item.ts';
import { type ScheduleRow, scheduleItems } from './schema.ts';

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

export const createScheduleItem: Operation<typeof scheduleRoutes.createScheduleItem> = (
  context,
  { title, due_at, note },
) =>
  context.write(async (tx) => {
    const [row] = await tx
      .insert(scheduleItems)
      .values({
        ...newItem(context),
        title,
        note: note ?? null,
        dueAt: due_at.at,
        wholeDay: due_at.wholeDay,
        status: 'scheduled',
      })
      .returning();
    return { outcome: 'created' as const, item: await showCreated(tx, context, row && toScheduleItem(row)) };
  });

export const getScheduleItem: Operation<typeof scheduleRoutes.scheduleItem> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx.select().from(scheduleItems).where(own(context, id));
    return { item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

/** Changes the named fields. */
export const updateScheduleItem: Operation<typeof scheduleRoutes.updateScheduleItem> = (
  context,
  { id, due_at, ...changes },
) =>
  context.write(async (tx) => {
    await refuseUnseenWords(tx, context, changes);
    const [row] = await tx
      .update(scheduleItems)
      .set({
        ...changes,
        ...(due_at && { dueAt: due_at.at, wholeDay: due_at.wholeDay }),
        updatedAt: context.now,
      })
      .where(own(context, id))
      .returning();
    return { item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

/** Removes an entry for good. */
export const deleteScheduleItem: Operation<typeof scheduleRoutes.deleteScheduleItem> = (context, { id }) =>
  context.write(async (tx) => {
    const [row] = await tx.delete(scheduleItems).where(own(context, id)).returning();
    return { item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

function own({ tenantId }: Context, id: string) {
  return and(eq(scheduleItems.tenantId, tenantId), eq(scheduleItems.id, id));
}

/** A stored entry as answers show it. */
function toScheduleItem(row: ScheduleRow): ScheduleItem {
  const { dueAt, wholeDay, status } = row;
  return toAgendaItem(row, { due_at: dueAt.toISOString(), whole_day: wholeDay, status });
}
