import { sql } from 'drizzle-orm';
import { rows, type Tx } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import type { Event } from '../engine/plugins.ts';
import { events } from './schema.ts';

/** A place in a tenant's events: after everything up to it, before everything that follows. */
export interface EventPosition {
  /** Id of the writing transaction. */
  readonly transaction: string;
  readonly id: string;
}

/** An event, and the place right after it. */
export interface LoggedEvent {
  readonly event: Event;
  readonly position: EventPosition;
}

/** The events of each tenant in an order that never changes, for live streams. */
export interface EventLog {
  /**
   * Where to go on: right after an event, or from now on.
   *
   * @returns undefined for the id of an event that is not kept (any more).
   */
  position(tenantId: string, after?: string): Promise<EventPosition | undefined>;
  /** Events after a position, in order; every event is seen exactly once by who follows the positions. */
  after(tenantId: string, position: EventPosition, limit: number): Promise<LoggedEvent[]>;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// Below it no transaction is running any more: nothing can appear there later.
const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** Reads the outbox. */
export function createEventLog({ database }: Pick<Dependencies, 'database'>): EventLog {
  return {
    position: (tenantId, after) =>
      database.read(tenantId, async (tx) => {
        const [found] =
          after === undefined
            ? await rows<EventPosition>(
                tx,
                sql`SELECT (${HORIZON} - 1)::text AS transaction, ${LAST_ID} AS id`,
              )
            : await rows<EventPosition>(
                tx,
                sql`SELECT transaction::text, id FROM ${events}
                    WHERE tenant_id = ${tenantId} AND id = ${after}::uuid AND transaction < ${HORIZON}`,
              );
        return found && { transaction: found.transaction, id: found.id };
      }),
    after: (tenantId, position, limit) =>
      database.read(tenantId, (tx) => readAfter(tx, tenantId, position, limit)),
  };
}

interface LoggedRow {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly at: string;
  readonly transaction: string;
}

async function readAfter(tx: Tx, tenantId: string, { transaction, id }: EventPosition, limit: number) {
  // Index events_order.
  const found = await rows<LoggedRow>(
    tx,
    sql`SELECT id, type, data, transaction::text,
               to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
        FROM ${events} event
        WHERE tenant_id = ${tenantId} AND (event.transaction, event.id) > (${transaction}::bigint, ${id}::uuid)
          AND event.transaction < ${HORIZON}
        ORDER BY event.transaction, event.id LIMIT ${limit}`,
  );
  return found.map(
    (row): LoggedEvent => ({
      event: { id: row.id, type: row.type, tenantId, timestamp: new Date(row.at), data: row.data },
      position: { transaction: row.transaction, id: row.id },
    }),
  );
}
