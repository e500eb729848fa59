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

export function isMember(spaceId: SQL, agentId: SQL, needed: SpaceRight): SQL {
  const rights = SPACE_RIGHTS.filter((right) => includesRight(right, needed));
  return sql`SELECT space_right AS "right" FROM ${spaceMembers} WHERE tenant_id = ${spaceId} AND agent_id = ${agentId}
    AND space_right = ANY(${texts(rights)})`;
}

export function isThere(spaceId: SQL): SQL {
  return sql`SELECT 1 FROM ${spaces} WHERE tenant_id = ${spaceId} AND deleted_at IS NULL`;
}

/**
 * Keeps the right of a member until the transaction ends: to change or take it, or to give one of the agents to another account,
 * its row is written first, so that nothing is written behind it.
 *
 * @param writtenIn The transaction that wrote the right when the call began.
 */
export function lockedMember(spaceId: SQL, agentId: SQL, needed: SpaceRight, writtenIn: SQL): SQL {
  return sql`${isMember(spaceId, agentId, needed)} AND xmin::text = ${writtenIn} FOR SHARE`;
}

/**
 * Ends what processes remember of the rights in spaces that depend on whose agent this is: its own, and those of all members of the
 * spaces that are its. Waits for what is being written by these rights.
 */
export async function renewRights(tx: Tx, agentId: string): Promise<void> {
  const itsSpaces = sql`SELECT tenant_id FROM ${spaces} WHERE created_by = ${agentId}::uuid`;
  await rows(
    tx,
    sql`UPDATE ${spaceMembers} SET space_right = space_right
        WHERE agent_id = ${agentId}::uuid OR tenant_id IN (${itsSpaces}) RETURNING 1`,
  );
}

/** Keeps a space from being deleted until the transaction ends: for the human of the account, who is no member. */
export function lockedSpace(spaceId: SQL): SQL {
  return sql`${isThere(spaceId)} FOR SHARE`;
}

/**
 * Verifies the right of a call that changes something in a space, in its own transaction. Managers, and members that leave, go one
 * after the other: they change rows that others hold, and of two that each held a row of the other's, neither could change it.
 *
 * @throws SvcError `NOT_FOUND` where the space is gone or the agent has the right no more; `CONFLICT` where it was changed since
 *   the call began: a manager decides about protected memories, and the agent may be of another account now.
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
  const agent = sql`${agentId}::uuid`;
  const held = await rows(tx, lockedMember(spaceId, agent, needed, sql`${space?.writtenIn ?? ''}`));
  if (held.length > 0) return;
  const isStillMember = (await rows(tx, isMember(spaceId, agent, needed))).length > 0;
  throw isStillMember ? new SvcError('CONFLICT', CHANGED) : noSpace();
}

const CHANGED =
  'The right of this agent in the space was changed while the call ran, and nothing was stored. Call again.';

/** Whether a call failed because its right in the space was changed. */
export function isRightChanged(error: unknown): boolean {
  return error instanceof SvcError && error.message === CHANGED;
}

/** The error for a space that is not there, and word for word the same for one that is not the caller's. */
export function noSpace(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no space with this id.');
}
