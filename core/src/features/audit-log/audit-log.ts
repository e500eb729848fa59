import { isNull } from 'drizzle-orm';
import type { AuditedAct } from '../../kernel/audit/act.ts';
import { auditStatement, operatorEntry, toUnchained } from '../../kernel/audit/append.ts';
import type { UnchainedEntry } from '../../kernel/audit/canonical-form.ts';
import type { Services } from '../../kernel/context/context.ts';
import type { Restore } from '../../kernel/database/backup/restore-backup.ts';
import type { Database } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import type { AuditEntry, AuditVerdict, ChainOf, Checkpoint } from './contract.ts';
import { readPage, toAuditEntry } from './read-entries.ts';
import { verifyChain } from './verify.ts';

/** The audit logs of all tenants, for the operator. */
export interface AuditLog {
  /**
   * Checks a chain; stops at the first entry that is not as it was written.
   *
   * @param kept Checkpoints that were kept elsewhere: the chain must still have them.
   */
  verify(of: ChainOf, kept?: readonly Checkpoint[]): Promise<AuditVerdict>;
  /** The next entries after one, oldest first, at most 500; none at the end. */
  read(of: ChainOf, after: Checkpoint): Promise<AuditEntry[]>;
  /** Writes into the logs of all tenants what concerns all of them. */
  addToAll(act: AuditedAct): Promise<void>;
}

/** @internal */
export function createAuditLog({ database, auditActs, clock }: Services): AuditLog {
  return {
    verify: (of, kept) => verifyChain({ database }, of, kept),
    read: async (of, after) => {
      let { hash } = after;
      return (await readPage(database, of, after.sequence)).map((row) => {
        const entry = toAuditEntry(row, hash);
        hash = row.hash;
        return entry;
      });
    },
    addToAll: (act) => appendToAll(database, toUnchained(auditActs, act, clock())),
  };
}

/** Writes into the log of every tenant that a backup was restored: what was committed after it was made is gone. */
export function recordRestore(database: Database, { made, at }: Restore): Promise<void> {
  return appendToAll(database, operatorEntry('backup.restored', { backup_made: made }, at));
}

/** Writes an entry into the log of every agent. */
function appendToAll(database: Database, entry: UnchainedEntry): Promise<void> {
  return database.system(async (tx) => {
    // What is done for a user stands in the log of its agent.
    const all = await tx.select({ id: tenants.tenantId }).from(tenants).where(isNull(tenants.agentId));
    const tenantIds = all.map(({ id }) => id);
    await tx.execute(auditStatement(tenantIds, entry));
  });
}
