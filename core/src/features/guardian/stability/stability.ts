import { and, avg, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../../kernel/context/context.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { DAY_MS } from '../../../kernel/runtime/durations.ts';
import { guardianEntries } from '../../records/pending-change-schema.ts';
import { knownEntries } from '../../visibility/entries.ts';
import { viewOf } from '../../visibility/view.ts';
import { compareMeaning } from '../meaning/compare.ts';
import type { Stability, stabilityRoutes } from './contract.ts';
import { countCompactions, findOpenCheck, toDriftCheck } from './drift-check.ts';
import { loadProtected } from './protected.ts';
import { type DriftCheckRow, driftChecks, injections } from './schema.ts';

const PERIOD_MS = 30 * DAY_MS;
const MOST_PAST_CHECKS = 20;

/** How steady the agent is. */
export const stability: Operation<typeof stabilityRoutes.stability> = async (context) => {
  const { tenantId, now } = context;
  const since = new Date(now.getTime() - PERIOD_MS);
  const facts = await context.read(async (tx) => {
    const open = await findOpenCheck(tx, tenantId);
    const { isFull } = await viewOf(tx, context);
    // How much of the core was shown, and which memory moved how far, was measured with what is withheld.
    const shown = (check: DriftCheckRow) => ({
      ...toDriftCheck(check),
      ...(isFull ? {} : { similarity: null }),
    });
    return {
      protectedMemories: await loadProtected(tx, context),
      changes: await countChanges(tx, context, since),
      ...(await countCompactions(tx, tenantId, since)),
      boot_coverage: isFull ? await meanCoverage(tx, tenantId, since) : null,
      drift_check: open ? shown(open) : null,
      past_drift_checks: (await pastChecks(tx, tenantId)).map(shown),
    };
  });
  const { protectedMemories, ...rest } = facts;
  return { stability: { memories: compare(protectedMemories), ...rest } };
};

function compare(found: Awaited<ReturnType<typeof loadProtected>>): Stability['memories'] {
  return found
    .map(({ id, category, content, baseline, since, updatedAt, isRead }) => ({
      memory_id: id,
      category: isRead ? category : null,
      similarity: isRead ? 1 - compareMeaning(baseline ?? content, content).drift : 1,
      baseline_at: (since ?? updatedAt).toISOString(),
    }))
    .sort((a, b) => a.similarity - b.similarity);
}

/** Indexes guardian_time and guardian_decided. */
async function countChanges(tx: Tx, context: Context, since: Date): Promise<Stability['changes']> {
  const own = and(eq(guardianEntries.tenantId, context.tenantId), await knownEntries(tx, context));
  const number = (where: SQL | undefined) => tx.$count(guardianEntries, and(own, where));
  const decided = (...statuses: (typeof guardianEntries.$inferSelect)['status'][]) =>
    number(and(gt(guardianEntries.decidedAt, since), inArray(guardianEntries.status, statuses)));
  const added = isNull(guardianEntries.current);
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
  return past;
}
