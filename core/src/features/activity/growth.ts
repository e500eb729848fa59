import { and, count, eq, gte, isNull, type SQL, sql } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { activityRoutes } from './contract.ts';

/** Condition on `memories`: active ones of the tenant that were stored or changed since a time. Index memories_updated. */
export function touchedSince(tenantId: string, since: Date): SQL {
  const condition = and(
    eq(memories.tenantId, tenantId),
    isNull(memories.archivedAt),
    sql`${memories.updatedAt} >= ${timestamptz(since)}`,
  );
  return condition ?? sql`true`;
}

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** How many memories each day brought, hidden ones not counted. */
export const memoryGrowth: Operation<typeof activityRoutes.memoryGrowth> = (context, { days }) =>
  context.read(async (tx) => {
    const today = Math.floor(context.now.getTime() / DAY_MS) * DAY_MS;
    const since = new Date(today - (days - 1) * DAY_MS);
    const { known } = await viewOf(tx, context);
    const date = sql<string>`to_char(${memories.createdAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
    const found = await tx
      .select({ date, type: memories.type, memories: count() })
      .from(memories)
      .where(and(touchedSince(context.tenantId, since), gte(memories.createdAt, since), known))
      .groupBy(sql`1`, memories.type);
    const brought = new Map(
      Array.from({ length: days }, (_, day) => [
        dateOf(since.getTime() + day * DAY_MS),
        { core: 0, working: 0, episodic: 0, semantic: 0 },
      ]),
    );
    for (const row of found) {
      const day = brought.get(row.date);
      if (day) day[row.type] = row.memories;
    }
    return { days: [...brought].map(([day, counts]) => ({ date: day, ...counts })) };
  });
