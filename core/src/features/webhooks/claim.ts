import { and, eq, isNull, min, type SQL, sql } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints, events } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import { isoText } from '../../kernel/database/columns.ts';
import { rows } from '../../kernel/database/database.ts';
import { integers, timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { type Claimed, claimRows, isDue } from '../../kernel/queue/claim.ts';
import type { VisibilitySettings } from '../visibility/contract.ts';
import { visibilityTable } from '../visibility/schema.ts';
import { LONGEST_WAIT_MS } from './retry-delays.ts';

/** A delivery that this process holds until its lease ends. */
export interface ClaimedDelivery extends Claimed {
  readonly endpointId: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly url: string;
  /** Encrypted. There is a second one only during a rotation. */
  readonly secrets: readonly string[];
  /** What the agent shows to its human, who registered the target; null when the agent never set it. */
  readonly visibility: VisibilitySettings | null;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: Date;
    readonly data: Record<string, unknown>;
  };
}

/** How many deliveries may be in progress. */
export interface Capacity {
  readonly total: number;
  readonly perEndpoint: number;
  /** Deliveries in progress in this process, by endpoint. */
  readonly busy: ReadonlyMap<string, number>;
}

interface ClaimedRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly url: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly visibility: VisibilitySettings | null;
  readonly event_id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/**
 * Claims due deliveries for this process: a few from every endpoint, so that the backlog of one does not delay the others,
 * and one at a time from a failing endpoint. The claim of a process that dies ends with its lease.
 */
export async function claimDue(
  { database, clock, ids }: Services,
  capacity: Capacity,
): Promise<ClaimedDelivery[]> {
  const claim = ids();
  const statement = claimStatement(claim, clock(), capacity);
  const found = await database.system((tx) => rows<ClaimedRow>(tx, statement));
  return found.map((row) => toClaimed(row, claim));
}

/** When the next delivery falls due, or its claim ends. */
export async function nextDelivery({ database }: Services): Promise<Date | undefined> {
  const { tenantId, endpointId, status, dueAt } = eventDeliveries;
  const [next] = await database.system((tx) =>
    tx
      .select({ dueAt: min(dueAt) })
      .from(eventDeliveries)
      .innerJoin(
        eventEndpoints,
        and(eq(eventEndpoints.tenantId, tenantId), eq(eventEndpoints.id, endpointId)),
      )
      .where(and(eq(status, 'pending'), isNull(eventEndpoints.disabledAt))),
  );
  return next?.dueAt ?? undefined;
}

/**
 * Uses the index event_deliveries_due twice: to hop from endpoint to endpoint, then for the oldest of each. Of what was never tried
 * the time does not matter: it is that of the event.
 */
function claimStatement(claim: string, now: Date, { total, perEndpoint, busy }: Capacity): SQL {
  return sql`
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
        AND (claim IS NULL AND attempts = 0 OR ${isDue(now, LONGEST_WAIT_MS)})
      ORDER BY due_at
      LIMIT greatest(0, CASE WHEN endpoint.failing_since IS NULL THEN ${perEndpoint}::int ELSE 1 END
                        - coalesce(busy.count, 0))
      FOR UPDATE SKIP LOCKED) delivery
    ORDER BY random() LIMIT ${total}::int
  ), claimed AS (
    ${claimRows(eventDeliveries, claim, now)}
  )
  SELECT claimed.tenant_id, claimed.id, claimed.endpoint_id, claimed.attempts, endpoint.url, endpoint.secret,
         CASE WHEN endpoint.previous_secret_until > ${timestamptz(now)} THEN endpoint.previous_secret END
           AS previous_secret,
         (SELECT settings FROM ${visibilityTable} shown WHERE shown.tenant_id = claimed.tenant_id) AS visibility,
         event.id AS event_id, event.type, event.data,
         ${isoText(sql`event.created_at`)} AS timestamp
  FROM claimed
  JOIN ${eventEndpoints} endpoint ON endpoint.tenant_id = claimed.tenant_id AND endpoint.id = claimed.endpoint_id
  JOIN ${events} event ON event.tenant_id = claimed.tenant_id AND event.id = claimed.event_id
  ORDER BY claimed.created_at, claimed.event_id`;
}

function toClaimed(row: ClaimedRow, claim: string): ClaimedDelivery {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    endpointId: row.endpoint_id,
    claim,
    attempts: row.attempts,
    url: row.url,
    visibility: row.visibility,
    secrets: row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret],
    event: { id: row.event_id, type: row.type, timestamp: new Date(row.timestamp), data: row.data },
  };
}
