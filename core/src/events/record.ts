import { sql } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Event } from '../engine/plugins.ts';
import { eventDeliveries, eventEndpoints, events } from './schema.ts';

/**
 * Writes events, and a delivery for every endpoint that asked for their kind, in the transaction that makes them
 * happen: after a crash both are there, or neither. One round trip for any number.
 */
export async function recordEvents(tx: Tx, happened: readonly Event[]): Promise<void> {
  if (happened.length === 0) return;
  const list = happened.map(({ id, type, tenantId, timestamp, data }) => ({
    tenant_id: tenantId,
    id,
    type,
    data,
    created_at: timestamp.toISOString(),
  }));
  await tx.execute(sql`
    WITH event AS (
      INSERT INTO ${events} (tenant_id, id, type, data, created_at)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
        AS item(tenant_id uuid, id uuid, type text, data jsonb, created_at timestamptz)
      RETURNING tenant_id, id, type, created_at
    )
    INSERT INTO ${eventDeliveries} (tenant_id, id, endpoint_id, event_id, type, status, due_at, created_at)
    SELECT event.tenant_id, gen_random_uuid(), endpoint.id, event.id, event.type, 'pending',
           event.created_at, event.created_at
    FROM event JOIN ${eventEndpoints} endpoint ON endpoint.tenant_id = event.tenant_id
    WHERE endpoint.disabled_at IS NULL
      AND endpoint.events && ARRAY['*', split_part(event.type, '.', 1) || '.*', event.type]`);
}
