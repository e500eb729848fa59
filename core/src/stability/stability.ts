import { and, asc, avg, count, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { texts } from '../database/arrays.ts';
import type { Tx } from '../database/database.ts';
import type { Context, Operation } from '../engine/context.ts';
import { driftBetween } from '../guardian/drift.ts';
import { guardianBaselines, guardianEntries } from '../guardian/schema.ts';
import { loadGuardianSettings } from '../guardian/settings.ts';
import { memories } from '../memory/schema.ts';
import { analyzeContents } from '../recall/index-memories.ts';
import type { Stability } from './contract.ts';
import { countCompactions, findOpenCheck, toDriftCheck } from './drift-check.ts';
import { driftChecks, injections } from './schema.ts';

const PERIOD_MS = 30 * 86_400_000;
const MOST_MEMORIES = 200;
const MOST_PAST_CHECKS = 20;

/** How steady the agent is. Design 5, GET /stability. */
export const stability: Operation<'stability'> = async (context) => {
  const { tenantId, now } = context;
  const since = new Date(now.getTime() - PERIOD_MS);
  const facts = await context.read(async (tx) => {
    const open = await findOpenCheck(tx, tenantId);
    return {
      protectedMemories: await loadProtected(tx, context),
      changes: await countChanges(tx, tenantId, since),
      ...(await countCompactions(tx, tenantId, since)),
      boot_coverage: await meanCoverage(tx, tenantId, since),
      drift_check: open ? toDriftCheck(open) : null,
      past_drift_checks: await pastChecks(tx, tenantId),
    };
  });
  const { protectedMemories, ...rest } = facts;
  return { stability: { memories: await compare(context, protectedMemories), ...rest } };
};

/** Protected memories with what they are measured against. Index memories_type_time. */
async function loadProtected(tx: Tx, context: Context) {
  const { categories } = await loadGuardianSettings(tx, context);
  return (
    tx
      .select({
        id: memories.id,
        category: memories.category,
        content: memories.content,
        updatedAt: memories.updatedAt,
        baseline: guardianBaselines.content,
        since: guardianBaselines.since,
      })
      .from(memories)
      .leftJoin(
        guardianBaselines,
        and(eq(guardianBaselines.tenantId, memories.tenantId), eq(guardianBaselines.memoryId, memories.id)),
      )
      .where(
        and(
          eq(memories.tenantId, context.tenantId),
          eq(memories.type, 'core'),
          isNull(memories.archivedAt),
          sql`${memories.category} = ANY(${texts(categories)})`,
        ),
      )
      // Those that have moved come first, should there be more than are shown.
      .orderBy(sql`${guardianBaselines.since} IS NULL`, asc(memories.id))
      .limit(MOST_MEMORIES)
  );
}

async function compare(
  context: Context,
  found: Awaited<ReturnType<typeof loadProtected>>,
): Promise<Stability['memories']> {
  const moved = found.filter(({ baseline, content }) => baseline !== null && baseline !== content);
  const analyses = await analyzeContents(
    context,
    moved.flatMap(({ content, baseline }) => [content, baseline ?? content]),
  );
  const similarities = new Map(
    moved.map(({ id }, index) => {
      const [one, other] = [analyses[2 * index]?.vector, analyses[2 * index + 1]?.vector];
      return [id, one && other ? 1 - driftBetween(one, other) : null];
    }),
  );
  return found
    .map(({ id, category, since, updatedAt }) => ({
      memory_id: id,
      category,
      similarity: similarities.has(id) ? (similarities.get(id) ?? null) : 1,
      baseline_at: (since ?? updatedAt).toISOString(),
    }))
    .sort((a, b) => (a.similarity ?? 0) - (b.similarity ?? 0));
}

/** Indexes guardian_time and guardian_decided. */
async function countChanges(tx: Tx, tenantId: string, since: Date): Promise<Stability['changes']> {
  const own = eq(guardianEntries.tenantId, tenantId);
  const number = async (where: ReturnType<typeof and>) => {
    const [found] = await tx.select({ entries: count() }).from(guardianEntries).where(and(own, where));
    return found?.entries ?? 0;
  };
  const decided = (...statuses: (typeof guardianEntries.$inferSelect)['status'][]) =>
    number(and(gt(guardianEntries.decidedAt, since), inArray(guardianEntries.status, statuses)));
  const added = eq(guardianEntries.status, 'added');
  const asked = gt(guardianEntries.requestedAt, since);
  return {
    asked: await number(and(asked, sql`NOT (${added})`)),
    applied: await decided('applied', 'approved'),
    rejected: await decided('rejected'),
    withdrawn: await decided('withdrawn'),
    added: await number(and(asked, added)),
  };
}

/** Index injections_time. */
async function meanCoverage(tx: Tx, tenantId: string, since: Date): Promise<number | null> {
  const [found] = await tx
    .select({ coverage: avg(injections.coverage) })
    .from(injections)
    .where(and(eq(injections.tenantId, tenantId), gt(injections.at, since), isNotNull(injections.coverage)));
  return found?.coverage == null ? null : Number(found.coverage);
}

async function pastChecks(tx: Tx, tenantId: string) {
  const past = await tx
    .select()
    .from(driftChecks)
    .where(and(eq(driftChecks.tenantId, tenantId), isNotNull(driftChecks.dismissedAt)))
    .orderBy(sql`${driftChecks.dismissedAt} DESC`, sql`${driftChecks.id} DESC`)
    .limit(MOST_PAST_CHECKS);
  return past.map(toDriftCheck);
}
