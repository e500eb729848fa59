import { and, eq } from 'drizzle-orm';
import type { Operation } from '../engine/context.ts';
import { findEndpoint, own } from './endpoint.ts';
import { eventDeliveries, eventEndpoints } from './schema.ts';

/** Removes an event endpoint with its delivery log; what is pending is not sent. Design 5, events out. */
export const deleteEventEndpoint: Operation<'deleteEventEndpoint'> = (context, { id }) =>
  context.write(async (tx) => {
    await findEndpoint(tx, context, id);
    const { tenantId, endpointId } = eventDeliveries;
    await tx.delete(eventEndpoints).where(own(context.tenantId, id));
    await tx.delete(eventDeliveries).where(and(eq(tenantId, context.tenantId), eq(endpointId, id)));
    return { endpoint: { id } };
  });
