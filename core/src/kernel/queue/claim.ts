import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { timestamptz } from '../database/parameters.ts';

/** Milliseconds after which the claims of a process that died end. A live process renews its claims or ends them sooner. */
export const LEASE_MS = 60_000;

/** A row that this process holds until its lease ends. */
export interface Claimed {
  readonly tenantId: string;
  readonly id: string;
  /** Token of this claim. When the lease ended and another process took over, the row has another one. */
  readonly claim: string;
}

/** A table of work: `dueAt` is when a row may be claimed; while it is claimed, the end of the lease. */
type ClaimTable = PgTable & Record<'tenantId' | 'id' | 'claim' | 'dueAt', PgColumn>;

/**
 * The statement that claims the rows of the common table expression `due`, which must have locked them with SKIP LOCKED.
 *
 * @param also Further assignments, such as `, attempts = attempts + 1`.
 * @returns a statement that returns the claimed rows, under the name `claimed`.
 */
export function claimRows(table: ClaimTable, claim: string, now: Date, also = sql``): SQL {
  return sql`UPDATE ${table} claimed SET claim = ${claim}::uuid, due_at = ${timestamptz(leaseEnd(now))} ${also}
    FROM due WHERE claimed.tenant_id = due.tenant_id AND claimed.id = due.id
    RETURNING claimed.*`;
}

/**
 * The condition that a row of a table of work may be claimed.
 *
 * @param longestWaitMs Longest wait that a row may have.
 */
export function isDue(now: Date, longestWaitMs: number): SQL {
  return sql`(due_at <= ${timestamptz(now)} OR ${isAbsurd(now, longestWaitMs)})`;
}

/** The condition that a row waits longer than any may. It is due: the clock was wrong then, or is now. */
export function isAbsurd(now: Date, longestWaitMs: number): SQL {
  return sql`due_at > ${timestamptz(new Date(now.getTime() + longestWaitMs))}`;
}

/** When a lease that begins or is renewed now ends. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

/** The condition that this process still holds a row. Only then may it write to it. */
export function isHeld(table: ClaimTable, { tenantId, id, claim }: Claimed): SQL | undefined {
  return and(eq(table.tenantId, tenantId), eq(table.id, id), eq(table.claim, claim));
}

/** The values that end a claim, so that any process may claim the row from `dueAt` on. */
export function released(dueAt: Date): { readonly claim: null; readonly dueAt: Date } {
  return { claim: null, dueAt };
}
