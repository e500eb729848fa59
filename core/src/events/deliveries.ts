import { and, desc, eq } from 'drizzle-orm';
import { beyond, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { noEndpoint, own, toDelivery } from './endpoint.ts';
import { eventDeliveries, eventEndpoints } from './schema.ts';

/** The delivery log of an endpoint, newest first. Design 5, events out. */
export const listEventDeliveries: Operation<'eventDeliveries'> = (context, { id, status, limit, cursor }) =>
  context.read(async (tx) => {
    if ((await tx.$count(eventEndpoints, own(context.tenantId, id))) === 0) throw noEndpoint();
    const table = eventDeliveries;
    // Index event_deliveries_log.
    const found = await tx
      .select()
      .from(table)
      .where(
        and(
          eq(table.tenantId, context.tenantId),
          eq(table.endpointId, id),
          status && eq(table.status, status),
          beyond(cursor, table.createdAt, table.id),
        ),
      )
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.createdAt, id: row.id }));
    return { deliveries: page.map(toDelivery), next_cursor };
  });
