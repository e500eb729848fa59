import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { scheduleRoutes } from './schedule-contract.ts';
import { toScheduleItem } from './schedule-row.ts';
import { scheduleItems } from './schedule-schema.ts';
import { refuseUnseenWords, showCreated, showItem } from './show.ts';

/** Schedules something. */
export const createScheduleItem: Operation<typeof scheduleRoutes.createScheduleItem> = (
  context,
  { title, due_at, note },
) =>
  context.write(async (tx) => {
    const { tenantId, actor, now } = context;
    const [row] = await tx
      .insert(scheduleItems)
      .values({
        tenantId,
        id: context.ids(),
        title,
        note: note ?? null,
        dueAt: due_at,
        status: 'scheduled',
        createdAt: now,
        updatedAt: now,
        source: actor.source,
        credentialId: actor.credentialId,
      })
      .returning();
    return { outcome: 'created' as const, item: await showCreated(tx, context, row && toScheduleItem(row)) };
  });

/** Reads one entry. */
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
      .set({ ...changes, ...(due_at ? { dueAt: due_at } : {}), updatedAt: context.now })
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
