import type { Context } from '../../kernel/context/context.ts';
import { invalid, type SvcError } from '../../kernel/contract/errors.ts';
import type { MemoryType } from '../../kernel/contract/fields.ts';

/**
 * Why a core memory of a user is refused: who the agent is, it is for all of its users.
 *
 * @returns SvcError `VALIDATION_ERROR` naming the field; undefined of other memories.
 */
export function userCoreError(
  { user, tenantId }: Context,
  { type }: { readonly type: MemoryType },
  path: string,
): SvcError | undefined {
  if (type !== 'core' || user?.tenantId !== tenantId) return undefined;
  return invalid(
    path,
    'core says who the agent is, for all of its users: leave user_id out, or store what concerns the user as semantic',
  );
}

/**
 * Refuses core memories of a user.
 *
 * @throws SvcError as `userCoreError` says.
 */
export function refuseUserCore(...asked: Parameters<typeof userCoreError>): void {
  const error = userCoreError(...asked);
  if (error) throw error;
}
