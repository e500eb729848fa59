import { count, sql } from 'drizzle-orm';
import type { Operation } from '../engine/context.ts';
import { memories } from '../memory/schema.ts';
import { matches } from '../recall/filters.ts';
import { levels } from './levels.ts';

/** How many memories each day has, hidden ones not among them. Issue: GET /memories/calendar. Index memories_time. */
export const memoryCalendar: Operation<'memoryCalendar'> = (context, { since, until, types }) =>
  context.read(async (tx) => {
    const { type, category, tags, occurredAt } = memories;
    const date = sql<string>`to_char(${occurredAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
    const levelOf = await levels(tx, context);
    const groups = await tx
      .select({ date, type, category, tags, memories: count() })
      .from(memories)
      .where(matches(context.tenantId, { since, until, types }))
      .groupBy(sql`1`, type, category, tags);
    const days = new Map<string, number>();
    for (const group of groups) {
      if (levelOf(group) === 'hidden') continue;
      days.set(group.date, (days.get(group.date) ?? 0) + group.memories);
    }
    return {
      days: [...days]
        .map(([date, memories]) => ({ date, memories }))
        .sort((one, other) => (one.date < other.date ? -1 : 1)),
    };
  });
