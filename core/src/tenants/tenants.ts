import { asc, eq } from 'drizzle-orm';
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
  /** Opens an account. A `trial` ends after 14 days. */
  create(tenant: { displayName: string; plan: Plan }): Promise<TenantRecord>;
  list(): Promise<TenantRecord[]>;
  find(id: string): Promise<TenantRecord | undefined>;
}

export function createTenants({ database, clock, ids }: Dependencies): Tenants {
  return {
    create: async ({ displayName, plan }) => {
      const now = clock();
      const tenant = {
        tenantId: ids(),
        displayName,
        plan,
        trialExpiresAt: plan === 'trial' ? new Date(now.getTime() + TRIAL_DAYS * DAY_MS) : null,
        createdAt: now,
      };
      await database.transaction(tenant.tenantId, (tx) => tx.insert(tenants).values(tenant));
      return toRecord(tenant);
    },
    list: async () =>
      (await database.system((tx) => tx.select().from(tenants).orderBy(asc(tenants.createdAt)))).map(
        toRecord,
      ),
    find: async (id) => {
      const [row] = await database.read(id, (tx) =>
        tx.select().from(tenants).where(eq(tenants.tenantId, id)),
      );
      return row && toRecord(row);
    },
  };
}

function toRecord(row: {
  tenantId: string;
  displayName: string;
  plan: Plan;
  trialExpiresAt: Date | null;
}): TenantRecord {
  const { tenantId, displayName, plan, trialExpiresAt } = row;
  return { id: tenantId, displayName, plan, trialExpiresAt };
}
