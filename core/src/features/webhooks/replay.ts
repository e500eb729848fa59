import { and, eq } from 'drizzle-orm';
import { eventDeliveries } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { eventRoutes } from './contract.ts';
import { findEndpoint, toDelivery } from './endpoint.ts';
import { knownDeliveries } from './known-deliveries.ts';

/** Queues a delivery again, with the same event id. */
export const replayEventDelivery: Operation<typeof eventRoutes.replayEventDelivery> = (
  context,
  { id, delivery_id },
) =>
  context.write(async (tx) => {
    const endpoint = await findEndpoint(tx, context, id);
    if (endpoint.disabledAt !== null)
      throw new SvcError('CONFLICT', 'This event endpoint is off; enable it first.');
    const table = eventDeliveries;
    const [row] = await tx
      .update(table)
      // Clears the claim, so that an attempt still in progress cannot record its result.
      .set({ status: 'pending', attempts: 0, dueAt: context.now, claim: null })
      .where(
        and(
          eq(table.tenantId, context.tenantId),
          eq(table.endpointId, id),
          eq(table.id, delivery_id),
          await knownDeliveries(tx, context),
        ),
      )
      .returning();
    if (!row) throw new SvcError('NOT_FOUND', 'There is no delivery with this id.');
    return { outcome: 'queued', delivery: toDelivery(row) };
  });
