import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../engine/context.ts';
import { toScheduleItem } from './row.ts';
import { scheduleItems } from './schema.ts';
import { showItem } from './show.ts';

/** Schedules something. Design 5, POST /schedule. */
export const createScheduleItem: Operation<'createScheduleItem'> = (context, { title, due_at, note }) =>
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
    return { outcome: 'created' as const, item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

/** Reads one entry. Design 5, GET /schedule/{id}. */
export const getScheduleItem: Operation<'scheduleItem'> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx.select().from(scheduleItems).where(own(context, id));
    return { item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

/** Changes the named fields. Design 5, PATCH /schedule/{id}. */
export const updateScheduleItem: Operation<'updateScheduleItem'> = (context, { id, due_at, ...changes }) =>
  context.write(async (tx) => {
    const [row] = await tx
      .update(scheduleItems)
      .set({ ...changes, ...(due_at ? { dueAt: due_at } : {}), updatedAt: context.now })
      .where(own(context, id))
      .returning();
    return { item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

/** Removes an entry for good. Design 5, DELETE /schedule/{id}. */
export const deleteScheduleItem: Operation<'deleteScheduleItem'> = (context, { id }) =>
  context.write(async (tx) => {
    const [row] = await tx.delete(scheduleItems).where(own(context, id)).returning();
    return { item: await showItem(tx, context, row && toScheduleItem(row)) };
  });

function own({ tenantId }: Context, id: string) {
  return and(eq(scheduleItems.tenantId, tenantId), eq(scheduleItems.id, id));
}
