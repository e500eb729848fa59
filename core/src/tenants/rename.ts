import { eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { requireHuman } from '../guardian/human.ts';
import { tenants } from './schema.ts';
import { presentTenant } from './status.ts';

/** Calls the agent something else. Design 7, PATCH /tenant. */
export const renameTenant: Operation<'renameTenant'> = (context, { display_name }) => {
  requireHuman(context);
  return context.write(async (tx) => {
    const [tenant] = await tx
      .update(tenants)
      .set({ displayName: display_name })
      .where(eq(tenants.tenantId, context.tenantId))
      .returning();
    if (!tenant) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
    return { tenant: presentTenant(tenant) };
  });
};
