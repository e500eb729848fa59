import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../context/call.ts';
import { SvcError } from '../contract/errors.ts';
import { SPACE_RIGHTS, type SpaceRight } from '../contract/fields.ts';
import { rows, type Tx } from '../database/database.ts';
import { texts } from '../database/parameters.ts';
import { spaceMembers, spaces } from './schema.ts';

/** Whether a right includes another one. */
export function includesRight(has: SpaceRight, needed: SpaceRight): boolean {
  return SPACE_RIGHTS.indexOf(has) >= SPACE_RIGHTS.indexOf(needed);
}

/** A row where an agent has a right in a space. */
export function isMember(spaceId: SQL, agentId: SQL, needed: SpaceRight): SQL {
  const rights = SPACE_RIGHTS.filter((right) => includesRight(right, needed));
  return sql`SELECT space_right AS "right" FROM ${spaceMembers} WHERE tenant_id = ${spaceId} AND agent_id = ${agentId}
    AND space_right = ANY(${texts(rights)})`;
}

/** A row where a space is there. */
export function isThere(spaceId: SQL): SQL {
  return sql`SELECT 1 FROM ${spaces} WHERE tenant_id = ${spaceId} AND deleted_at IS NULL`;
}

/**
 * Keeps the right of a member until the transaction ends: to change or take it, its row is locked first, so that nothing is
 * written behind it.
 */
export function lockedMember(spaceId: SQL, agentId: SQL, needed: SpaceRight): SQL {
  return sql`${isMember(spaceId, agentId, needed)} FOR SHARE`;
}

/** Keeps a space from being deleted until the transaction ends: for the human of the account, who is no member. */
export function lockedSpace(spaceId: SQL): SQL {
  return sql`${isThere(spaceId)} FOR SHARE`;
}

/**
 * Verifies the right of a call that changes something in a space, in its own transaction. Managers, and members that leave, go one
 * after the other: they change rows that others hold, and of two that each held a row of the other's, neither could change it.
 *
 * @throws SvcError `NOT_FOUND` where the space is gone or the agent has the right no more; `CONFLICT` where the agent has less than
 *   the call was begun with: of a manager, what it wants of protected memories would be decided.
 */
export async function requireRight(
  tx: Tx,
  { tenantId, agentId, actor, space }: Pick<Call, 'tenantId' | 'agentId' | 'actor' | 'space'>,
  { needed, changesMembers }: { readonly needed: SpaceRight; readonly changesMembers: boolean },
): Promise<void> {
  const spaceId = sql`${tenantId}::uuid`;
  if (needed === 'manage' || changesMembers) {
    const held = await rows(tx, sql`${isThere(spaceId)} FOR UPDATE`);
    if (held.length === 0) throw noSpace();
  }
  if (actor.source === 'human' || actor.forHuman) {
    if ((await rows(tx, lockedSpace(spaceId))).length === 0) throw noSpace();
    return;
  }
  const member = lockedMember(spaceId, sql`${agentId}::uuid`, needed);
  const [has] = await rows<{ right: SpaceRight }>(tx, member);
  if (!has) throw noSpace();
  if (space && !includesRight(has.right, space.right)) throw new SvcError('CONFLICT', LOWERED);
}

const LOWERED =
  'The right of this agent in the space was lowered while the call ran, and nothing was stored. Call again.';

/** Whether a call failed because its right in the space was lowered. */
export function isLowered(error: unknown): boolean {
  return error instanceof SvcError && error.message === LOWERED;
}

/** The error for a space that is not there, and word for word the same for one that is not the caller's. */
export function noSpace(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no space with this id.');
}
