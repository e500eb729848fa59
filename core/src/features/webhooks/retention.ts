import { lte, sql } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints, events } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import { deleteOldest } from '../../kernel/database/delete-oldest.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';

/** Days that deliveries, dead ones included, can be read and replayed. */
const DELIVERY_DAYS = 30;
/** Days that an event without deliveries is kept, so that live streams can resume from it. */
export const EVENT_DAYS = 7;

/**
 * Deletes old deliveries, events that no delivery needs any more, and previous secrets after their overlap.
 *
 * @returns the number of rows; call again while it is not 0.
 */
export async function forgetOldEvents({ database, clock }: Services): Promise<number> {
  const now = clock();
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const deliveries = await deleteOldest(database, {
    table: eventDeliveries,
    key: eventDeliveries.id,
    at: eventDeliveries.createdAt,
    before: before(DELIVERY_DAYS),
  });
  const isUndelivered = sql`NOT EXISTS (SELECT FROM ${eventDeliveries} delivery
    WHERE delivery.tenant_id = ${events.tenantId} AND delivery.event_id = ${events.id})`;
  const found = await deleteOldest(database, {
    table: events,
    key: events.id,
    at: events.createdAt,
    before: before(EVENT_DAYS),
    where: isUndelivered,
  });
  const { previousSecretUntil, id } = eventEndpoints;
  const secrets = await database.system((tx) =>
    tx
      .update(eventEndpoints)
      .set({ previousSecret: null, previousSecretUntil: null })
      .where(lte(previousSecretUntil, now))
      .returning({ id }),
  );
  return deliveries + found + secrets.length;
}
