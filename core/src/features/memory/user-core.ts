import type { Context } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import type { MemoryType } from '../../kernel/contract/fields.ts';

/**
 * Refuses core memories of a user: who the agent is, it is for all of its users.
 *
 * @throws SvcError `VALIDATION_ERROR` naming the field.
 */
export function refuseUserCore(
  { user, tenantId }: Context,
  { type }: { readonly type: MemoryType },
  path: string,
): void {
  if (type !== 'core' || user?.tenantId !== tenantId) return;
  throw invalid(
    path,
    'core says who the agent is, for all of its users: leave user_id out, or store what concerns the user as semantic',
  );
}
