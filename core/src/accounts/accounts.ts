import { asc, eq, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
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
   * Makes an agent of a human: the first on `plan`, each later one on the plan of the first and until the same day, so
   * that a trial does not start again. Throws `CONFLICT` beyond 100.
   */
  openAgent(userId: string, agent: { displayName: string; plan: Plan }): Promise<TenantRecord>;
  /**
   * The owner of an embedded service, made at the first start; agents that no human and no wallet has are theirs.
   *
   * @returns id of the user.
   */
  ensureLocalOwner(name: string): Promise<string>;
}

export function createAccounts(dependencies: Dependencies): Accounts {
  const { database, clock, ids } = dependencies;

  return {
    agentsOf: (userId) => database.system(async (tx) => (await ownedBy(tx, userId)).map(toTenant)),

    openAgent: async (userId, { displayName, plan }) => {
      const [first, ...others] = await database.system((tx) => ownedBy(tx, userId));
      if (others.length + 1 >= AGENTS_PER_HUMAN) {
        throw new SvcError('CONFLICT', `You have ${AGENTS_PER_HUMAN} agents, the most a human can have.`);
      }
      const terms = first ? { plan: first.plan, trialExpiresAt: first.trialExpiresAt } : { plan };
      return createTenants(dependencies).create({ displayName, ...terms }, async (tx, tenantId) => {
        await tx.insert(memberships).values({ tenantId, userId, createdAt: clock() });
      });
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
