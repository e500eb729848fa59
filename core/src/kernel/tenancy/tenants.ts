import { and, asc, eq, isNull } from 'drizzle-orm';
import { type AuditedBy, OPERATOR } from '../audit/act.ts';
import { openAuditLog } from '../audit/append.ts';
import type { Services } from '../context/context.ts';
import type { Plan } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { tenants } from './schema.ts';

const TRIAL_DAYS = 14;

export interface TenantRecord {
  readonly id: string;
  readonly displayName: string;
  readonly plan: Plan;
  readonly trialExpiresAt: Date | null;
}

/** Creates and lists tenants. For the operator and for sign-up, not for agents. */
export interface Tenants {
  /**
   * Creates a tenant.
   *
   * @param tenant `trialExpiresAt` defaults to 14 days from now on the plan `trial`.
   * @param also Runs in the same transaction.
   * @param by Who does it, for the audit log; default: the operator.
   */
  create(
    tenant: { displayName: string; plan: Plan; trialExpiresAt?: Date | null },
    also?: (tx: Tx, tenantId: string) => Promise<void>,
    by?: AuditedBy,
  ): Promise<TenantRecord>;
  list(): Promise<TenantRecord[]>;
  find(id: string): Promise<TenantRecord | undefined>;
}

export function createTenants(services: Services): Tenants {
  const { database, clock, ids, embedder } = services;
  return {
    create: async ({ displayName, plan, trialExpiresAt }, also, by = OPERATOR) => {
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
        await openAuditLog(tx, services, tenant.tenantId, by);
      });
      return toTenant(tenant);
    },
    list: async () =>
      (
        await database.system((tx) =>
          tx.select().from(tenants).where(isNull(tenants.agentId)).orderBy(asc(tenants.createdAt)),
        )
      ).map(toTenant),
    find: async (id) => {
      const [row] = await database.read(id, (tx) =>
        tx
          .select()
          .from(tenants)
          .where(and(eq(tenants.tenantId, id), isNull(tenants.agentId))),
      );
      return row && toTenant(row);
    },
  };
}

/** Reads a tenant from its row. */
export function toTenant(row: {
  tenantId: string;
  displayName: string;
  plan: Plan;
  trialExpiresAt: Date | null;
}): TenantRecord {
  const { tenantId, displayName, plan, trialExpiresAt } = row;
  return { id: tenantId, displayName, plan, trialExpiresAt };
}
