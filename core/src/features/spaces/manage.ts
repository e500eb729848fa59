import { and, asc, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { auditStatement, operatorEntry } from '../../kernel/audit/append.ts';
import type { Context, Operation, Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { CATEGORIES } from '../../kernel/contract/fields.ts';
import type { Database, Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { openNewTenant, readingAllTenants } from '../../kernel/database/tenant-scope.ts';
import { systemClock } from '../../kernel/runtime/runtime.ts';
import { spaceMembers, spaces, tenants } from '../../kernel/tenancy/schema.ts';
import { noSpace } from '../../kernel/tenancy/space-rights.ts';
import { isOfAccount } from '../accounts/same-account.ts';
import { guardianSettingsTable } from '../guardian/schema.ts';
import { loadGuardianSettings } from '../guardian/settings.ts';
import { countKnown } from '../memory/counts.ts';
import { guardianEntries, isUndecided } from '../records/pending-change-schema.ts';
import { corpusSizes } from '../search-index/schema.ts';
import { eraseTenant } from '../users/forget.ts';
import { knownEntries } from '../visibility/entries.ts';
import { viewOf } from '../visibility/view.ts';
import { MOST_SPACES, type Space, type spaceRoutes } from './contract.ts';

/** Makes a space, with the embedding model of the agent. All its core memories are protected. */
export const createSpace: Operation<typeof spaceRoutes.createSpace> = async (context, { name }) => {
  const { agentId, now, ids } = context;
  const id = ids();
  const answer = await context.write(async (tx) => {
    await requireOpenMembership(tx, agentId);
    await openNewTenant(tx, id);
    const [agent] = await tx.select().from(tenants).where(eq(tenants.tenantId, agentId));
    if (!agent) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
    await tx.insert(tenants).values({ ...agent, tenantId: id, agentId, createdAt: now, deletions: 0 });
    await tx.insert(spaces).values({ tenantId: id, name, createdBy: agentId, createdAt: now });
    await tx.insert(spaceMembers).values({ tenantId: id, agentId, right: 'manage', createdAt: now });
    await tx.insert(guardianSettingsTable).values({ tenantId: id, categories: [...CATEGORIES] });
    await context.audit(tx, 'space.created', { space_id: id, name });
    await context.emit(tx, 'space.created', { space_id: id });
    const space = { id, name, right: 'manage' as const, created_at: now.toISOString() };
    return { outcome: 'created' as const, space };
  });
  context.spaces.drop([agentId]);
  return answer;
};

/** The spaces of the agent; for the human, all of the account. */
export const listSpaces: Operation<typeof spaceRoutes.spaces> = async (context) => {
  const { database, actor, agentId } = context;
  const isMember = and(eq(spaceMembers.tenantId, spaces.tenantId), eq(spaceMembers.agentId, agentId));
  const ofHuman = actor.source === 'human';
  const { found, known } = await database.system(async (tx) => {
    const found = await tx
      .select({ row: spaces, right: spaceMembers.right, counts })
      .from(spaces)
      .leftJoin(spaceMembers, isMember)
      .where(
        and(
          isNull(spaces.deletedAt),
          isOfAccount(spaces.createdBy, context),
          ofHuman ? undefined : isNotNull(spaceMembers.agentId),
        ),
      )
      .orderBy(asc(spaces.createdAt), asc(spaces.tenantId));
    const ids = found.map(({ row }) => row.tenantId);
    return { found, known: await knownCounts(tx, context, ids) };
  });
  return {
    spaces: found.flatMap(({ row, right, counts }) => {
      const has = ofHuman ? ('manage' as const) : right;
      return has ? [{ ...toSpace(row, has), ...counts, ...known(row.tenantId) }] : [];
    }),
  };
};

/** How much is in a space. Indexes space_members_pkey, corpus_sizes_pkey, guardian_undecided. */
const counts = {
  members: sql<number>`(SELECT count(*)::int FROM ${spaceMembers} m WHERE m.tenant_id = ${spaces.tenantId})`,
  memories: sql<number>`coalesce((SELECT documents::int FROM ${corpusSizes} s WHERE s.tenant_id = ${spaces.tenantId}), 0)`,
  waiting: sql<number>`(SELECT count(*)::int FROM ${guardianEntries} e
    WHERE e.tenant_id = ${spaces.tenantId} AND e.status IN ('cooling', 'waiting', 'added'))`,
};

/** What of the counts is another number for a caller from whom something is withheld there. */
async function knownCounts(tx: Tx, context: Context, ids: readonly string[]) {
  const { tenantId, agentId, actor, now, space } = context;
  const reader = { tenantId, agentId, actor, now, space, readsSpaces: ids.map((id) => ({ id })) };
  const view = await viewOf(tx, reader);
  if (view.isFull || ids.length === 0) return () => ({});
  const memories = await countKnown(tx, ids, view);
  const entries = await tx
    .select({ id: guardianEntries.tenantId, waiting: count() })
    .from(guardianEntries)
    .where(and(inArray(guardianEntries.tenantId, [...ids]), isUndecided, await knownEntries(tx, reader)))
    .groupBy(guardianEntries.tenantId);
  const waiting = new Map(entries.map((entry) => [entry.id, entry.waiting]));
  return (id: string) => ({ memories: memories(id), waiting: waiting.get(id) ?? 0 });
}

/** One space, its members and its Guardian. The members' names are in tenants that only the system sees. */
export const readSpace: Operation<typeof spaceRoutes.space> = async (context) => {
  const { database, tenantId, space } = context;
  const [row] = await database.system((tx) => tx.select().from(spaces).where(eq(spaces.tenantId, tenantId)));
  if (!row || !space) throw noSpace();
  const members = await database.system((tx) =>
    tx
      .select({ member: spaceMembers, displayName: tenants.displayName })
      .from(spaceMembers)
      .innerJoin(tenants, eq(tenants.tenantId, spaceMembers.agentId))
      .where(eq(spaceMembers.tenantId, tenantId))
      .orderBy(asc(spaceMembers.createdAt), asc(spaceMembers.agentId)),
  );
  return {
    space: toSpace(row, space.right),
    guardian: await context.read((tx) => loadGuardianSettings(tx, context)),
    members: members.map(({ member, displayName }) => ({
      tenant_id: member.agentId,
      display_name: displayName,
      right: member.right,
      since: member.createdAt.toISOString(),
    })),
  };
};

/** Gives the space another name. */
export const renameSpace: Operation<typeof spaceRoutes.renameSpace> = async (context, { name }) => {
  const { tenantId, space } = context;
  const answer = await context.write(async (tx) => {
    const [row] = await tx.update(spaces).set({ name }).where(eq(spaces.tenantId, tenantId)).returning();
    if (!row || !space) throw noSpace();
    await context.audit(tx, 'space.renamed', { name });
    return { space: toSpace(row, space.right), members: await memberIds(tx, tenantId) };
  });
  context.spaces.drop(answer.members);
  return { space: answer.space };
};

/**
 * Deletes a space with all that is in it. From the first step on nobody reads it or writes to it, and the rest of a deletion that
 * is cut off is done in the background.
 */
export const deleteSpace: Operation<typeof spaceRoutes.deleteSpace> = async (context) => {
  const { tenantId } = context;
  const members = await context.write(async (tx) => {
    const ids = await memberIds(tx, tenantId);
    await beginDeletion(tx, tenantId, context.now);
    await context.audit(tx, 'space.deleted');
    await context.emit(tx, 'space.deleted', {});
    return ids;
  });
  context.spaces.drop(members);
  await eraseTenant(context, tenantId, spaces);
  return { space: { id: tenantId } };
};

async function beginDeletion(tx: Tx, tenantId: string, now: Date): Promise<void> {
  // Waits for what is being written; nobody has a right any more.
  await tx.delete(spaceMembers).where(eq(spaceMembers.tenantId, tenantId));
  // The same for the background.
  await tx.delete(tenants).where(eq(tenants.tenantId, tenantId));
  await tx.update(spaces).set({ deletedAt: now }).where(eq(spaces.tenantId, tenantId));
}

/**
 * Begins to delete again the spaces that a restored backup has brought back, as `forgetUsersAgain` erases users.
 *
 * @param erased Ids of spaces that were deleted.
 * @returns how many came back.
 */
export async function deleteSpacesAgain(database: Database, erased: readonly string[]): Promise<number> {
  const isBack = and(sql`${spaces.tenantId} = ANY(${uuids(erased)})`, isNull(spaces.deletedAt));
  const back = await database.system((tx) => tx.select().from(spaces).where(isBack));
  for (const { tenantId, createdBy } of back) {
    const now = systemClock();
    await database.system(async (tx) => {
      await beginDeletion(tx, tenantId, now);
      await tx.execute(
        auditStatement([createdBy], operatorEntry('space.deleted', { space_id: tenantId }, now)),
      );
    });
  }
  return back.length;
}

/**
 * Finishes deletions that were cut off.
 *
 * @returns how many spaces were deleted.
 */
export async function finishDeletions(services: Services): Promise<number> {
  const left = await services.database.system((tx) =>
    tx.select({ id: spaces.tenantId }).from(spaces).where(isNotNull(spaces.deletedAt)),
  );
  for (const { id } of left) await eraseTenant(services, id, spaces);
  return left.length;
}

/**
 * Keeps an agent from coming into other spaces until the transaction ends, so that those it comes into at once are counted.
 *
 * @throws SvcError `CONFLICT` where the agent is in as many spaces as it may be.
 */
export async function requireOpenMembership(tx: Tx, agentId: string): Promise<void> {
  await lockName(tx, agentId, 'spaces');
  // Memberships are in the spaces' own tenants. Index space_members_agent.
  const [found] = await readingAllTenants(tx, () =>
    tx.select({ spaces: count() }).from(spaceMembers).where(eq(spaceMembers.agentId, agentId)),
  );
  if ((found?.spaces ?? 0) >= MOST_SPACES) {
    throw new SvcError('CONFLICT', `The agent is in ${MOST_SPACES} spaces, the most there can be.`);
  }
}

async function memberIds(tx: Tx, spaceId: string): Promise<string[]> {
  const found = await tx
    .select({ id: spaceMembers.agentId })
    .from(spaceMembers)
    .where(eq(spaceMembers.tenantId, spaceId));
  return found.map(({ id }) => id);
}

function toSpace(
  { tenantId: id, name, createdAt }: typeof spaces.$inferSelect,
  right: Space['right'],
): Space {
  return { id, name, right, created_at: createdAt.toISOString() };
}
