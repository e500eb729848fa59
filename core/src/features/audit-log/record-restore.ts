import { isNull } from 'drizzle-orm';
import { auditStatement, operatorEntry } from '../../kernel/audit/append.ts';
import type { UnchainedEntry } from '../../kernel/audit/canonical-form.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Restore } from '../../kernel/database/restore-backup.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';

/** Writes into the log of every tenant that a backup was restored: what was committed after it was made is gone. */
export function recordRestore(database: Database, { made, at }: Restore): Promise<void> {
  return appendToAll(database, operatorEntry('backup.restored', { backup_made: made }, at));
}

/** Writes an entry into the log of every agent. */
export function appendToAll(database: Database, entry: UnchainedEntry): Promise<void> {
  return database.system(async (tx) => {
    // What is done for a user stands in the log of its agent.
    const all = await tx.select({ id: tenants.tenantId }).from(tenants).where(isNull(tenants.agentId));
    const tenantIds = all.map(({ id }) => id);
    await tx.execute(auditStatement(tenantIds, entry));
  });
}
