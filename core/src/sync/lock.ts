import { sql } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';

/** Makes transactions of one tenant that take the same name come one after the other; freed when this one ends. */
export async function lockName(tx: Tx, tenantId: string, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${name}`}, 0))`);
}
