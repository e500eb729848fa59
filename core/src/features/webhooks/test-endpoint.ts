import { eventDeliveries, events } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { eventRoutes } from './contract.ts';
import { findEndpoint, requireWebhooks, toDelivery } from './endpoint.ts';
import { TEST_EVENT } from './event-types.ts';

/** Queues a test event for one endpoint. */
export const testEventEndpoint: Operation<typeof eventRoutes.testEventEndpoint> = (context, { id }) => {
  const { tenantId, now } = context;
  requireWebhooks(context);
  return context.write(async (tx) => {
    const endpoint = await findEndpoint(tx, context, id);
    if (endpoint.disabledAt !== null)
      throw new SvcError('CONFLICT', 'This event endpoint is off; enable it first.');
    const eventId = context.ids();
    const data = { endpoint_id: id };
    await tx.insert(events).values({ tenantId, id: eventId, type: TEST_EVENT, data, createdAt: now });
    const [delivery] = await tx
      .insert(eventDeliveries)
      .values({
        tenantId,
        id: context.ids(),
        endpointId: id,
        eventId,
        type: TEST_EVENT,
        status: 'pending',
        dueAt: now,
        createdAt: now,
      })
      .returning();
    if (!delivery) throw new TypeError('an insert returns its row');
    return { outcome: 'queued', delivery: toDelivery(delivery) };
  });
};
