import { type SQL, sql } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints, events } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import { isoText } from '../../kernel/database/columns.ts';
import { rows } from '../../kernel/database/database.ts';
import { integers, timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { type Claimed, claimRows, isAbsurd } from '../../kernel/queue/claim.ts';
import type { VisibilitySettings } from '../visibility/contract.ts';
import { visibilityTable } from '../visibility/schema.ts';
import { LONGEST_WAIT_MS } from './retry-delays.ts';

const IN_PROGRESS_PER_TENANT = 32;
const IN_PROGRESS_PER_ENDPOINT = 4;

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

/** Deliveries in progress in this process to one endpoint. */
export interface BusyEndpoint {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly count: number;
}

/** How many deliveries may be in progress. */
interface Capacity {
  readonly total: number;
  readonly busy: readonly BusyEndpoint[];
  /** Ids of failing endpoints that asked for a pause: nothing is claimed for them. */
  readonly paused: readonly string[];
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
 * Claims due deliveries for this process: a few from every endpoint, so that the backlog of one does not delay the others, and one
 * at a time from a failing endpoint. Tenants with the fewest in progress come first, so that the slow endpoints of some do not take
 * all places. The claim of a process that dies ends with its lease.
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
  const [next] = await database.system((tx) =>
    rows<{ due_at: string | null }>(
      tx,
      sql`WITH RECURSIVE ${LANES}
        SELECT ${isoText(sql`min(earliest.due_at)`)} AS due_at FROM lane
        JOIN ${eventEndpoints} endpoint ON ${IS_ON}
        CROSS JOIN LATERAL (SELECT due_at FROM ${eventDeliveries} WHERE ${OF_LANE} ORDER BY due_at LIMIT 1) earliest`,
    ),
  );
  return next?.due_at ? new Date(next.due_at) : undefined;
}

/** The endpoints that something waits for. Hops over the index event_deliveries_due from one to the next. */
const LANES = sql`lane AS (
    (SELECT tenant_id, endpoint_id FROM ${eventDeliveries} WHERE status = 'pending'
     ORDER BY tenant_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT next.tenant_id, next.endpoint_id FROM lane CROSS JOIN LATERAL (
      SELECT tenant_id, endpoint_id FROM ${eventDeliveries}
      WHERE status = 'pending' AND (tenant_id, endpoint_id) > (lane.tenant_id, lane.endpoint_id)
      ORDER BY tenant_id, endpoint_id LIMIT 1) next
  )`;
const IS_ON = sql`endpoint.tenant_id = lane.tenant_id AND endpoint.id = lane.endpoint_id AND endpoint.disabled_at IS NULL`;
const OF_LANE = sql`tenant_id = lane.tenant_id AND endpoint_id = lane.endpoint_id AND status = 'pending'`;

/**
 * The due deliveries of a lane, oldest first. A receiver that is down for days has many that wait for their next attempt, so each
 * part reads only what is due: by the index event_deliveries_due; and by event_deliveries_log what was never tried, whose time does
 * not matter: it is that of the event, and the clock was ahead then.
 */
function dueOfLane(now: Date, most: SQL): SQL {
  const part = (condition: SQL, order: SQL) =>
    sql`SELECT * FROM (SELECT tenant_id, id FROM ${eventDeliveries} WHERE ${OF_LANE} AND ${condition}
      ORDER BY ${order} LIMIT ${most} FOR UPDATE SKIP LOCKED) part`;
  const at = timestamptz(now);
  const parts = [
    part(sql`due_at <= ${at}`, sql`due_at`),
    part(isAbsurd(now, LONGEST_WAIT_MS), sql`due_at`),
    part(sql`created_at > ${at} AND claim IS NULL AND attempts = 0`, sql`created_at`),
  ];
  return sql`SELECT DISTINCT tenant_id, id FROM (${sql.join(parts, sql` UNION ALL `)}) parts LIMIT ${most}`;
}

function claimStatement(claim: string, now: Date, capacity: Capacity): SQL {
  const { total, busy, paused } = capacity;
  const most = sql`greatest(0, CASE WHEN endpoint.failing_since IS NULL THEN ${IN_PROGRESS_PER_ENDPOINT}::int ELSE 1 END
      - coalesce(busy.count, 0))`;
  return sql`
  WITH RECURSIVE ${LANES}, busy AS (
    SELECT * FROM unnest(${uuids(busy.map(({ tenantId }) => tenantId))}, ${uuids(busy.map(({ endpointId }) => endpointId))},
      ${integers(busy.map(({ count }) => count))}) AS busy(tenant_id, endpoint_id, count)
  ), busy_tenant AS (
    SELECT tenant_id, sum(count) AS count FROM busy GROUP BY tenant_id
  ), found AS MATERIALIZED (
    SELECT delivery.tenant_id, delivery.id, coalesce(busy_tenant.count, 0)
      + row_number() OVER (PARTITION BY delivery.tenant_id ORDER BY random()) AS place
    FROM lane JOIN ${eventEndpoints} endpoint ON ${IS_ON}
      AND (endpoint.failing_since IS NULL OR endpoint.id <> ALL(${uuids(paused)}))
    LEFT JOIN busy ON busy.endpoint_id = lane.endpoint_id
    LEFT JOIN busy_tenant ON busy_tenant.tenant_id = lane.tenant_id
    CROSS JOIN LATERAL (${dueOfLane(now, most)}) delivery
  ), due AS MATERIALIZED (
    SELECT tenant_id, id FROM found WHERE place <= ${IN_PROGRESS_PER_TENANT}::int ORDER BY place, random() LIMIT ${total}::int
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
