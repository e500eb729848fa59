import type { AuditedAct } from '../../kernel/audit/act.ts';
import { toUnchained } from '../../kernel/audit/append.ts';
import type { Services } from '../../kernel/context/context.ts';
import type { AuditEntry, AuditVerdict, ChainOf, Checkpoint } from './contract.ts';
import { readPage, toAuditEntry } from './read-entries.ts';
import { appendToAll } from './record-restore.ts';
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
