import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../engine/context.ts';
import { showItem } from '../schedule/show.ts';
import { toWipItem } from './row.ts';
import { wipItems } from './schema.ts';

/** Adds a piece of work. Design 5, POST /wip. */
export const createWipItem: Operation<'createWipItem'> = (context, { title, note }) =>
  context.write(async (tx) => {
    const { tenantId, actor, now } = context;
    const [row] = await tx
      .insert(wipItems)
      .values({
        tenantId,
        id: context.ids(),
        title,
        note: note ?? null,
        status: 'open',
        createdAt: now,
        updatedAt: now,
        source: actor.source,
        credentialId: actor.credentialId,
      })
      .returning();
    return { outcome: 'created' as const, item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Reads one piece of work. Design 5, GET /wip/{id}. */
export const getWipItem: Operation<'wipItem'> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx.select().from(wipItems).where(own(context, id));
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Changes the named fields. Design 5, PATCH /wip/{id}. */
export const updateWipItem: Operation<'updateWipItem'> = (context, { id, ...changes }) =>
  context.write(async (tx) => {
    const [row] = await tx
      .update(wipItems)
      .set({ ...changes, updatedAt: context.now })
      .where(own(context, id))
      .returning();
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Removes a piece of work for good. Design 5, DELETE /wip/{id}. */
export const deleteWipItem: Operation<'deleteWipItem'> = (context, { id }) =>
  context.write(async (tx) => {
    const [row] = await tx.delete(wipItems).where(own(context, id)).returning();
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

function own({ tenantId }: Context, id: string) {
  return and(eq(wipItems.tenantId, tenantId), eq(wipItems.id, id));
}
