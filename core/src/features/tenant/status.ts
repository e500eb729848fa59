import { and, eq } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { billingPeriodOf, OPERATIONS_LIMIT, usageMonthOf } from '../../kernel/tenancy/plans.ts';
import { tenants, usageCounts } from '../../kernel/tenancy/schema.ts';
import { readDistressState } from '../distress/distress.ts';
import { countByType, measureStorage } from '../memory/counts.ts';
import { type View, viewOf } from '../visibility/view.ts';
import type { statusRoutes } from './contract.ts';

/** Of what a plan allows, the parts in which a key that is bound to a user learns how much is used. */
const PARTS = 10;

/**
 * The account, its use of the plan this month, and its memories. To a key that is bound to a user the count would tell each call
 * for others as it is made, so it gets it in tenths of what the plan allows; signals of distress are the agent's.
 */
export const status: Operation<typeof statusRoutes.status> = (context) =>
  context.read(async (tx) => {
    const { tenantId, now, actor } = context;
    const isBound = actor.boundTo !== undefined;
    const view = await viewOf(tx, context);
    const account = await readAccount(tx, context, view);
    const { start, end } = billingPeriodOf(now);
    return {
      ...account,
      ...(actor.boundTo !== undefined && { user_id: actor.boundTo }),
      usage: isBound ? inParts(account.usage) : account.usage,
      billing: {
        plan: account.tenant.plan,
        period_start: start.toISOString(),
        period_end: end.toISOString(),
      },
      ...(view.isFull ? { storage: await measureStorage(tx, tenantId, account.counts) } : {}),
      distress: isBound ? { open: false, unheard: 0 } : await readDistressState(tx, tenantId),
    };
  });

type Usage = OutputOf<typeof statusRoutes.status>['usage'];

function inParts({ operations_this_month: used, operations_limit }: Usage): Usage {
  const part = Math.ceil(operations_limit / PARTS);
  return { operations_this_month: Math.floor(used / part) * part, operations_limit };
}

/** A tenant, its use of the plan this month, and the number of memories that a view lets its holder know of. */
export async function readAccount(
  tx: Tx,
  { tenantId, now }: Pick<Context, 'tenantId' | 'now'>,
  view: View,
): Promise<Pick<OutputOf<typeof statusRoutes.status>, 'tenant' | 'usage' | 'counts'>> {
  const [tenant] = await tx.select().from(tenants).where(eq(tenants.tenantId, tenantId));
  if (!tenant) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
  const [used] = await tx
    .select({ operations: usageCounts.operations })
    .from(usageCounts)
    .where(and(eq(usageCounts.tenantId, tenantId), eq(usageCounts.month, usageMonthOf(now))));
  return {
    tenant: presentTenant(tenant),
    usage: {
      operations_this_month: used?.operations ?? 0,
      operations_limit: OPERATIONS_LIMIT[tenant.plan],
    },
    counts: await countByType(tx, { tenantId, view, now }),
  };
}

/** A tenant's row as answers show it. */
function presentTenant(row: typeof tenants.$inferSelect): OutputOf<typeof statusRoutes.status>['tenant'] {
  return {
    id: row.tenantId,
    display_name: row.displayName,
    plan: row.plan,
    ...(row.trialExpiresAt ? { trial_expires_at: row.trialExpiresAt.toISOString() } : {}),
  };
}

/** Calls the agent something else. */
export const renameTenant: Operation<typeof statusRoutes.renameTenant> = (context, { display_name }) =>
  context.write(async (tx) => {
    const [tenant] = await tx
      .update(tenants)
      .set({ displayName: display_name })
      .where(eq(tenants.tenantId, context.tenantId))
      .returning();
    if (!tenant) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
    await context.audit(tx, 'agent.renamed');
    return { tenant: presentTenant(tenant) };
  });
