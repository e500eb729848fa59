import { and, eq, gte, lt, sql } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { levelsOf, viewOfAll } from '../visibility/view.ts';
import type { LoggedRecall, recallLogRoutes } from './contract.ts';
import { type RecallRow, loggedRecalls as table } from './schema.ts';

/**
 * What was recalled lately, newest first. While the agent withholds anything, a human sees their own recalls only: how many
 * results another's had, and how good they were, tells of what is withheld.
 */
export const recalls: Operation<typeof recallLogRoutes.recalls> = async (context, input) => {
  const { tenantId, recallLog } = context;
  await recallLog.flush();
  return context.read(async (tx) => {
    const view = await viewOfAll(tx, context);
    const reader = { tenantId, view };
    const { memory_id: sought } = input;
    if (sought !== undefined && (await levelsOf(tx, reader, [sought]))(sought) !== 'full') {
      return { recalls: [], next_cursor: null };
    }
    const list = sortedList('desc', [table.at, table.id]);
    // Index recalls_time.
    const found = await tx
      .select()
      .from(table)
      .where(
        and(
          eq(table.tenantId, tenantId),
          view.isFull ? undefined : eq(table.source, 'human'),
          sought === undefined
            ? undefined
            : sql`${table.results} @> ${JSON.stringify([{ id: sought }])}::jsonb`,
          input.since && gte(table.at, input.since),
          input.until && lt(table.at, input.until),
          list.after(input.cursor),
        ),
      )
      .orderBy(...list.orderBy)
      .limit(input.limit + 1);
    const { page, next_cursor } = list.toPage(found, input.limit, ({ at, id }) => ({ at, id }));
    const all = page.map(toRecall);
    if (view.isFull) return { recalls: all, next_cursor };
    const ids = all.flatMap(({ results }) => results.map(({ id }) => id));
    const level = await levelsOf(tx, reader, [...new Set(ids)]);
    const shown = all.map((recall) => ({
      ...recall,
      took_ms: null,
      results: recall.results.filter(({ id }) => level(id) === 'full'),
    }));
    return { recalls: shown, next_cursor };
  });
};

function toRecall(row: RecallRow): LoggedRecall {
  return {
    id: row.id,
    at: row.at.toISOString(),
    query: row.query,
    source: { kind: row.source, credential_id: row.credentialId },
    results: row.results,
    degraded: row.degraded,
    took_ms: row.tookMs,
  };
}
