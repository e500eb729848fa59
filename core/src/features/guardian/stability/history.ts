import { and, avg, count, eq, gte, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Operation } from '../../../kernel/context/context.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { DAY_MS } from '../../../kernel/runtime/durations.ts';
import { guardianEntries } from '../../records/pending-change-schema.ts';
import { knownEntries } from '../../visibility/entries.ts';
import { viewOf } from '../../visibility/view.ts';
import type { stabilityRoutes } from './contract.ts';
import { injections } from './schema.ts';
import { loadProtectedStates, similaritiesAt } from './similarity-by-day.ts';

/** How steady the agent was, day by day. */
export const stabilityHistory: Operation<typeof stabilityRoutes.stabilityHistory> = async (
  context,
  input,
) => {
  const { tenantId, now } = context;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const since = new Date(today - (input.days - 1) * DAY_MS);
  const facts = await context.read(async (tx) => {
    const { isFull } = await viewOf(tx, context);
    const own = and(eq(guardianEntries.tenantId, tenantId), await knownEntries(tx, context));
    const { requestedAt, decidedAt, status, current } = guardianEntries;
    return {
      injected: await countInjections(tx, tenantId, since),
      // What share of the core was shown, and how far it moved, was measured with what is withheld.
      isFull,
      protectedStates: isFull ? await loadProtectedStates(tx, context) : [],
      asked: await countEntries(tx, since, requestedAt, and(own, isNotNull(current))),
      applied: await countEntries(tx, since, decidedAt, and(own, inArray(status, ['applied', 'approved']))),
      rejected: await countEntries(tx, since, decidedAt, and(own, eq(status, 'rejected'))),
    };
  });
  const ends = Array.from(
    { length: input.days },
    (_, index) => new Date(since.getTime() + (index + 1) * DAY_MS - 1),
  );
  const similarities = await similaritiesAt(facts.protectedStates, ends);
  const days = Array.from({ length: input.days }, (_, index) => {
    const date = new Date(since.getTime() + index * DAY_MS).toISOString().slice(0, 10);
    return {
      date,
      ...(facts.injected.get(date) ?? { boots: 0, compactions: 0, recoveries: 0, boot_coverage: null }),
      ...(facts.isFull ? {} : { boot_coverage: null }),
      similarity: similarities[index] ?? null,
      asked: facts.asked.get(date) ?? 0,
      applied: facts.applied.get(date) ?? 0,
      rejected: facts.rejected.get(date) ?? 0,
    };
  });
  return { days };
};

const dayOf = (column: PgColumn) => sql<string>`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** Index injections_time. */
async function countInjections(tx: Tx, tenantId: string, since: Date) {
  const phase = (name: string) => sql<number>`count(*) FILTER (WHERE ${injections.phase} = ${name})::int`;
  const date = dayOf(injections.at);
  const rows = await tx
    .select({
      date,
      boots: phase('boot'),
      announced: phase('pre'),
      recoveries: phase('post'),
      coverage: avg(injections.coverage),
    })
    .from(injections)
    .where(and(eq(injections.tenantId, tenantId), gte(injections.at, since)))
    .groupBy(sql`1`);
  return new Map(
    rows.map(({ date, boots, announced, recoveries, coverage }) => [
      date,
      {
        boots,
        // Many hosts tell of a compaction only before it, or only after it.
        compactions: Math.max(announced, recoveries),
        recoveries,
        boot_coverage: coverage === null ? null : Number(coverage),
      },
    ]),
  );
}

/** Indexes guardian_time and guardian_decided. */
async function countEntries(tx: Tx, since: Date, moment: PgColumn, which: SQL | undefined) {
  const rows = await tx
    .select({ date: dayOf(moment), entries: count() })
    .from(guardianEntries)
    .where(and(gte(moment, since), which))
    .groupBy(sql`1`);
  return new Map(rows.map(({ date, entries }) => [date, entries]));
}
