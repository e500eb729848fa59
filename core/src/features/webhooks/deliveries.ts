import { and, eq, type SQL, sql } from 'drizzle-orm';
import {
  type EventDeliveryRow,
  eventDeliveries,
  eventEndpoints,
  events,
} from '../../kernel/commit/outbox-schema.ts';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { memories } from '../records/schema.ts';
import { viewOfAll } from '../visibility/view.ts';
import type { EventDelivery, eventRoutes } from './contract.ts';
import { findEndpoint, isEndpoint, noEndpoint, requireWebhooks } from './endpoint.ts';
import { TEST_EVENT } from './event-types.ts';
import { DECISIONS } from './for-human.ts';

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

/** Queues a delivery again, with the same event id. */
export const replayEventDelivery: Operation<typeof eventRoutes.replayEventDelivery> = (
  context,
  { id, delivery_id },
) =>
  context.write(async (tx) => {
    await requireEnabled(tx, context, id);
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

export const testEventEndpoint: Operation<typeof eventRoutes.testEventEndpoint> = (context, { id }) => {
  const { tenantId, now } = context;
  requireWebhooks(context);
  return context.write(async (tx) => {
    await requireEnabled(tx, context, id);
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

/** @throws SvcError `NOT_FOUND` where there is no such endpoint; `CONFLICT` where it is off. */
async function requireEnabled(tx: Tx, context: Context, id: string): Promise<void> {
  const { disabledAt } = await findEndpoint(tx, context, id);
  if (disabledAt) throw new SvcError('CONFLICT', 'This event endpoint is off; enable it first.');
}

/**
 * Condition on the deliveries that the human may see, by the same rules as `redactForHuman`. Undefined when nothing is
 * withheld.
 */
async function knownDeliveries(tx: Tx, context: Context): Promise<SQL | undefined> {
  const view = await viewOfAll(tx, context);
  if (view.isFull) return undefined;
  const memory = and(
    sql`${memories.tenantId} = event.tenant_id`,
    sql`${memories.id} = (event.data ->> 'memory_id')::uuid`,
    view.known,
  );
  return sql`EXISTS (SELECT FROM events event
    WHERE event.tenant_id = ${eventDeliveries.tenantId} AND event.id = ${eventDeliveries.eventId}
      AND (event.data ->> 'memory_id' IS NULL OR event.type = ANY(${texts(DECISIONS)})
        OR EXISTS (SELECT FROM ${memories} WHERE ${memory})))`;
}

/** A delivery as the API shows it. */
function toDelivery(row: EventDeliveryRow): EventDelivery {
  return {
    id: row.id,
    event_id: row.eventId,
    type: row.type,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.status === 'pending' ? row.dueAt.toISOString() : null,
    attempts: row.log,
  };
}
