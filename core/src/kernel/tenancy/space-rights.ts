import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../context/call.ts';
import { SvcError } from '../contract/errors.ts';
import { SPACE_RIGHTS, type SpaceRight } from '../contract/fields.ts';
import { texts } from '../database/arrays.ts';
import { rows, type Tx } from '../database/database.ts';
import { spaceMembers, spaces } from './schema.ts';

/** Whether a right includes another one. */
export function includesRight(has: SpaceRight, needed: SpaceRight): boolean {
  return SPACE_RIGHTS.indexOf(has) >= SPACE_RIGHTS.indexOf(needed);
}

/** A row where an agent has a right in a space. */
export function isMember(spaceId: SQL, agentId: SQL, needed: SpaceRight): SQL {
  const rights = SPACE_RIGHTS.filter((right) => includesRight(right, needed));
  return sql`SELECT 1 FROM ${spaceMembers} WHERE tenant_id = ${spaceId} AND agent_id = ${agentId}
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
 * Verifies the right of a call that changes something in a space, in its own transaction. Managers go one after the other: they
 * change rows that others hold, and of two that held the same row, neither could change it.
 *
 * @throws SvcError `NOT_FOUND` where the space is gone or the agent has the right no more.
 */
export async function requireRight(
  tx: Tx,
  { tenantId, agentId, actor }: Pick<Call, 'tenantId' | 'agentId' | 'actor'>,
  needed: SpaceRight,
): Promise<void> {
  const spaceId = sql`${tenantId}::uuid`;
  if (needed === 'manage') {
    const held = await rows(tx, sql`${isThere(spaceId)} FOR UPDATE`);
    if (held.length === 0) throw noSpace();
  }
  const locked =
    actor.source === 'human' ? lockedSpace(spaceId) : lockedMember(spaceId, sql`${agentId}::uuid`, needed);
  if ((await rows(tx, locked)).length === 0) throw noSpace();
}

/** The error for a space that is not there, and word for word the same for one that is not the caller's. */
export function noSpace(): SvcError {
  return new SvcError('NOT_FOUND', 'There is no space with this id.');
}
