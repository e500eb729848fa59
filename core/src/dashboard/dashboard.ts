import { and, desc, eq } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import { listDistress } from '../distress/distress.ts';
import type { Context, Operation } from '../engine/context.ts';
import { toEntry } from '../guardian/entry.ts';
import { guardianEntries, isPending } from '../guardian/schema.ts';
import { toMemory } from '../memory/row.ts';
import { memories } from '../memory/schema.ts';
import { matches } from '../recall/filters.ts';
import { stability } from '../stability/stability.ts';
import { status } from '../tenants/status.ts';
import { loadVisibility } from '../visibility/settings.ts';

const RECENT_EPISODES = 10;
const WORKING = 20;
const PENDING = 50;

/** The overview for the human. Spec: GET /dashboard. */
export const dashboard: Operation<'dashboard'> = async (context) => {
  const account = await status(context, {});
  const { open } = await listDistress(context, { limit: 1 });
  const steadiness = await stability(context, {});
  return context.read(async (tx) => ({
    ...account,
    ...steadiness,
    ...(await recentMemories(tx, context)),
    guardian: await pendingChanges(tx, context),
    visibility: await loadVisibility(tx, context.tenantId),
    distress: open,
  }));
};

async function recentMemories(tx: Tx, { tenantId }: Context) {
  const episodes = await tx
    .select()
    .from(memories)
    .where(matches(tenantId, { types: ['episodic'] }))
    .orderBy(desc(memories.occurredAt), desc(memories.id))
    .limit(RECENT_EPISODES);
  const working = await tx
    .select()
    .from(memories)
    .where(matches(tenantId, { types: ['working'] }))
    .orderBy(desc(memories.updatedAt), desc(memories.id))
    .limit(WORKING);
  return { recent_episodic: episodes.map(toMemory), working: working.map(toMemory) };
}

async function pendingChanges(tx: Tx, { tenantId }: Context) {
  const pending = await tx
    .select()
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), isPending))
    .orderBy(desc(guardianEntries.requestedAt), desc(guardianEntries.id))
    .limit(PENDING);
  return pending.map(toEntry);
}
