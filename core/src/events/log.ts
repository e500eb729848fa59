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
  const { id, type, category, tags } = memories;
  const found = await tx
    .select({ id, type, category, tags })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), inArray(id, ids)));
  const shown = new Set<unknown>(
    found.filter((memory) => levelOf(settings, memory) !== 'hidden').map((memory) => memory.id),
  );
  return (memoryId) => typeof memoryId === 'string' && !shown.has(memoryId);
}
