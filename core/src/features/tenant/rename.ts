import { eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import type { statusRoutes } from './contract.ts';
import { presentTenant } from './status.ts';

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
