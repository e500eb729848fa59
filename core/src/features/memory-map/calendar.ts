import { count, sql } from 'drizzle-orm';
import { contextsOf, type Operation } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { DatabaseError } from '../../kernel/database/errors.ts';
import { matchesFilters } from '../recall/filters.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import type { memoryMapRoutes } from './contract.ts';

const INVALID_PARAMETER = '22023';

/** How many memories each day has, the agent's own and those of its spaces, hidden ones not counted. Index memories_time. */
export const memoryCalendar: Operation<typeof memoryMapRoutes.memoryCalendar> = (
  context,
  { since, until, types, time_zone: timeZone },
) =>
  context
    .read(async (tx) => {
      const { occurredAt } = memories;
      const date = sql<string>`to_char(${occurredAt} AT TIME ZONE ${timeZone}, 'YYYY-MM-DD')`;
      const { known } = await viewOf(tx, context);
      const counts = new Map<string, number>();
      for (const { tenantId } of contextsOf(context)) {
        const found = await tx
          .select({ date, memories: count() })
          .from(memories)
          .where(matchesFilters(tenantId, { since, until, types }, known))
          .groupBy(sql`1`);
        for (const day of found) counts.set(day.date, (counts.get(day.date) ?? 0) + day.memories);
      }
      const days = [...counts].map(([date, memories]) => ({ date, memories }));
      return { days: days.sort((one, other) => (one.date < other.date ? -1 : 1)) };
    })
    .catch((error: unknown) => {
      // The database and this process may have other editions of the time zones.
      if (!(error instanceof DatabaseError) || error.code !== INVALID_PARAMETER) throw error;
      throw invalid('time_zone', 'is no time zone that the database knows');
    });
