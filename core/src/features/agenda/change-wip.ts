import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { refuseUnseenWords, showCreated, showItem } from './show.ts';
import type { wipRoutes } from './wip-contract.ts';
import { toWipItem } from './wip-row.ts';
import { wipItems } from './wip-schema.ts';

/** Adds a piece of work. */
export const createWipItem: Operation<typeof wipRoutes.createWipItem> = (context, { title, note }) =>
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
    return { outcome: 'created' as const, item: await showCreated(tx, context, row && toWipItem(row)) };
  });

/** Reads one piece of work. */
export const getWipItem: Operation<typeof wipRoutes.wipItem> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx.select().from(wipItems).where(own(context, id));
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Changes the named fields. */
export const updateWipItem: Operation<typeof wipRoutes.updateWipItem> = (context, { id, ...changes }) =>
  context.write(async (tx) => {
    await refuseUnseenWords(tx, context, changes);
    const [row] = await tx
      .update(wipItems)
      .set({ ...changes, updatedAt: context.now })
      .where(own(context, id))
      .returning();
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

/** Removes a piece of work for good. */
export const deleteWipItem: Operation<typeof wipRoutes.deleteWipItem> = (context, { id }) =>
  context.write(async (tx) => {
    const [row] = await tx.delete(wipItems).where(own(context, id)).returning();
    return { item: await showItem(tx, context, row && toWipItem(row)) };
  });

function own({ tenantId }: Context, id: string) {
  return and(eq(wipItems.tenantId, tenantId), eq(wipItems.id, id));
}
