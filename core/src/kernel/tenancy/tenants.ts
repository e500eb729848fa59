import { and, asc, eq, isNull } from 'drizzle-orm';
import { type AuditedBy, OPERATOR } from '../audit/act.ts';
import { appendToAuditLog, openAuditLog } from '../audit/append.ts';
import type { Services } from '../context/context.ts';
import { SvcError } from '../contract/errors.ts';
import type { Plan } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { OPERATIONS_LIMIT, usageMonthOf } from './plans.ts';
import { tenants, usageCounts } from './schema.ts';

const TRIAL_DAYS = 14;

/** One agent's account. */
export interface TenantRecord {
  readonly id: string;
  readonly displayName: string;
  readonly plan: Plan;
  readonly trialExpiresAt: Date | null;
}

/** What a tenant has used of its plan this month (UTC). */
export interface TenantUsage {
  readonly operations: number;
  readonly limit: number;
}

/** Creates, lists and changes tenants. For the operator and for sign-up, not for agents. */
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
  /** All tenants with what they have used this month. */
  listWithUsage(): Promise<readonly (TenantRecord & { readonly usage: TenantUsage })[]>;
  /**
   * Moves a tenant to a plan, from its next call on in every process: no plan is cached. On `trial` its 14 days begin now, also
   * where it was on trial before. Answers undefined where there is no such tenant.
   */
  changePlan(id: string, plan: Plan): Promise<TenantRecord | undefined>;
}

export function createTenants(services: Services): Tenants {
  const { database, clock, ids, embedder } = services;
  const list = async () =>
    (
      await database.system((tx) =>
        tx.select().from(tenants).where(isNull(tenants.agentId)).orderBy(asc(tenants.createdAt)),
      )
    ).map(toTenant);
  return {
    create: async ({ displayName, plan, trialExpiresAt }, also, by = OPERATOR) => {
      const now = clock();
      const tenant = {
        tenantId: ids(),
        displayName,
        plan,
        trialExpiresAt: trialExpiresAt ?? trialEnd(plan, now),
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
    list,
    listWithUsage: async () => {
      const isThisMonth = eq(usageCounts.month, usageMonthOf(clock()));
      const counts = await database.system((tx) => tx.select().from(usageCounts).where(isThisMonth));
      const used = new Map(counts.map(({ tenantId, operations }) => [tenantId, operations]));
      return (await list()).map((tenant) => ({
        ...tenant,
        usage: { operations: used.get(tenant.id) ?? 0, limit: OPERATIONS_LIMIT[tenant.plan] },
      }));
    },
    changePlan: (id, plan) =>
      database.transaction(id, async (tx) => {
        const isTenant = and(eq(tenants.tenantId, id), isNull(tenants.agentId));
        const [former] = await tx.select().from(tenants).where(isTenant).for('update');
        if (!former) return undefined;
        const changed = { plan, trialExpiresAt: trialEnd(plan, clock()) };
        await tx.update(tenants).set(changed).where(isTenant);
        const touched = { plan, former_plan: former.plan };
        await appendToAuditLog(tx, services, [id], { act: 'agent.plan_changed', by: OPERATOR, touched });
        return toTenant({ ...former, ...changed });
      }),
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

function trialEnd(plan: Plan, start: Date): Date | null {
  return plan === 'trial' ? new Date(start.getTime() + TRIAL_DAYS * DAY_MS) : null;
}

export function toTenant(row: {
  tenantId: string;
  displayName: string;
  plan: Plan;
  trialExpiresAt: Date | null;
}): TenantRecord {
  const { tenantId, displayName, plan, trialExpiresAt } = row;
  return { id: tenantId, displayName, plan, trialExpiresAt };
}

const ERASED = 'This tenant was erased.';

/**
 * Keeps the tenant of a space from being erased until the transaction ends: its deletion removes this row first, so that the
 * background writes nothing behind it.
 *
 * @throws SvcError `NOT_FOUND` where its erasure has begun.
 */
export async function requireTenant(tx: Tx, tenantId: string): Promise<void> {
  const found = await tx
    .select({ id: tenants.tenantId })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId))
    .for('key share');
  if (found.length === 0) throw new SvcError('NOT_FOUND', ERASED);
}

/** Whether background work failed because its tenant was erased. */
export function isErased(error: unknown): boolean {
  return error instanceof SvcError && error.message === ERASED;
}
