import { asc, eq } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import { type Plan, tenants } from './schema.ts';

const TRIAL_DAYS = 14;
const DAY_MS = 86_400_000;

export interface TenantRecord {
  readonly id: string;
  readonly displayName: string;
  readonly plan: Plan;
  readonly trialExpiresAt: Date | null;
}

/** Opening and listing of accounts; for the operator and sign-up, not for agents. */
export interface Tenants {
  /**
   * Opens an account.
   *
   * @param tenant `trialExpiresAt` defaults to 14 days from now on the plan `trial`.
   * @param also What belongs to it and is done in the same transaction.
   */
  create(
    tenant: { displayName: string; plan: Plan; trialExpiresAt?: Date | null },
    also?: (tx: Tx, tenantId: string) => Promise<void>,
  ): Promise<TenantRecord>;
  list(): Promise<TenantRecord[]>;
  find(id: string): Promise<TenantRecord | undefined>;
}

export function createTenants({ database, clock, ids, embedder }: Dependencies): Tenants {
  return {
    create: async ({ displayName, plan, trialExpiresAt }, also) => {
      const now = clock();
      const trialEnd = plan === 'trial' ? new Date(now.getTime() + TRIAL_DAYS * DAY_MS) : null;
      const tenant = {
        tenantId: ids(),
        displayName,
        plan,
        trialExpiresAt: trialExpiresAt ?? trialEnd,
        createdAt: now,
        embeddingModel: embedder.model,
        embeddingSince: now,
      };
      await database.transaction(tenant.tenantId, async (tx) => {
        await tx.insert(tenants).values(tenant);
        await also?.(tx, tenant.tenantId);
      });
      return toTenant(tenant);
    },
    list: async () =>
      (await database.system((tx) => tx.select().from(tenants).orderBy(asc(tenants.createdAt)))).map(
        toTenant,
      ),
    find: async (id) => {
      const [row] = await database.read(id, (tx) =>
        tx.select().from(tenants).where(eq(tenants.tenantId, id)),
      );
      return row && toTenant(row);
    },
  };
}

/** A tenant as its row tells it. */
export function toTenant(row: {
  tenantId: string;
  displayName: string;
  plan: Plan;
  trialExpiresAt: Date | null;
}): TenantRecord {
  const { tenantId, displayName, plan, trialExpiresAt } = row;
  return { id: tenantId, displayName, plan, trialExpiresAt };
}
