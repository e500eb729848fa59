import { and, asc, eq, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import { type Plan, tenants } from '../tenants/schema.ts';
import { createTenants, type TenantRecord, toTenant } from '../tenants/tenants.ts';
import { memberships, users } from './schema.ts';

const AGENTS_PER_HUMAN = 100;
/** E-mail address of the owner of an embedded service: one that nobody can sign up or receive mail with. */
const OWNER_EMAIL = 'owner@localhost';

/** Humans and the agents that are theirs. */
export interface Accounts {
  /** The agents of a human, oldest first. */
  agentsOf(userId: string): Promise<TenantRecord[]>;
  /**
   * Makes an agent of a human, on the plan of the first one and until the same day: a trial does not start again.
   * Throws `CONFLICT` beyond 100.
   */
  openAgent(userId: string, displayName: string): Promise<TenantRecord>;
  /** Makes the first agent of a human who has none, under the human's own name. */
  ensureFirstAgent(userId: string): Promise<void>;
  /** Confirmed e-mail addresses of the humans whose agent this is. */
  addressesOf(tenantId: string): Promise<string[]>;
  /** Notes that a human has shown to have their e-mail address. */
  confirmAddress(userId: string): Promise<void>;
  /**
   * The owner of an embedded service, made at the first start; agents that no human and no wallet has are theirs.
   *
   * @returns id of the user.
   */
  ensureLocalOwner(name: string): Promise<string>;
}

export function createAccounts(dependencies: Dependencies): Accounts {
  const { database, clock, ids } = dependencies;

  const accounts: Accounts = {
    agentsOf: (userId) => database.system(async (tx) => (await ownedBy(tx, userId)).map(toTenant)),

    openAgent: async (userId, displayName) => {
      const [first, ...others] = await database.system((tx) => ownedBy(tx, userId));
      if (others.length + 1 >= AGENTS_PER_HUMAN) {
        throw new SvcError('CONFLICT', `You have ${AGENTS_PER_HUMAN} agents, the most a human can have.`);
      }
      const terms = first
        ? { plan: first.plan, trialExpiresAt: first.trialExpiresAt }
        : { plan: signUpPlan(database) };
      return createTenants(dependencies).create({ displayName, ...terms }, async (tx, tenantId) => {
        await tx.insert(memberships).values({ tenantId, userId, createdAt: clock() });
      });
    },

    addressesOf: async (tenantId) => {
      const humans = await database.system((tx) =>
        tx
          .select({ email: users.email })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(and(eq(memberships.tenantId, tenantId), eq(users.emailVerified, true))),
      );
      return humans.map(({ email }) => email).filter((email) => email !== OWNER_EMAIL);
    },

    ensureFirstAgent: async (userId) => {
      if ((await accounts.agentsOf(userId)).length > 0) return;
      const [user] = await database.system((tx) =>
        tx.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, userId)),
      );
      if (user) await accounts.openAgent(userId, user.name.trim() || user.email);
    },

    confirmAddress: async (userId) => {
      await database.system((tx) =>
        tx.update(users).set({ emailVerified: true }).where(eq(users.id, userId)),
      );
    },

    ensureLocalOwner: (name) =>
      database.system(async (tx) => {
        const now = clock();
        await tx
          .insert(users)
          .values({
            id: ids(),
            name,
            email: OWNER_EMAIL,
            emailVerified: true,
            createdAt: now,
            updatedAt: now,
          })
          .onConflictDoNothing({ target: users.email });
        const [owner] = await tx.select({ id: users.id }).from(users).where(eq(users.email, OWNER_EMAIL));
        if (!owner) throw new TypeError('the owner was just made');
        await tx.execute(sql`
          INSERT INTO memberships (tenant_id, user_id, created_at)
          SELECT tenant_id, ${owner.id}::uuid, created_at FROM tenants t
          WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = t.tenant_id)
            AND NOT EXISTS (SELECT FROM wallets w WHERE w.tenant_id = t.tenant_id)`);
        return owner.id;
      }),
  };
  return accounts;
}

/** The plan of those who sign up: an embedded service is its owner's own and bills nobody. */
export function signUpPlan({ kind }: Database): Plan {
  return kind === 'pglite' ? 'local' : 'trial';
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
