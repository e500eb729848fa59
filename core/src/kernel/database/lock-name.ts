import { sql } from 'drizzle-orm';
import type { Tx } from './database.ts';

/** Takes an advisory lock on a name of this tenant, until the transaction ends. */
export async function lockName(tx: Tx, tenantId: string, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${name}`}, 0))`);
}
