import { sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { rows, type Tx } from '../database/database.ts';
import type { Plan } from '../tenants/schema.ts';
import { tenants, usageCounts } from '../tenants/schema.ts';
import { monthOf, OPERATIONS_LIMIT, THRESHOLDS } from './plans.ts';

interface Use {
  readonly tenantId: string;
  readonly now: Date;
  readonly units: number;
}

interface Rules {
  /** Whether a call over the limit is refused or only counted. */
  readonly refuse: boolean;
  emit(tx: Tx, type: string, data: Record<string, unknown>): Promise<void>;
}

/**
 * Counts operations inside the transaction that performs them: last in it, since the tenant's counter stays locked
 * until it ends, and atomic, so that concurrent calls never pass the limit together.
 *
 * @throws SvcError when `refuse`: `FORBIDDEN` once a trial has ended, `QUOTA_EXCEEDED` when the month's limit would be
 * passed; the caller's work rolls back.
 */
export async function countOperations(tx: Tx, { tenantId, now, units }: Use, rules: Rules): Promise<void> {
  const month = monthOf(now);
  const [count] = await rows<{ operations: string; plan: Plan; expired: boolean | null }>(
    tx,
    sql`INSERT INTO ${usageCounts} (tenant_id, month, operations) VALUES (${tenantId}, ${month}, ${units}::int)
        ON CONFLICT (tenant_id, month) DO UPDATE SET operations = usage_counts.operations + ${units}::int
        RETURNING operations, (SELECT plan FROM ${tenants} t WHERE t.tenant_id = ${tenantId}) AS plan,
          (SELECT plan = 'trial' AND trial_expires_at <= ${now.toISOString()}::timestamptz
           FROM ${tenants} t WHERE t.tenant_id = ${tenantId}) AS expired`,
  );
  if (!count?.plan) throw new SvcError('NOT_FOUND', 'This tenant does not exist.');
  if (rules.refuse && count.expired) {
    throw new SvcError(
      'FORBIDDEN',
      'The trial of this account has ended. Boot, compaction, sync, reading by id, forgetting and export still work.',
    );
  }
  const operations = Number(count.operations);
  const limit = OPERATIONS_LIMIT[count.plan];
  if (rules.refuse && operations > limit) {
    throw new SvcError('QUOTA_EXCEEDED', `All ${limit} operations of ${month} are used.`, {
      details: { operations_limit: limit, month },
    });
  }
  for (const share of THRESHOLDS) {
    const line = Math.ceil(limit * share);
    if (operations - units < line && operations >= line) {
      await rules.emit(tx, 'billing.threshold', { share, operations, operations_limit: limit, month });
    }
  }
}
