import { and, eq } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import type { eventRoutes } from './contract.ts';
import { isEndpoint, noEndpoint, toDelivery } from './endpoint.ts';
import { knownDeliveries } from './known-deliveries.ts';

/** Lists the deliveries of an endpoint, those of the newest events first. */
export const listEventDeliveries: Operation<typeof eventRoutes.eventDeliveries> = (
  context,
  { id, status, limit, cursor },
) =>
  context.read(async (tx) => {
    if ((await tx.$count(eventEndpoints, isEndpoint(context.tenantId, id))) === 0) throw noEndpoint();
    const table = eventDeliveries;
    const list = sortedList('desc', [table.createdAt, table.eventId]);
    // Index event_deliveries_log; those of one moment are put in the order of their events, which the ids of events tell.
    const found = await tx
      .select()
      .from(table)
      .where(
        and(
          eq(table.tenantId, context.tenantId),
          eq(table.endpointId, id),
          status && eq(table.status, status),
          await knownDeliveries(tx, context),
          list.after(cursor),
        ),
      )
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, (row) => ({
      at: row.createdAt,
      id: row.eventId,
    }));
    return { deliveries: page.map(toDelivery), next_cursor };
  });
