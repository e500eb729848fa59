import { and, type SQL, sql } from 'drizzle-orm';
import { eventDeliveries } from '../../kernel/commit/outbox-schema.ts';
import type { Context } from '../../kernel/context/context.ts';
import { texts } from '../../kernel/database/arrays.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { memories } from '../records/schema.ts';
import { viewOfAll } from '../visibility/view.ts';
import { DECISIONS } from './for-human.ts';

/**
 * Condition on the deliveries that the human may see, by the same rules as `redactForHuman`. Undefined when nothing is
 * withheld.
 */
export async function knownDeliveries(tx: Tx, context: Context): Promise<SQL | undefined> {
  const view = await viewOfAll(tx, context);
  if (view.isFull) return undefined;
  const memory = and(
    sql`${memories.tenantId} = event.tenant_id`,
    sql`${memories.id} = (event.data ->> 'memory_id')::uuid`,
    view.known,
  );
  return sql`EXISTS (SELECT FROM events event
    WHERE event.tenant_id = ${eventDeliveries.tenantId} AND event.id = ${eventDeliveries.eventId}
      AND (event.data ->> 'memory_id' IS NULL OR event.type = ANY(${texts(DECISIONS)})
        OR EXISTS (SELECT FROM ${memories} WHERE ${memory})))`;
}
