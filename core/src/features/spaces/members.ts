import { and, eq, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { spaceMembers, spaces, tenants } from '../../kernel/tenancy/schema.ts';
import { includesRight } from '../../kernel/tenancy/space-rights.ts';
import { isOfAccount } from '../accounts/same-account.ts';
import { MOST_MEMBERS, type spaceRoutes } from './contract.ts';
import { requireOpenMembership } from './manage.ts';

/**
 * Lets an agent of the same account into the space, or changes what it may do there.
 *
 * @throws SvcError `VALIDATION_ERROR` for an agent that is not there or of another account, which is answered alike.
 */
export const setSpaceMember: Operation<typeof spaceRoutes.setSpaceMember> = async (
  context,
  { tenant_id: agentId, right },
) => {
  const { tenantId, now } = context;
  const displayName = await nameInAccount(context, agentId);
  const member = await context.write(async (tx) => {
    const members = await lockMembers(tx, tenantId);
    const before = members.find((one) => one.agentId === agentId);
    if (!before && members.length >= MOST_MEMBERS) {
      throw new SvcError('CONFLICT', `The space has ${MOST_MEMBERS} members, the most there can be.`);
    }
    if (!before) await requireOpenMembership(tx, agentId);
    if (right !== 'manage') requireOtherManager(context, members, agentId);
    const [row] = await tx
      .insert(spaceMembers)
      .values({ tenantId, agentId, right, createdAt: now })
      .onConflictDoUpdate({ target: [spaceMembers.tenantId, spaceMembers.agentId], set: { right } })
      .returning();
    await context.audit(tx, 'space_right.given', { tenant_id: agentId, right });
    await context.emit(tx, 'space.member_changed', { tenant_id: agentId, right });
    const since = (row?.createdAt ?? now).toISOString();
    return { tenant_id: agentId, display_name: displayName, right, since };
  });
  context.spaces.drop([agentId]);
  return { member };
};

/**
 * Takes an agent out of the space. A manager and the human of the account take out any, every member itself.
 *
 * @throws SvcError `CONFLICT` for the last manager: a human, or another manager, must stay who can decide.
 */
export const removeSpaceMember: Operation<typeof spaceRoutes.removeSpaceMember> = async (
  context,
  { tenant_id: agentId },
) => {
  const { tenantId, space } = context;
  const leaves = agentId === context.agentId;
  if (!leaves && !(space && includesRight(space.right, 'manage'))) {
    throw new SvcError('FORBIDDEN', 'Only a manager of the space takes out other agents.');
  }
  const remove = async (tx: Tx) => {
    const members = await lockMembers(tx, tenantId);
    if (!leaves && context.actor.source !== 'human' && rightOf(members, context.agentId) !== 'manage') {
      throw new SvcError('FORBIDDEN', 'Only a manager of the space takes out other agents.');
    }
    const right = rightOf(members, agentId);
    if (!right) throw new SvcError('NOT_FOUND', 'There is no such member in this space.');
    requireOtherManager(context, members, agentId);
    await tx
      .delete(spaceMembers)
      .where(and(eq(spaceMembers.tenantId, tenantId), eq(spaceMembers.agentId, agentId)));
    await passOn(tx, tenantId, { from: agentId, members });
    await context.audit(tx, 'space_right.taken', { tenant_id: agentId });
    await context.emit(tx, 'space.member_removed', { tenant_id: agentId });
    return { tenant_id: agentId, right };
  };
  const removed = await context.write(remove, { changesMembers: true });
  context.spaces.drop([agentId]);
  return { removed };
};

type Member = typeof spaceMembers.$inferSelect;

/** Holds all members until the transaction ends, so that no two managers take each other out at once. */
function lockMembers(tx: Tx, tenantId: string): Promise<Member[]> {
  return tx
    .select()
    .from(spaceMembers)
    .where(eq(spaceMembers.tenantId, tenantId))
    .orderBy(spaceMembers.agentId)
    .for('update');
}

function rightOf(members: readonly Member[], agentId: string) {
  return members.find((one) => one.agentId === agentId)?.right;
}

/**
 * Makes a space that of a member who stays, where the agent that it is of leaves. It belongs to the account of that agent, and one
 * that is in it no more may be given to another human.
 */
async function passOn(
  tx: Tx,
  spaceId: string,
  { from, members }: { readonly from: string; readonly members: readonly Member[] },
): Promise<void> {
  const staying = members.filter(({ agentId }) => agentId !== from);
  const heir = staying.find(({ right }) => right === 'manage') ?? staying[0];
  if (!heir) return;
  await tx
    .update(spaces)
    .set({ createdBy: heir.agentId })
    .where(and(eq(spaces.tenantId, spaceId), eq(spaces.createdBy, from)));
}

/** The human of the account manages every space, also one without a managing agent. */
function requireOtherManager({ actor }: Context, members: readonly Member[], agentId: string): void {
  if (actor.source === 'human') return;
  const managers = members.filter(({ right }) => right === 'manage');
  if (managers.some((one) => one.agentId === agentId) && managers.length === 1) {
    throw new SvcError(
      'CONFLICT',
      'This agent is the last that manages the space. Give another the right manage first, or delete the space.',
    );
  }
}

async function nameInAccount(context: Context, agentId: string): Promise<string> {
  const [agent] = await context.database.system((tx) =>
    rows<{ name: string }>(
      tx,
      sql`SELECT display_name AS name FROM ${tenants} agent
          WHERE agent.tenant_id = ${agentId}::uuid AND ${isOfAccount(sql`agent.tenant_id`, context)}`,
    ),
  );
  if (!agent) throw invalid('tenant_id', 'is no agent of this account; GET /agents lists yours to the human');
  return agent.name;
}
