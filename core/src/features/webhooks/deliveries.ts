import { and, desc, eq } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { olderThanCursor, toPage } from '../../kernel/database/cursor.ts';
import type { eventRoutes } from './contract.ts';
import { isEndpoint, noEndpoint, toDelivery } from './endpoint.ts';
import { knownDeliveries } from './known-deliveries.ts';

/** Lists the deliveries of an endpoint, newest first. */
export const listEventDeliveries: Operation<typeof eventRoutes.eventDeliveries> = (
  context,
  { id, status, limit, cursor },
) =>
  context.read(async (tx) => {
    if ((await tx.$count(eventEndpoints, isEndpoint(context.tenantId, id))) === 0) throw noEndpoint();
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
          await knownDeliveries(tx, context),
          olderThanCursor(cursor, table.createdAt, table.id),
        ),
      )
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.createdAt, id: row.id }));
    return { deliveries: page.map(toDelivery), next_cursor };
  });
