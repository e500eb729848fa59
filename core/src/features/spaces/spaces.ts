import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { AGENT } from '../../kernel/commit/system-context.ts';
import type { Actor, CallSpace } from '../../kernel/context/call.ts';
import type { Services } from '../../kernel/context/context.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createLruCache } from '../../kernel/runtime/lru-cache.ts';
import { spaceMembers, spaces } from '../../kernel/tenancy/schema.ts';
import { isOfAccount } from '../accounts/same-account.ts';

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly spaces: Spaces;
  }
}

interface Spaces {
  /**
   * The spaces of its account that an agent may read, the oldest first. Remembered: most agents have none, and ask with every read.
   */
  of(agentId: string): Promise<readonly CallSpace[]>;
  /** A space with what a caller may do there; the human of the account manages it. Undefined where it is not theirs. */
  find(agentId: string, actor: Actor, id: string): Promise<CallSpace | undefined>;
  /** Forgets what is remembered of agents whose rights have changed. */
  drop(agentIds: readonly string[]): void;
  /** Forgets all that is remembered: some agent belongs to another account now. */
  dropAll(): void;
}

const REMEMBERED = 20_000;
/** Where other processes change rights, it takes so long until this one knows. Those of writes are verified at the commit. */
const REMEMBERED_MS = 1_000;

export function createSpaces({ database }: Pick<Services, 'database'>): Spaces {
  // To the embedded database nobody else writes.
  const ttl = database.kind === 'pglite' ? 0 : REMEMBERED_MS;
  const known = createLruCache<readonly CallSpace[]>(REMEMBERED, ttl);
  let drops = 0;
  const of = async (agentId: string) => {
    const found = known.get(agentId);
    if (found) return found;
    const before = drops;
    const loaded = await loadSpacesOf(database, agentId);
    // A right that was taken meanwhile must not be remembered.
    if (drops === before) known.set(agentId, loaded);
    return loaded;
  };
  return {
    of,
    find: async (agentId, actor, id) => {
      if (actor.source !== 'human') return (await of(agentId)).find((space) => space.id === id);
      return findForHuman(database, { agentId, actor }, id);
    },
    drop: (agentIds) => {
      drops += 1;
      for (const agentId of agentIds) known.delete(agentId);
    },
    dropAll: () => {
      drops += 1;
      known.clear();
    },
  };
}

/** The spaces of its account that an agent may read. */
function loadSpacesOf(database: Database, agentId: string): Promise<CallSpace[]> {
  // Memberships are in the spaces' own tenants. Index space_members_agent.
  return database.system((tx) =>
    tx
      .select({
        id: spaces.tenantId,
        name: spaces.name,
        right: spaceMembers.right,
        writtenIn: sql<string>`${spaceMembers}.xmin::text`,
      })
      .from(spaceMembers)
      .innerJoin(spaces, eq(spaces.tenantId, spaceMembers.tenantId))
      .where(
        and(
          eq(spaceMembers.agentId, agentId),
          isNull(spaces.deletedAt),
          // Not where one of the two was given to somebody else since it was let in.
          isOfAccount(spaces.createdBy, { agentId, actor: AGENT }),
        ),
      )
      .orderBy(asc(spaces.createdAt), asc(spaces.tenantId)),
  );
}

/** A space as the human of its account has it; undefined where it is of another one. */
async function findForHuman(
  database: Database,
  caller: { readonly agentId: string; readonly actor: Actor },
  id: string,
): Promise<CallSpace | undefined> {
  const [space] = await database.system((tx) =>
    tx
      .select({ id: spaces.tenantId, name: spaces.name, right: sql<'manage'>`'manage'` })
      .from(spaces)
      .where(and(eq(spaces.tenantId, id), isNull(spaces.deletedAt), isOfAccount(spaces.createdBy, caller))),
  );
  return space;
}
