import { and, eq, inArray, sql } from 'drizzle-orm';
import { rows, type Tx } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import type { Event } from '../engine/plugins.ts';
import { memories } from '../memory/schema.ts';
import { levelOf } from '../visibility/conceal.ts';
import { DEFAULT_VISIBILITY } from '../visibility/contract.ts';
import { loadVisibility } from '../visibility/settings.ts';
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
  /** True for what is about a memory the agent hides from its human. */
  readonly hidden: boolean;
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

/** Reads the outbox. */
export function createEventLog({ database }: Pick<Dependencies, 'database'>): EventLog {
  return {
    position: async (tenantId, after) => {
      const horizon = await readHorizon(database);
      if (after === undefined) return { transaction: String(BigInt(horizon) - 1n), id: LAST_ID };
      const [found] = await database.read(tenantId, (tx) =>
        rows<EventPosition>(
          tx,
          sql`SELECT transaction::text, id FROM ${events}
              WHERE tenant_id = ${tenantId} AND id = ${after}::uuid AND transaction < ${horizon}::bigint`,
        ),
      );
      return found && { transaction: found.transaction, id: found.id };
    },
    after: async (tenantId, position, limit) => {
      // First: what ended before it is read must be visible when the events are.
      const horizon = await readHorizon(database);
      return database.read(tenantId, (tx) => readAfter(tx, tenantId, position, { limit, horizon }));
    },
  };
}

/**
 * The oldest transaction still running in this database, or the next one: below it nothing can appear later. Not the
 * snapshot's own `xmin`, which a long transaction in any other database of the server would hold back. Asked as the
 * connecting user, since the role of tenants does not see what others do.
 */
async function readHorizon({ accounts }: Dependencies['database']): Promise<string> {
  // `backend_xid` has 32 bits and wraps; the difference to the next id gives it the others back.
  const [found] = await rows<{ horizon: string }>(
    accounts,
    sql`SELECT (next - coalesce(max((next - backend_xid::text::bigint) & 4294967295), 0))::text AS horizon
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
               to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
        FROM ${events} event
        WHERE tenant_id = ${tenantId} AND (event.transaction, event.id) > (${transaction}::bigint, ${id}::uuid)
          AND event.transaction < ${horizon}::bigint
        ORDER BY event.transaction, event.id LIMIT ${limit}`,
  );
  const hidden = await hiddenMemories(
    tx,
    tenantId,
    found.map(({ data }) => data.memory_id),
  );
  return found.map(
    (row): LoggedEvent => ({
      event: { id: row.id, type: row.type, tenantId, timestamp: new Date(row.at), data: row.data },
      position: { transaction: row.transaction, id: row.id },
      hidden: hidden(row.data.memory_id),
    }),
  );
}

/** Tells which memories the human must not hear of; of one that is gone nobody knows what it was. */
async function hiddenMemories(
  tx: Tx,
  tenantId: string,
  named: readonly unknown[],
): Promise<(id: unknown) => boolean> {
  const ids = [...new Set(named.filter((id) => typeof id === 'string'))];
  if (ids.length === 0) return () => false;
  const settings = await loadVisibility(tx, tenantId);
  if (JSON.stringify(settings) === JSON.stringify(DEFAULT_VISIBILITY)) return () => false;
  const { id, type, category, tags, derivedFrom } = memories;
  const found = await tx
    .select({ id, type, category, tags, derived_from: derivedFrom })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), inArray(id, ids)));
  const shown = new Set<unknown>(
    found.filter((memory) => levelOf(settings, memory) !== 'hidden').map((memory) => memory.id),
  );
  return (memoryId) => typeof memoryId === 'string' && !shown.has(memoryId);
}
