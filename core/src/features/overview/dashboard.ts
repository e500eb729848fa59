import { and, desc, eq, type SQL } from 'drizzle-orm';
import { type Context, contextsOf, type Operation } from '../../kernel/context/context.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { newestUnheard } from '../distress/distress.ts';
import { toEntry } from '../guardian/entry.ts';
import { stability } from '../guardian/stability/stability.ts';
import { countByType } from '../memory/counts.ts';
import { matchesFilters } from '../recall/filters.ts';
import type { GuardianEntry } from '../records/contract.ts';
import { guardianEntries, isAdded, isPending } from '../records/pending-change-schema.ts';
import { toMemory } from '../records/row.ts';
import { memories } from '../records/schema.ts';
import { readAccount } from '../tenant/status.ts';
import { knownEntries } from '../visibility/entries.ts';
import { loadVisibility } from '../visibility/settings.ts';
import { showEntries, showMemories } from '../visibility/show.ts';
import { viewOf } from '../visibility/view.ts';
import type { dashboardRoutes } from './contract.ts';

type Dashboard = OutputOf<typeof dashboardRoutes.dashboard>;

const RECENT_EPISODES = 10;
const WORKING = 20;
const UNDECIDED = 50;

/** The overview for the human. */
export const dashboard: Operation<typeof dashboardRoutes.dashboard> = async (context) => {
  const steadiness = await stability(context, {});
  return context.read(async (tx) => ({
    ...(await readAccount(tx, context, await viewOf(tx, context))),
    ...steadiness,
    ...(await recentMemories(tx, context)),
    guardian: await undecidedEntries(tx, context, isPending),
    unconfirmed: await undecidedEntries(tx, context, isAdded),
    spaces: await sharedSpaces(tx, context),
    visibility: await loadVisibility(tx, context.tenantId),
    distress: await newestUnheard(tx, context.tenantId),
  }));
};

async function recentMemories(tx: Tx, context: Context) {
  const { tenantId } = context;
  const { known } = await viewOf(tx, context);
  const episodes = await tx
    .select()
    .from(memories)
    .where(matchesFilters(tenantId, { types: ['episodic'] }, known))
    .orderBy(desc(memories.occurredAt), desc(memories.id))
    .limit(RECENT_EPISODES);
  const working = await tx
    .select()
    .from(memories)
    .where(matchesFilters(tenantId, { types: ['working'] }, known))
    .orderBy(desc(memories.updatedAt), desc(memories.id))
    .limit(WORKING);
  return {
    recent_episodic: await showMemories(tx, context, episodes.map(toMemory)),
    working: await showMemories(tx, context, working.map(toMemory)),
  };
}

async function sharedSpaces(tx: Tx, context: Context): Promise<Dashboard['spaces']> {
  const view = await viewOf(tx, context);
  const spaces: Dashboard['spaces'] = [];
  for (const shared of contextsOf(context)) {
    const { tenantId, space, actor, now } = shared;
    if (!space) continue;
    const decides = actor.source === 'human' || space.right === 'manage';
    spaces.push({
      id: space.id,
      name: space.name,
      counts: await countByType(tx, { tenantId, view, now }),
      guardian: decides ? await undecidedEntries(tx, shared, isPending) : [],
      unconfirmed: decides ? await undecidedEntries(tx, shared, isAdded) : [],
    });
  }
  return spaces;
}

/** What the human may decide, newest first. Index guardian_undecided. */
async function undecidedEntries(tx: Tx, context: Context, which: SQL): Promise<GuardianEntry[]> {
  const found = await tx
    .select()
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, context.tenantId), which, await knownEntries(tx, context)))
    .orderBy(desc(guardianEntries.requestedAt), desc(guardianEntries.id))
    .limit(UNDECIDED);
  return showEntries(tx, context, found.map(toEntry));
}
