import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { findEndpoint, toDelivery } from './endpoint.ts';
import { eventDeliveries } from './schema.ts';

/** Sends an event to an endpoint again, under the same id. Design 5, events out. */
export const replayEventDelivery: Operation<'replayEventDelivery'> = (context, { id, delivery_id }) =>
  context.write(async (tx) => {
    const endpoint = await findEndpoint(tx, context, id);
    if (endpoint.disabledAt !== null)
      throw new SvcError('CONFLICT', 'This event endpoint is off; enable it first.');
    const table = eventDeliveries;
    const [row] = await tx
      .update(table)
      // Without a claim: an attempt still in progress must not settle what starts over.
      .set({ status: 'pending', attempts: 0, dueAt: context.now, claim: null })
      .where(and(eq(table.tenantId, context.tenantId), eq(table.endpointId, id), eq(table.id, delivery_id)))
      .returning();
    if (!row) throw new SvcError('NOT_FOUND', 'There is no delivery with this id.');
    return { outcome: 'queued', delivery: toDelivery(row) };
  });
