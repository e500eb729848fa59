import { count, sql } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { matchesFilters } from '../recall/filters.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { memoryMapRoutes } from './contract.ts';

/** How many memories each day has, hidden ones not counted. Index memories_time. */
export const memoryCalendar: Operation<typeof memoryMapRoutes.memoryCalendar> = (
  context,
  { since, until, types },
) =>
  context.read(async (tx) => {
    const { occurredAt } = memories;
    const date = sql<string>`to_char(${occurredAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
    const { known } = await viewOf(tx, context);
    const days = await tx
      .select({ date, memories: count() })
      .from(memories)
      .where(matchesFilters(context.tenantId, { since, until, types }, known))
      .groupBy(sql`1`)
      .orderBy(sql`1`);
    return { days };
  });
