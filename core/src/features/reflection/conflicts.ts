import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { memories } from '../records/schema.ts';
import { type ConflictRow, factConflicts } from '../supersession/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { reflectionRoutes } from './contract.ts';

/** The doubtful pairs that were left to the language model, newest first, and how often it was asked. */
export const listConflicts: Operation<typeof reflectionRoutes.conflicts> = (
  context,
  { status, limit, cursor },
) =>
  context.read(async (tx) => {
    const { tenantId, settings, languageModel } = context;
    const { isFull, readable } = await viewOf(tx, context);
    const isSeen = (id: SQL) =>
      sql`${id} IN (SELECT ${memories.id} FROM ${memories} WHERE ${memories.tenantId} = ${tenantId}::uuid AND ${readable ?? sql`true`})`;
    const list = sortedList('desc', [factConflicts.foundAt, factConflicts.id]);
    // Index fact_conflicts_time.
    const found = await tx
      .select()
      .from(factConflicts)
      .where(
        and(
          eq(factConflicts.tenantId, tenantId),
          status && eq(factConflicts.status, status),
          isFull ? undefined : isSeen(sql`${factConflicts.olderId}`),
          isFull ? undefined : isSeen(sql`${factConflicts.newerId}`),
          list.after(cursor),
        ),
      )
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, ({ foundAt, id }) => ({ at: foundAt, id }));
    return {
      conflicts: page.map(toConflict),
      next_cursor,
      asked: {
        // How many there were tells of what is withheld.
        last_24_hours: isFull ? await countAsked(tx, context) : null,
        at_most: languageModel ? settings.conflictsPerDay : 0,
      },
    };
  });

/** How often the model was asked within a day. */
export async function countAsked(tx: Tx, { tenantId, now }: Context): Promise<number> {
  const [row] = await rows<{ asked: number }>(tx, askedToday(sql`${tenantId}::uuid`, now));
  return row?.asked ?? 0;
}

/** The same as a query, of any tenant. Index fact_conflicts_asked. */
export function askedToday(tenantId: SQL, now: Date): SQL {
  const since = new Date(now.getTime() - DAY_MS);
  return sql`SELECT coalesce(sum(today.attempts), 0)::int AS asked FROM ${factConflicts} today
    WHERE today.tenant_id = ${tenantId} AND today.asked_at > ${timestamptz(since)}`;
}

function toConflict({ id, olderId, newerId, foundAt, status, askedAt }: ConflictRow) {
  return {
    id,
    older_id: olderId,
    newer_id: newerId,
    found_at: foundAt.toISOString(),
    status,
    asked_at: askedAt?.toISOString() ?? null,
  };
}
