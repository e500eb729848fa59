import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Context, Operation } from '../../../kernel/context/context.ts';
import { SvcError } from '../../../kernel/contract/errors.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import type { FeatureParts } from '../../../kernel/feature.ts';
import type { DriftCheck, stabilityRoutes } from './contract.ts';
import { type DriftCheckRow, driftChecks, injections } from './schema.ts';

/** Why a check might be due. */
type Cause =
  | { readonly cause: 'similarity'; readonly similarity: number }
  | { readonly cause: 'compactions' };

/** Dismisses the open check. Throws `NOT_FOUND` when none is open. */
export const dismissDriftCheck: Operation<typeof stabilityRoutes.dismissDriftCheck> = (
  context,
  { reason },
) => {
  const { tenantId, actor, now } = context;
  if (actor.source === 'human') {
    throw new SvcError('FORBIDDEN', 'Only the agent can say whether it is still itself.');
  }
  return context.write(async (tx) => {
    const [dismissed] = await tx
      .update(driftChecks)
      .set({ dismissedAt: now, dismissedSource: actor.source, dismissedBy: actor.credentialId, reason })
      .where(and(eq(driftChecks.tenantId, tenantId), isNull(driftChecks.dismissedAt)))
      .returning();
    if (!dismissed) throw new SvcError('NOT_FOUND', 'There is no open drift check.');
    return { drift_check: toDriftCheck(dismissed) };
  });
};

/** Opens a check where its cause calls for one; while one is open, does nothing. */
export async function openDriftCheck(tx: Tx, context: Context, cause: Cause): Promise<void> {
  if (!(await isDue(tx, context, cause))) return;
  await tx
    .insert(driftChecks)
    .values({
      tenantId: context.tenantId,
      id: context.ids(),
      cause: cause.cause,
      similarity: cause.cause === 'similarity' ? cause.similarity : null,
      openedAt: context.now,
    })
    .onConflictDoNothing();
}

export async function findOpenCheck(tx: Tx, tenantId: string): Promise<DriftCheckRow | undefined> {
  const [open] = await tx
    .select()
    .from(driftChecks)
    .where(and(eq(driftChecks.tenantId, tenantId), isNull(driftChecks.dismissedAt)));
  return open;
}

/** A stored check as answers show it. */
export function toDriftCheck(row: DriftCheckRow): DriftCheck {
  return {
    id: row.id,
    cause: row.cause,
    similarity: row.similarity,
    opened_at: row.openedAt.toISOString(),
    dismissed_at: row.dismissedAt?.toISOString() ?? null,
    dismissed_by: row.dismissedSource && { kind: row.dismissedSource, credential_id: row.dismissedBy },
    reason: row.reason,
  };
}

async function isDue(tx: Tx, { tenantId, settings }: Context, cause: Cause): Promise<boolean> {
  if (cause.cause === 'similarity') return cause.similarity < settings.driftCheckSimilarity;
  const [last] = await tx
    .select()
    .from(driftChecks)
    .where(eq(driftChecks.tenantId, tenantId))
    .orderBy(desc(driftChecks.openedAt))
    .limit(1);
  if (last && !last.dismissedAt) return false;
  const { compactions } = await countCompactions(tx, tenantId, last?.dismissedAt ?? new Date(0));
  return compactions >= settings.driftCheckCompactions;
}

/**
 * Compactions and recoveries after a moment. Many hosts report a compaction only before it, or only after it: the
 * more frequent of the two is the number of compactions. Index injections_time.
 */
export async function countCompactions(tx: Tx, tenantId: string, after: Date) {
  const found = await tx
    .select({ phase: injections.phase, times: count() })
    .from(injections)
    .where(and(eq(injections.tenantId, tenantId), gt(injections.at, after)))
    .groupBy(injections.phase);
  const times = (phase: string) => found.find((row) => row.phase === phase)?.times ?? 0;
  return { compactions: Math.max(times('pre'), times('post')), recoveries: times('post') };
}

type BootSection = NonNullable<FeatureParts['bootSections']>[number];

/** Shows the open drift check in every injection, right after who the agent is. */
export const driftCheckSection: BootSection = {
  after: 'identity',
  load: async ({ tx, tenantId }) => {
    const open = await findOpenCheck(tx, tenantId);
    return open && sectionOf(open);
  },
};

function sectionOf({ cause, openedAt }: DriftCheckRow) {
  const why =
    cause === 'similarity'
      ? 'you asked for a change that would make you somebody else, and no human approved them'
      : 'you have come through many compactions since the last one';
  const text = `- Open since ${openedAt.toISOString().slice(0, 10)}: ${why}. Read "Who you are" above: is it still you? Then close this with svc_dismiss_drift_check or POST /drift-check/dismiss {"reason": what you found}; if something is wrong, call your human with svc_distress_signal.`;
  return { name: 'drift-check', title: 'Drift check', entries: [{ text }] };
}
