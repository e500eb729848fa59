import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import { type AuditedBy, OPERATOR } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import type { Services, Touched } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Database, Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { readingAllTenants } from '../../kernel/database/tenant-scope.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { renewRights } from '../../kernel/tenancy/space-rights.ts';
import { createTenants, type TenantRecord, toTenant } from '../../kernel/tenancy/tenants.ts';
import { LOCAL_OWNER_EMAIL } from './contract.ts';
import { memberships, userLogins, users } from './schema.ts';

const AGENTS_PER_HUMAN = 100;

/** Ends what a human reaches of an agent beside their session, in the transaction by which it is taken from them. */
export type AgentTaken = (
  tx: Tx,
  services: Services,
  taken: { readonly tenantId: string; readonly userId: string },
) => Promise<void>;

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** What features do when an agent is taken from a human. */
    readonly agentTaken: readonly AgentTaken[];
  }
}

declare module '../../kernel/feature.ts' {
  interface FeatureParts {
    /** Is told when an agent is taken from a human. */
    readonly agentTaken?: AgentTaken;
  }
}

/** A human, as the operator sees them. */
export interface HumanRecord {
  readonly id: string;
  readonly email: string;
  /** Whether it was shown that the address is theirs: else anybody may have signed up with it. */
  readonly emailVerified: boolean;
  /** When they signed up. */
  readonly createdAt: Date;
}

/** Humans with their sign-ins, and which agents are theirs, for the server. */
export interface Accounts {
  /** The agents of a human, oldest first. */
  agentsOf(userId: string): Promise<TenantRecord[]>;
  /** The id of the account that an agent belongs to: its first human's, or its own where it has none. */
  accountOf(tenantId: string): Promise<string>;
  /**
   * Creates an agent of a human, on the plan of the first agent and until the same day: a trial does not start again.
   * Throws `CONFLICT` beyond 100 agents.
   */
  openAgent(userId: string, displayName: string): Promise<TenantRecord>;
  /** Creates the first agent of a human who has none, under the human's own name. */
  ensureFirstAgent(userId: string): Promise<void>;
  /** The confirmed e-mail addresses of the agent's humans. */
  addressesOf(tenantId: string): Promise<string[]>;
  /** Whether a human, or without an id anybody, can sign in with a password. */
  hasPassword(userId?: string): Promise<boolean>;
  /**
   * Writes what concerns a human's account into the audit logs of all their agents.
   *
   * @param by Default: the human.
   */
  audit(
    userId: string,
    act: 'sign_in.succeeded' | 'sign_in.failed' | 'password.changed' | 'session.ended',
    touched?: Touched,
    by?: AuditedBy,
  ): Promise<void>;
  /** The id of the human with this e-mail address. */
  findByAddress(email: string): Promise<string | undefined>;
  /** The human with this e-mail address, in upper or lower case. */
  findHuman(email: string): Promise<HumanRecord | undefined>;
  /** The humans of all agents by the agent's id, or of one, who has been there longest first. */
  humansOf(tenantId?: string): Promise<ReadonlyMap<string, readonly HumanRecord[]>>;
  /** Makes an agent a human's too, for the operator. Answers whether it was not before. */
  giveAgent(tenantId: string, userId: string): Promise<boolean>;
  /**
   * Takes an agent from a human, for the operator: their session reaches it no more from the next call on, the connections of the
   * apps they let in end for good, and the event endpoints whose addresses they chose are off. Answers whether it was theirs.
   */
  takeAgent(tenantId: string, userId: string): Promise<boolean>;
  /** Records that a human has confirmed their e-mail address. */
  confirmAddress(userId: string): Promise<void>;
  /**
   * Creates the owner of an embedded service at its first start. Agents that belong to no human and no wallet become theirs.
   *
   * @returns id of the user.
   */
  ensureLocalOwner(name: string): Promise<string>;
}

export function createAccounts(services: Services): Accounts {
  return new StoredAccounts(services);
}

class StoredAccounts implements Accounts {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  agentsOf(userId: string): Promise<TenantRecord[]> {
    return this.#services.database.system(async (tx) => (await ownedBy(tx, userId)).map(toTenant));
  }

  async accountOf(tenantId: string): Promise<string> {
    const [first] = await this.#services.database.system((tx) =>
      tx
        .select({ id: memberships.userId })
        .from(memberships)
        .where(eq(memberships.tenantId, tenantId))
        .orderBy(asc(memberships.createdAt), asc(memberships.userId))
        .limit(1),
    );
    return first?.id ?? tenantId;
  }

  openAgent(userId: string, displayName: string): Promise<TenantRecord> {
    return this.#open(userId, displayName, AGENTS_PER_HUMAN);
  }

  async ensureFirstAgent(userId: string): Promise<void> {
    if ((await this.agentsOf(userId)).length > 0) return;
    const [user] = await this.#services.database.system((tx) =>
      tx.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, userId)),
    );
    if (!user) return;
    await this.#open(userId, user.name.trim() || user.email, 1).catch((error: unknown) => {
      // Another session that began at the same time has made it.
      if (!(error instanceof SvcError && error.code === 'CONFLICT')) throw error;
    });
  }

  /** @param most How many agents the human may have with the new one. */
  async #open(userId: string, displayName: string, most: number): Promise<TenantRecord> {
    const { database, clock, settings } = this.#services;
    const [first] = await database.system((tx) => ownedBy(tx, userId));
    const terms = first ?? { plan: settings.signUpPlan, trialExpiresAt: null };
    return createTenants(this.#services).create(
      { displayName, plan: terms.plan, trialExpiresAt: terms.trialExpiresAt },
      async (tx, tenantId) => {
        // One agent of a human after the other, because they are counted.
        await lockName(tx, userId, 'agents');
        const isTheirs = eq(memberships.userId, userId);
        if ((await readingAllTenants(tx, () => tx.$count(memberships, isTheirs))) >= most) {
          throw new SvcError('CONFLICT', `You have ${most} agents, the most a human can have.`);
        }
        await tx.insert(memberships).values({ tenantId, userId, createdAt: clock() });
      },
      byHuman(userId),
    );
  }

  async addressesOf(tenantId: string): Promise<string[]> {
    const humans = await this.#services.database.system((tx) =>
      tx
        .select({ email: users.email })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.tenantId, tenantId), eq(users.emailVerified, true))),
    );
    return humans.map(({ email }) => email).filter((email) => email !== LOCAL_OWNER_EMAIL);
  }

  async hasPassword(userId?: string): Promise<boolean> {
    const found = await this.#services.database.system((tx) =>
      tx
        .select({ id: userLogins.id })
        .from(userLogins)
        .where(
          and(
            isNotNull(userLogins.password),
            userId === undefined ? undefined : eq(userLogins.userId, userId),
          ),
        )
        .limit(1),
    );
    return found.length > 0;
  }

  async audit(
    userId: string,
    act: string,
    touched: Touched = {},
    by: AuditedBy = byHuman(userId),
  ): Promise<void> {
    await this.#services.database.system(async (tx) => {
      const agents = await ownedBy(tx, userId);
      const tenantIds = agents.map(({ tenantId }) => tenantId);
      const facts = { act, by, touched: { user_id: userId, ...touched } };
      await appendToAuditLog(tx, this.#services, tenantIds, facts);
    });
  }

  async findByAddress(email: string): Promise<string | undefined> {
    return (await this.findHuman(email))?.id;
  }

  async findHuman(email: string): Promise<HumanRecord | undefined> {
    const [human] = await this.#services.database.system((tx) =>
      tx.select(HUMAN).from(users).where(eq(users.email, email.toLowerCase())),
    );
    return human;
  }

  async humansOf(tenantId?: string): Promise<ReadonlyMap<string, readonly HumanRecord[]>> {
    const found = await this.#services.database.system((tx) =>
      tx
        .select({ tenantId: memberships.tenantId, human: HUMAN })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(tenantId === undefined ? undefined : eq(memberships.tenantId, tenantId))
        .orderBy(asc(memberships.createdAt), asc(memberships.userId)),
    );
    const byAgent = new Map<string, HumanRecord[]>();
    for (const row of found) byAgent.set(row.tenantId, [...(byAgent.get(row.tenantId) ?? []), row.human]);
    return byAgent;
  }

  giveAgent(tenantId: string, userId: string): Promise<boolean> {
    return this.#changeHumans(tenantId, userId, 'agent.given', (tx) =>
      tx
        .insert(memberships)
        .values({ tenantId, userId, createdAt: this.#services.clock() })
        .onConflictDoNothing()
        .returning({ id: memberships.userId }),
    );
  }

  takeAgent(tenantId: string, userId: string): Promise<boolean> {
    const isTheirs = and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId));
    return this.#changeHumans(tenantId, userId, 'agent.taken', async (tx) => {
      const taken = await tx.delete(memberships).where(isTheirs).returning({ id: memberships.userId });
      for (const tell of this.#services.agentTaken) await tell(tx, this.#services, { tenantId, userId });
      return taken;
    });
  }

  /** @param change Answers a row where it changed something. */
  async #changeHumans(
    tenantId: string,
    userId: string,
    act: 'agent.given' | 'agent.taken',
    change: (tx: Tx) => Promise<readonly object[]>,
  ): Promise<boolean> {
    const changed = await this.#services.database.system(async (tx) => {
      // First, since work in a space keeps its right there before that of the human: each would wait for the other.
      await renewRights(tx, tenantId);
      if ((await change(tx)).length === 0) return false;
      const facts = { act, by: OPERATOR, touched: { user_id: userId } };
      await appendToAuditLog(tx, this.#services, [tenantId], facts);
      return true;
    });
    if (changed) this.#services.spaces.dropAll();
    return changed;
  }

  async confirmAddress(userId: string): Promise<void> {
    await this.#services.database.system((tx) =>
      tx.update(users).set({ emailVerified: true }).where(eq(users.id, userId)),
    );
  }

  ensureLocalOwner(name: string): Promise<string> {
    const { database, clock, ids } = this.#services;
    return database.system(async (tx) => {
      const now = clock();
      const owner = {
        id: ids(),
        name,
        email: LOCAL_OWNER_EMAIL,
        emailVerified: true,
        createdAt: now,
        updatedAt: now,
      };
      await tx.insert(users).values(owner).onConflictDoNothing({ target: users.email });
      const [stored] = await tx
        .select({ id: users.id })
        .from(users)
        .where(eq(users.email, LOCAL_OWNER_EMAIL));
      if (!stored) throw new TypeError('the owner was just made');
      await tx.execute(sql`
        INSERT INTO memberships (tenant_id, user_id, created_at)
        SELECT tenant_id, ${stored.id}::uuid, created_at FROM tenants t
        WHERE t.agent_id IS NULL AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = t.tenant_id)
          AND NOT EXISTS (SELECT FROM wallets w WHERE w.tenant_id = t.tenant_id)`);
      return stored.id;
    });
  }
}

const HUMAN = {
  id: users.id,
  email: users.email,
  emailVerified: users.emailVerified,
  createdAt: users.createdAt,
};

function byHuman(userId: string): AuditedBy {
  return { kind: 'human', credentialId: userId };
}

function ownedBy(tx: Tx, userId: string) {
  return tx
    .select({
      tenantId: tenants.tenantId,
      displayName: tenants.displayName,
      plan: tenants.plan,
      trialExpiresAt: tenants.trialExpiresAt,
    })
    .from(memberships)
    .innerJoin(tenants, eq(tenants.tenantId, memberships.tenantId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.createdAt), asc(tenants.tenantId));
}

/** What the sign-in library keeps its own tables with: outside any tenant, since they hold no tenant's data. */
export function signInDatabase(database: Database): object {
  return database.accounts;
}
