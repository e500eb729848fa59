import { sql } from 'drizzle-orm';
import { integers, uuids } from '../database/arrays.ts';
import { rows } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import { eventDeliveries, eventEndpoints, events } from './schema.ts';

/** A delivery this process holds until its lease ends. */
export interface Claimed {
  readonly tenantId: string;
  readonly id: string;
  readonly endpointId: string;
  readonly claim: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly url: string;
  /** Sealed; the second one only during a rotation. */
  readonly secrets: readonly string[];
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: Date;
    readonly data: Record<string, unknown>;
  };
}

/** How many deliveries may be in progress at once. */
export interface Capacity {
  readonly total: number;
  readonly perEndpoint: number;
  /** Deliveries in progress in this process, by endpoint. */
  readonly busy: ReadonlyMap<string, number>;
}

// Well above the timeout of an attempt: only a process that died loses its claim.
const LEASE_MS = 60_000;

interface ClaimedRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly url: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly event_id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/**
 * Takes deliveries that are due, for this process alone: from every endpoint a few, so that the backlog of one does not
 * delay the others, and from a failing endpoint one at a time. A process that dies holding one loses it to others when
 * the lease ends.
 */
export async function claimDue(
  { database, clock, ids }: Dependencies,
  { total, perEndpoint, busy }: Capacity,
): Promise<Claimed[]> {
  const now = clock();
  const at = now.toISOString();
  const leaseEnd = new Date(now.getTime() + LEASE_MS).toISOString();
  const claim = ids();
  const found = await database.system((tx) =>
    // Index event_deliveries_due twice: hopping from endpoint to endpoint, then the oldest of each.
    rows<ClaimedRow>(
      tx,
      sql`
      WITH RECURSIVE lane AS (
        (SELECT tenant_id, endpoint_id FROM ${eventDeliveries} WHERE status = 'pending'
         ORDER BY tenant_id, endpoint_id LIMIT 1)
        UNION ALL
        SELECT next.tenant_id, next.endpoint_id FROM lane CROSS JOIN LATERAL (
          SELECT tenant_id, endpoint_id FROM ${eventDeliveries}
          WHERE status = 'pending' AND (tenant_id, endpoint_id) > (lane.tenant_id, lane.endpoint_id)
          ORDER BY tenant_id, endpoint_id LIMIT 1) next
      ), busy AS (
        SELECT * FROM unnest(${uuids([...busy.keys()])}, ${integers([...busy.values()])}) AS busy(endpoint_id, count)
      ), due AS MATERIALIZED (
        SELECT delivery.tenant_id, delivery.id FROM lane
        JOIN ${eventEndpoints} endpoint
          ON endpoint.tenant_id = lane.tenant_id AND endpoint.id = lane.endpoint_id AND endpoint.disabled_at IS NULL
        LEFT JOIN busy ON busy.endpoint_id = lane.endpoint_id
        CROSS JOIN LATERAL (
          SELECT tenant_id, id FROM ${eventDeliveries}
          WHERE tenant_id = lane.tenant_id AND endpoint_id = lane.endpoint_id AND status = 'pending'
            AND due_at <= ${at}::timestamptz
          ORDER BY due_at
          LIMIT greatest(0, CASE WHEN endpoint.failing_since IS NULL THEN ${perEndpoint}::int ELSE 1 END
                            - coalesce(busy.count, 0))
          FOR UPDATE SKIP LOCKED) delivery
        ORDER BY random() LIMIT ${total}::int
      ), claimed AS (
        UPDATE ${eventDeliveries} delivery SET claim = ${claim}::uuid, due_at = ${leaseEnd}::timestamptz
        FROM due WHERE delivery.tenant_id = due.tenant_id AND delivery.id = due.id
        RETURNING delivery.*
      )
      SELECT claimed.tenant_id, claimed.id, claimed.endpoint_id, claimed.attempts, endpoint.url, endpoint.secret,
             CASE WHEN endpoint.previous_secret_until > ${at}::timestamptz THEN endpoint.previous_secret END
               AS previous_secret,
             event.id AS event_id, event.type, event.data,
             to_char(event.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS timestamp
      FROM claimed
      JOIN ${eventEndpoints} endpoint ON endpoint.tenant_id = claimed.tenant_id AND endpoint.id = claimed.endpoint_id
      JOIN ${events} event ON event.tenant_id = claimed.tenant_id AND event.id = claimed.event_id
      ORDER BY claimed.created_at, claimed.event_id`,
    ),
  );
  return found.map((row) => ({
    tenantId: row.tenant_id,
    id: row.id,
    endpointId: row.endpoint_id,
    claim,
    attempts: row.attempts,
    url: row.url,
    secrets: row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret],
    event: { id: row.event_id, type: row.type, timestamp: new Date(row.timestamp), data: row.data },
  }));
}
