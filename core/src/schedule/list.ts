import { and, asc, eq, gte, lte } from 'drizzle-orm';
import { ahead, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { toScheduleItem } from './row.ts';
import { scheduleItems } from './schema.ts';
import { showItems } from './show.ts';

/** The schedule, the soonest first. Design 5, GET /schedule. */
export const listSchedule: Operation<'scheduleItems'> = (context, { status, since, until, limit, cursor }) =>
  context.read(async (tx) => {
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
          ahead(cursor, dueAt, id),
        ),
      )
      .orderBy(asc(dueAt), asc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.dueAt, id: row.id }));
    return { items: await showItems(tx, context, page.map(toScheduleItem)), next_cursor };
  });
