import { type SQL, sql } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints, events } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import { rows } from '../../kernel/database/database.ts';

const DAY_MS = 86_400_000;
/** Days that deliveries, dead ones included, can be read and replayed. */
const DELIVERY_DAYS = 30;
/** Days that an event without deliveries is kept, so that live streams can resume from it. */
const EVENT_DAYS = 7;
const BATCH = 5_000;

/**
 * Deletes old deliveries, events that no delivery needs any more, and previous secrets after their overlap.
 *
 * @returns the number of rows; call again while it is not 0.
 */
export async function forgetOldEvents({ database, clock }: Services): Promise<number> {
  const before = (days: number) => new Date(clock().getTime() - days * DAY_MS).toISOString();
  const remove = (query: SQL) => database.system(async (tx) => (await rows(tx, query)).length);
  const deliveries = await remove(sql`
    DELETE FROM ${eventDeliveries} WHERE (tenant_id, id) IN (
      SELECT tenant_id, id FROM ${eventDeliveries} WHERE created_at < ${before(DELIVERY_DAYS)}::timestamptz
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING 1`);
  const found = await remove(sql`
    DELETE FROM ${events} WHERE (tenant_id, id) IN (
      SELECT tenant_id, id FROM ${events} event WHERE created_at < ${before(EVENT_DAYS)}::timestamptz
        AND NOT EXISTS (SELECT FROM ${eventDeliveries} delivery
                        WHERE delivery.tenant_id = event.tenant_id AND delivery.event_id = event.id)
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING 1`);
  const secrets = await remove(sql`
    UPDATE ${eventEndpoints} SET previous_secret = NULL, previous_secret_until = NULL
    WHERE previous_secret_until <= ${clock().toISOString()}::timestamptz RETURNING 1`);
  return deliveries + found + secrets;
}
