import { and, eq } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import type { eventRoutes } from './contract.ts';
import { findEndpoint, isEndpoint } from './endpoint.ts';

/** Deletes an event endpoint and its delivery log. Pending deliveries are not sent. */
export const deleteEventEndpoint: Operation<typeof eventRoutes.deleteEventEndpoint> = (context, { id }) =>
  context.write(async (tx) => {
    await findEndpoint(tx, context, id);
    const { tenantId, endpointId } = eventDeliveries;
    await tx.delete(eventEndpoints).where(isEndpoint(context.tenantId, id));
    await tx.delete(eventDeliveries).where(and(eq(tenantId, context.tenantId), eq(endpointId, id)));
    await context.audit(tx, 'event_endpoint.deleted', { endpoint_id: id });
    return { endpoint: { id } };
  });
