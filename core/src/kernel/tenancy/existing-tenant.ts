import { eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import { tenants } from './schema.ts';

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
