import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Actor, Call, CallUser } from '../context/call.ts';
import type { Services } from '../context/context.ts';
import { SvcError } from '../contract/errors.ts';
import { compileStatement } from '../database/compiled-statement.ts';
import { type Database, rows, type Tx } from '../database/database.ts';
import { timestamptz, uuids } from '../database/parameters.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { isActiveKey, unauthorized } from './active-key.ts';
import { wasErasedSince } from './receipts.ts';
import { agentUsers, tenants } from './schema.ts';

declare module '../context/context.ts' {
  interface Services {
    readonly users: Users;
  }
}

const REMEMBERED = 20_000;
/** `last_seen_at` is a hint for the human: writing it on every call would cost as much as the call. */
const SEEN_STEP_MS = 60_000;
const SEEN_WAIT_MS = 1_000;
// Short, since another process may forget a user and make it again.
const REMEMBERED_MS = 5_000;

/**
 * The users of agents. What concerns a user is kept in a tenant of its own, out of reach of statements about other users: this
 * finds these tenants, and remembers them.
 */
export class Users {
  readonly #database: Database;
  readonly #clock: Services['clock'];
  readonly #seen: Seen;
  readonly #known = createLruCache<CallUser>(REMEMBERED, REMEMBERED_MS);

  constructor({ database, clock }: Pick<Services, 'database' | 'clock'>) {
    this.#database = database;
    this.#clock = clock;
    this.#seen = createSeen(database, clock);
  }

  /** The user by its id; undefined where nothing was ever stored for it. */
  async find(agentId: string, id: string): Promise<CallUser | undefined> {
    return this.#known.get(keyOf(agentId, id)) ?? (await this.findNow(agentId, id)).user;
  }

  /** The user by its id as the database has it now, and the snapshot in which that is so. */
  async findNow(
    agentId: string,
    id: string,
  ): Promise<{ readonly user: CallUser | undefined; readonly snapshot: string }> {
    // In one round trip: of many users, each call may be the first for its user in a while.
    const [found = []] = await this.#database.batch(agentId, [tenantOfUser({ agentId, id })]);
    const [row] = found as readonly { readonly tenant: string | null; readonly snapshot: string }[];
    if (!row) throw new TypeError('this query answers one row');
    const { tenant, snapshot } = row;
    return { user: tenant === null ? undefined : this.remember(agentId, { id, tenantId: tenant }), snapshot };
  }

  /**
   * Makes a user that was new when a call began, unless another call has made it since: for a call that takes longer than another may
   * wait with making the user.
   *
   * @throws SvcError `UNAUTHORIZED` where it is to be made with an API key that is no longer active; `CONFLICT` where it was
   *   forgotten meanwhile.
   */
  async ensure(agentId: string, user: CallUser, actor: Actor): Promise<void> {
    const now = this.#clock();
    const isNew = await this.#database.transaction([user.tenantId, agentId], async (tx) => {
      await requireActive(tx, agentId, actor, now);
      return makeUser(tx, { agentId, now }, user);
    });
    if (isNew) this.remember(agentId, user);
  }

  /** The agent of a tenant, and the user whose tenant it is: for background work, which meets tenants of both kinds. */
  async holderOf(tenantId: string): Promise<{ agentId: string; user: CallUser | undefined }> {
    const [row] = await this.#database.system((tx) =>
      tx.select().from(agentUsers).where(eq(agentUsers.userTenantId, tenantId)),
    );
    return row
      ? { agentId: row.tenantId, user: { id: row.userId, tenantId } }
      : { agentId: tenantId, user: undefined };
  }

  /** The users of an agent, in the order of their tenants. */
  all(agentId: string, limit: number): Promise<readonly CallUser[]> {
    return this.#database.read(agentId, (tx) =>
      tx
        .select({ id: agentUsers.userId, tenantId: agentUsers.userTenantId })
        .from(agentUsers)
        .where(and(eq(agentUsers.tenantId, agentId), isNull(agentUsers.forgottenAt)))
        .orderBy(agentUsers.userTenantId)
        .limit(limit),
    );
  }

  /** The tenants of all users of an agent, and of the spaces that it made. */
  async tenantsOf(agentId: string): Promise<readonly string[]> {
    const found = await this.#database.system((tx) =>
      tx.select({ id: tenants.tenantId }).from(tenants).where(eq(tenants.agentId, agentId)),
    );
    return found.map(({ id }) => id);
  }

  /** Whether a user was forgotten since a snapshot of the database was taken. */
  wasErasedSince(agentId: string, id: string, snapshot: string): Promise<boolean> {
    return this.#database.read(agentId, (tx) => wasErasedSince(tx, agentId, id, snapshot));
  }

  /** Drops the tenant of a user from the cache. */
  drop(agentId: string, id: string): void {
    this.#known.delete(keyOf(agentId, id));
  }

  /** Writes now when users were last seen, which otherwise waits for a second. */
  flush(): Promise<void> {
    return this.#seen.flush();
  }

  /** Notes that something is being written for a user. */
  noteSeen(agentId: string, user: CallUser): void {
    this.#seen.note(agentId, user);
  }

  /** Remembers a user that a write has made. */
  remember(agentId: string, { id, tenantId }: CallUser): CallUser {
    const user = { id, tenantId };
    this.#known.set(keyOf(agentId, id), user);
    return user;
  }
}

function keyOf(agentId: string, id: string): string {
  return `${agentId} ${id}`;
}

const tenantOfUser = compileStatement<Record<'agentId' | 'id', string>>(
  (param) => sql`SELECT pg_current_snapshot()::text AS snapshot, (SELECT user_tenant_id FROM ${agentUsers}
    WHERE tenant_id = ${param('agentId')}::uuid AND user_id = ${param('id')}) AS tenant`,
);

/** Notes which users were seen. That is a hint, for which no call waits. */
interface Seen {
  note(agentId: string, user: CallUser): void;
  flush(): Promise<void>;
}

/** Those of an agent are written together: a transaction each would cost as many waits for the disk. */
function createSeen(database: Database, clock: Services['clock']): Seen {
  const noted = createLruCache<true>(REMEMBERED, SEEN_STEP_MS);
  let waiting = new Map<string, string[]>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const now = clock();
    const before = new Date(now.getTime() - SEEN_STEP_MS);
    const byAgent = waiting;
    waiting = new Map();
    for (const [agentId, tenantIds] of byAgent) {
      const noting = sql`UPDATE ${agentUsers} SET last_seen_at = ${timestamptz(now)}
        WHERE tenant_id = ${agentId}::uuid AND user_tenant_id = ANY(${uuids(tenantIds)})
          AND last_seen_at < ${timestamptz(before)}`;
      await database.batch(agentId, [noting]).catch(() => {});
    }
  };
  return {
    note: (agentId, { tenantId }) => {
      if (noted.has(tenantId)) return;
      noted.set(tenantId, true);
      const others = waiting.get(agentId);
      if (others) others.push(tenantId);
      else waiting.set(agentId, [tenantId]);
      timer ??= setTimeout(flush, SEEN_WAIT_MS).unref();
    },
    flush,
  };
}

/** Refuses to make a user for an API key that was only found in a cache and is no longer active. */
async function requireActive(
  tx: Tx,
  agentId: string,
  { unverified, credentialId }: Actor,
  now: Date,
): Promise<void> {
  if (!unverified || credentialId === null) return;
  if (!(await isActiveKey(tx, agentId, credentialId, now))) throw unauthorized();
}

/** Makes the tenant of a user, with the embedding model of the agent. */
async function insertUser(
  tx: Tx,
  { agentId, user, now }: { readonly agentId: string; readonly user: CallUser; readonly now: Date },
): Promise<boolean> {
  const made = await tx
    .insert(agentUsers)
    .values({
      tenantId: agentId,
      userId: user.id,
      userTenantId: user.tenantId,
      createdAt: now,
      lastSeenAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: agentUsers.userId });
  if (made.length === 0) return false;
  const [agent] = await tx.select().from(tenants).where(eq(tenants.tenantId, agentId));
  if (!agent) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
  await tx
    .insert(tenants)
    .values({ ...agent, tenantId: user.tenantId, agentId, createdAt: now, deletions: 0 });
  return true;
}

function isUser(agentId: string, id: string): SQL | undefined {
  return and(eq(agentUsers.tenantId, agentId), eq(agentUsers.userId, id));
}

/**
 * Keeps a user from being forgotten until the transaction ends: forgetting locks the row exclusively first, so that
 * nothing is written behind it.
 */
export function lockedUser(agentId: SQL, userTenantId: SQL): SQL {
  return sql`SELECT 1 FROM ${agentUsers} WHERE tenant_id = ${agentId} AND user_tenant_id = ${userTenantId}
    AND forgotten_at IS NULL FOR KEY SHARE`;
}

/** Of some ids those of users who are there, whom it keeps from being forgotten likewise. */
export function lockedUsers(agentId: SQL, ids: SQL): SQL {
  return sql`SELECT user_id FROM ${agentUsers} WHERE tenant_id = ${agentId} AND user_id IN (${ids})
    AND forgotten_at IS NULL FOR KEY SHARE`;
}

/** Whether a tenant is that of a user of the agent. */
export async function isKnownUser(tx: Tx, agentId: string, tenantId: string): Promise<boolean> {
  const found = await tx
    .select({ id: agentUsers.userId })
    .from(agentUsers)
    .where(
      and(
        eq(agentUsers.tenantId, agentId),
        eq(agentUsers.userTenantId, tenantId),
        isNull(agentUsers.forgottenAt),
      ),
    );
  return found.length > 0;
}

/**
 * Makes a new user; false where another call has made it.
 *
 * @throws SvcError `CONFLICT` where another call made the user before, and it was forgotten since this one began: this one would bring
 *   back what was said before.
 */
async function makeUser(
  tx: Tx,
  { agentId, now }: Pick<Call, 'agentId' | 'now'>,
  user: CallUser,
): Promise<boolean> {
  if (!(await insertUser(tx, { agentId, user, now }))) return false;
  const { id, snapshot } = user;
  if (snapshot !== undefined && (await wasErasedSince(tx, agentId, id, snapshot))) throw forgotten();
  return true;
}

/**
 * Makes a new user, and keeps one that is there from being forgotten until the transaction ends.
 *
 * @throws SvcError `CONFLICT` where the user was forgotten, or another call made it, meanwhile.
 */
export async function requireUser(
  tx: Tx,
  call: Pick<Call, 'agentId' | 'now'>,
  user: CallUser,
): Promise<void> {
  if (user.isNew && (await makeUser(tx, call, user))) return;
  const { agentId } = call;
  const found = await rows(tx, lockedUser(sql`${agentId}::uuid`, sql`${user.tenantId}::uuid`));
  if (found.length === 0) throw forgotten();
}

/**
 * Marks a user as forgotten, unless it is already: nothing more is written for it, and its id is free for a new one. Waits for what
 * is being written.
 */
export async function markForgotten(
  tx: Tx,
  { agentId, now }: Pick<Call, 'agentId' | 'now'>,
  { id, tenantId }: CallUser,
): Promise<void> {
  await tx
    .update(agentUsers)
    .set({ userId: `\u0001${tenantId}`, forgottenId: id, forgottenAt: now })
    .where(and(isUser(agentId, id), eq(agentUsers.userTenantId, tenantId)));
}

/** The users of an agent that had an id and whose erasure has begun. */
export async function forgottenWithId(tx: Tx, agentId: string, id: string): Promise<readonly CallUser[]> {
  const found = await tx
    .select({ tenantId: agentUsers.userTenantId })
    .from(agentUsers)
    .where(
      and(
        eq(agentUsers.tenantId, agentId),
        eq(agentUsers.forgottenId, id),
        isNotNull(agentUsers.forgottenAt),
      ),
    );
  return found.map(({ tenantId }) => ({ id, tenantId }));
}

/** A user of an agent whose erasure has begun. */
export interface ForgottenUser {
  readonly agentId: string;
  readonly user: CallUser;
  /** The time in the receipt of the erasure that forgot it. */
  readonly forgottenAt: Date | null;
}

/** The users whose erasure has begun. */
export async function forgottenUsers(database: Database): Promise<readonly ForgottenUser[]> {
  // Index agent_users_forgotten.
  const found = await database.system((tx) =>
    tx.select().from(agentUsers).where(isNotNull(agentUsers.forgottenAt)),
  );
  return found.map(({ tenantId: agentId, forgottenId, forgottenAt, userTenantId }) => ({
    agentId,
    forgottenAt,
    user: { id: forgottenId ?? '', tenantId: userTenantId },
  }));
}

/** Ends the erasure of a user; false where that was done already. */
export async function removeForgotten(tx: Tx, userTenantId: string): Promise<boolean> {
  const removed = await tx
    .delete(agentUsers)
    .where(eq(agentUsers.userTenantId, userTenantId))
    .returning({ userId: agentUsers.userId });
  return removed.length > 0;
}

const FORGOTTEN =
  'This user was forgotten while the call ran, and nothing was stored. Call again to begin anew with this user.';

/** The error for a call for a user that is forgotten while it runs. */
export function forgotten(): SvcError {
  return new SvcError('CONFLICT', FORGOTTEN);
}

/** Whether a call failed because its user was forgotten. */
export function isForgotten(error: unknown): boolean {
  return error instanceof SvcError && error.message === FORGOTTEN;
}
