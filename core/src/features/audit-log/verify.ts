import { sql } from 'drizzle-orm';
import { hashEntry } from '../../kernel/audit/canonical-form.ts';
import { auditEntries, auditHeads, NO_HASH } from '../../kernel/audit/schema.ts';
import type { Operation, Services } from '../../kernel/context/context.ts';
import { type Database, rows } from '../../kernel/database/database.ts';
import type { AuditVerdict, auditLogRoutes, ChainOf, Checkpoint } from './contract.ts';
import { requireChain } from './list.ts';
import { PAGE, readStored, type StoredEntry } from './read-entries.ts';

type Break = NonNullable<AuditVerdict['broken']>;

/** Checks a chain of the caller's tenant. */
export const verifyAuditLog: Operation<typeof auditLogRoutes.verifyAuditLog> = (context, input) => {
  const { chain, from_sequence: sequence, from_hash: hash } = input;
  requireChain(context, chain);
  const kept = sequence === undefined || hash === undefined ? [] : [{ sequence, hash }];
  return verifyChain(context, { tenantId: context.agentId, chain }, kept, context.options.signal);
};

/**
 * Reads a chain from its first entry, a page at a time, and stops at the first entry that is not as it was written.
 *
 * @param kept Checkpoints that were kept elsewhere: the chain must still have them.
 */
export async function verifyChain(
  { database }: Pick<Services, 'database'>,
  of: ChainOf,
  kept: readonly Checkpoint[] = [],
  signal?: AbortSignal,
): Promise<AuditVerdict> {
  const checked = new CheckedChain(kept);
  for (let after: number | undefined; ; after = checked.last.sequence) {
    signal?.throwIfAborted();
    const page = await readStored(database, of, after);
    const broken = checked.add(page);
    if (broken) return checked.verdict(broken);
    if (page.length === PAGE) continue;
    const end = await readEnd(database, of);
    // Entries that came meanwhile.
    if (end.newest > checked.last.sequence) continue;
    return checked.verdict(checked.compareEnd(end));
  }
}

/** The head of a chain, and the sequence of its newest entry at the same moment. */
interface End {
  readonly head: Checkpoint | undefined;
  readonly newest: number;
}

async function readEnd(database: Database, { tenantId, chain }: ChainOf): Promise<End> {
  const [end] = await database.read(tenantId, (tx) =>
    rows<{ sequence: string | null; hash: string | null; newest: string }>(
      tx,
      sql`SELECT head.sequence::text, head.hash, newest::text
          FROM (SELECT coalesce(max(sequence), 0) AS newest FROM ${auditEntries}
                WHERE tenant_id = ${tenantId}::uuid AND chain = ${chain}) AS entry
          LEFT JOIN ${auditHeads} head ON head.tenant_id = ${tenantId}::uuid AND head.chain = ${chain}`,
    ),
  );
  if (!end) throw new TypeError('an aggregate answers one row');
  const { sequence, hash, newest } = end;
  const head = sequence === null || hash === null ? undefined : { sequence: Number(sequence), hash };
  return { head, newest: Number(newest) };
}

class CheckedChain {
  last: Checkpoint = { sequence: 0, hash: NO_HASH };
  /** All hashes that checkpoints give one entry: where they differ, the log was rewritten between them. */
  readonly #kept = new Map<number, string[]>();
  readonly #end: number;

  constructor(kept: readonly Checkpoint[]) {
    for (const { sequence, hash } of kept) {
      this.#kept.set(sequence, [...(this.#kept.get(sequence) ?? []), hash]);
    }
    this.#end = kept.reduce((end, { sequence }) => Math.max(end, sequence), 0);
  }

  /** Checks the next entries; answers what is wrong with the first that is not as it was written. */
  add(entries: readonly StoredEntry[]): Break | undefined {
    for (const entry of entries) {
      const { sequence, hash } = entry;
      const next = this.last.sequence + 1;
      if (sequence < 1) {
        return broken(next, 'changed', `An entry was added before the first, with the number ${sequence}`);
      }
      if (sequence !== next) {
        return broken(
          next,
          'missing',
          `Entry ${next} is missing; the next there is has the number ${sequence}`,
        );
      }
      if (!entry.isWellFormed || hashEntry(entry, this.last.hash) !== hash) {
        const before = next === 1 ? '' : `, or entry ${next - 1} before it`;
        return broken(next, 'changed', `Entry ${next}${before} was changed: the hashes do not fit`);
      }
      if (this.#kept.get(sequence)?.some((one) => one !== hash)) {
        return broken(
          next,
          'rewritten',
          `Entry ${next} is not the one of the checkpoint: the log was rewritten`,
        );
      }
      this.last = { sequence, hash };
    }
    return undefined;
  }

  /** Compares the end of the chain with its head and with the newest checkpoint. */
  compareEnd({ head }: End): Break | undefined {
    const { sequence, hash } = this.last;
    const next = sequence + 1;
    if (!head) return broken(next, 'headless', 'The head of the log is missing');
    if (head.sequence > sequence) {
      return broken(next, 'truncated', `The entries from ${next} to ${head.sequence} are missing at the end`);
    }
    if (head.sequence !== sequence || head.hash !== hash) {
      return broken(sequence, 'headless', `The head of the log does not fit its last entry, ${sequence}`);
    }
    if (this.#end > sequence) {
      return broken(next, 'truncated', `The log ends before the checkpoint at entry ${this.#end}`);
    }
    return undefined;
  }

  verdict(found: Break | undefined): AuditVerdict {
    const { last } = this;
    return { intact: !found, entries: last.sequence, checkpoint: last, broken: found ?? null };
  }
}

function broken(sequence: number, reason: Break['reason'], message: string): Break {
  return { sequence, reason, message };
}
