import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Output } from '../contract/index.ts';
import type { Operation } from '../engine/context.ts';
import { countByType } from '../memory/counts.ts';
import { monthOf, OPERATIONS_LIMIT } from '../usage/plans.ts';
import { tenants, usageCounts } from './schema.ts';

/** The account, its use of the plan this month, and its memories. Spec: GET /status. */
export const status: Operation<'status'> = (context) =>
  context.read(async (tx) => {
    const [tenant] = await tx.select().from(tenants).where(eq(tenants.tenantId, context.tenantId));
    if (!tenant) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
    const [used] = await tx
      .select({ operations: usageCounts.operations })
      .from(usageCounts)
      .where(and(eq(usageCounts.tenantId, context.tenantId), eq(usageCounts.month, monthOf(context.now))));
    return {
      tenant: presentTenant(tenant),
      usage: {
        operations_this_month: used?.operations ?? 0,
        operations_limit: OPERATIONS_LIMIT[tenant.plan],
      },
      counts: await countByType(tx, context.tenantId),
    };
  });

/** A tenant's row as answers show it. */
export function presentTenant(row: typeof tenants.$inferSelect): Output<'status'>['tenant'] {
  return {
    id: row.tenantId,
    display_name: row.displayName,
    plan: row.plan,
    ...(row.trialExpiresAt ? { trial_expires_at: row.trialExpiresAt.toISOString() } : {}),
  };
}
