import { sql } from 'drizzle-orm';
import { events } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { isoText } from '../../kernel/database/columns.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { texts, timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { loadRulesEverywhere } from '../visibility/rules.ts';
import { humanView } from '../visibility/view.ts';
import { redactForHuman } from './for-human.ts';
import { EVENT_DAYS } from './retention.ts';
import { type SecretBox, UnreadableSecretError } from './secret-box.ts';

/** A position between two events of a tenant. */
export interface EventPosition {
  /** Id of the writing transaction. */
  readonly transaction: string;
  readonly id: string;
}

/** An event, and the position right after it. */
export interface LoggedEvent {
  readonly event: Event;
  readonly position: EventPosition;
  /** The event as the human may see it; undefined when they must not receive it. */
  readonly forHuman: Event | undefined;
}

/** Reads the events of each tenant in a stable order, for live streams. */
export interface EventLog {
  /**
   * The position right after an event, or the current one.
   *
   * @param after An event's id, or what `toText` made of a position.
   * @returns undefined when what came after it may have been deleted, or when the text is of another tenant, secret or database.
   */
  position(tenantId: string, after?: string): Promise<EventPosition | undefined>;
  /**
   * The current position as a text for those who read the events. It is encrypted, since transactions are counted over all tenants.
   * Undefined where the service was started without a secret.
   */
  toText(tenantId: string, position: EventPosition): string | undefined;
  /** Events after a position, in order. A reader that follows the positions sees every event exactly once. */
  after(tenantId: string, position: EventPosition, limit: number): Promise<LoggedEvent[]>;
  /** The tenants that have events after their positions, or will have them when what is being written is committed. */
  withNews(positions: ReadonlyMap<string, EventPosition>): Promise<readonly string[]>;
}

/** What a text of a position holds: the time tells whether the events after it are still kept. */
interface DatedPosition extends EventPosition {
  readonly at: string;
}

/**
 * Days in which a reader can go on from an event or a text. A day less than events are kept, as an event may have been written
 * after one that has a later time: by a longer transaction, or another clock.
 */
const RESUMABLE_DAYS = EVENT_DAYS - 1;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads events from the outbox. */
export function createEventLog({
  database,
  webhooks,
  clock,
}: Pick<Services, 'database' | 'webhooks' | 'clock'>): EventLog {
  const resumableSince = () => new Date(clock().getTime() - RESUMABLE_DAYS * DAY_MS);
  return {
    toText: (tenantId, position) => {
      const dated: DatedPosition = { ...position, at: clock().toISOString() };
      return webhooks?.secrets.seal(JSON.stringify(dated), tenantId);
    },
    position: async (tenantId, after) => {
      const horizon = await readHorizon(database);
      if (after === undefined) return { transaction: String(BigInt(horizon) - 1n), id: LAST_ID };
      if (!UUID.test(after)) {
        const known = webhooks && openText(webhooks.secrets, tenantId, after);
        if (!known || !(Date.parse(known.at) > resumableSince().getTime())) return undefined;
        // In a database that was restored, or moved, transactions count anew: what comes below it would not be told.
        const { transaction, id } = known;
        return BigInt(transaction) < BigInt(horizon) ? { transaction, id } : undefined;
      }
      // An event that was delivered by webhook is kept as long as its delivery, and those after it may be gone.
      const [found] = await database.read(tenantId, (tx) =>
        rows<EventPosition>(
          tx,
          sql`SELECT transaction::text, id FROM ${events}
              WHERE tenant_id = ${tenantId} AND id = ${after}::uuid AND transaction < ${horizon}::bigint
                AND created_at > ${timestamptz(resumableSince())}`,
        ),
      );
      return found && { transaction: found.transaction, id: found.id };
    },
    after: async (tenantId, position, limit) => {
      // Read first, so that every transaction below the horizon is visible when the events are read.
      const horizon = await readHorizon(database);
      return database.read(tenantId, (tx) => readAfter(tx, tenantId, position, { limit, horizon }));
    },
    withNews: async (positions) => {
      const all = [...positions.values()];
      const asked = sql`unnest(${uuids([...positions.keys()])}, ${texts(all.map(({ transaction }) => transaction))},
        ${uuids(all.map(({ id }) => id))}) AS asked(tenant_id, transaction, id)`;
      // Index events_order, once for each tenant.
      const found = await database.system((tx) =>
        rows<{ tenant_id: string }>(
          tx,
          sql`SELECT tenant_id FROM ${asked} WHERE EXISTS (SELECT FROM ${events} event
              WHERE event.tenant_id = asked.tenant_id
                AND (event.transaction, event.id) > (asked.transaction::bigint, asked.id))`,
        ),
      );
      return found.map(({ tenant_id: tenantId }) => tenantId);
    },
  };
}

/** Undefined for a text of another tenant or secret. */
function openText(secrets: SecretBox, tenantId: string, text: string): DatedPosition | undefined {
  try {
    return JSON.parse(secrets.open(text, tenantId));
  } catch (error) {
    if (error instanceof UnreadableSecretError) return undefined;
    throw error;
  }
}

/**
 * The oldest transaction still running in this database, or the next one: no event can appear below it later. The snapshot's
 * own `xmin` would not do, because a long transaction in another database of the server holds it back. Runs as the connecting
 * user, because the role of tenants does not see other sessions.
 */
async function readHorizon({ accounts }: Services['database']): Promise<string> {
  // `backend_xid` has 32 bits and wraps; the signed difference to the next id restores the upper bits. It is below 0 for a
  // transaction that got its id while others with smaller ones were running.
  const age = sql`((next - backend_xid::text::bigint + 2147483648) & 4294967295) - 2147483648`;
  const [found] = await rows<{ horizon: string }>(
    accounts,
    sql`SELECT (next - greatest(max(${age}), 0))::text AS horizon
        FROM (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next) now
        LEFT JOIN pg_stat_activity ON datname = current_database() AND backend_xid IS NOT NULL
        GROUP BY next`,
  );
  if (!found) throw new TypeError('this query answers one row');
  return found.horizon;
}

interface LoggedRow {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly at: string;
  readonly transaction: string;
}

async function readAfter(
  tx: Tx,
  tenantId: string,
  { transaction, id }: EventPosition,
  { limit, horizon }: { readonly limit: number; readonly horizon: string },
): Promise<LoggedEvent[]> {
  // Index events_order.
  const found = await rows<LoggedRow>(
    tx,
    sql`SELECT id, type, data, transaction::text,
               ${isoText(sql`created_at`)} AS at
        FROM ${events} event
        WHERE tenant_id = ${tenantId} AND (event.transaction, event.id) > (${transaction}::bigint, ${id}::uuid)
          AND event.transaction < ${horizon}::bigint
        ORDER BY event.transaction, event.id LIMIT ${limit}`,
  );
  if (found.length === 0) return [];
  const view = humanView(await loadRulesEverywhere(tx, tenantId));
  const told = await redactForHuman(tx, { tenantId, view }, found);
  return found.map((row, index): LoggedEvent => {
    const event = { id: row.id, type: row.type, tenantId, timestamp: new Date(row.at), data: row.data };
    const data = told[index];
    return {
      event,
      position: { transaction: row.transaction, id: row.id },
      forHuman: data && { ...event, data },
    };
  });
}
