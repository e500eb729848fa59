import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { GuardianEntry, Stored } from '../records/contract.ts';
import type { MemoryFields } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly changePolicy: ChangePolicy;
  }
}

/** Whose writings, since when. */
export interface Writings {
  readonly source: Source;
  readonly since: Date;
  readonly credentialId?: string;
  /** Only what this agent wrote to the space. */
  readonly agentId?: string;
}

/** A change somebody wants to make to a stored memory. */
export interface ProposedChange {
  /** The memory as it would become; null: archived. */
  readonly fields: MemoryFields | null;
  /** Who asks; default: the caller. */
  readonly source?: Source;
}

/**
 * Decides which changes happen at once, which wait for somebody's decision, and which are refused. Every method works
 * within the caller's transaction, and every memory it gets is locked by that transaction.
 */
export interface ChangePolicy {
  /**
   * Every change that somebody asks for comes here first, by whatever way: an update, the archive, a return from there.
   *
   * @returns undefined where the change may be made now; the entry it waits as, where it must not.
   * @throws SvcError `GUARDIAN_PROTECTED` when a change to the memory is pending; `FORBIDDEN` when it is never made.
   */
  submit(
    tx: Tx,
    context: Context,
    row: MemoryRow,
    proposed: ProposedChange,
  ): Promise<GuardianEntry | undefined>;
  /** Throws SvcError `GUARDIAN_PROTECTED` when a change to the memory is pending. */
  refuseWhilePending(tx: Tx, context: Context, row: MemoryRow): Promise<void>;
  /**
   * Throws SvcError `FORBIDDEN` when nobody has decided on a change that must be decided: it was not submitted.
   *
   * @param fields The memory as it would become; null: archived.
   */
  assertApproved(tx: Tx, context: Context, row: MemoryRow, fields: MemoryFields | null): Promise<void>;
  /**
   * New memories come here before they are stored.
   *
   * @returns the answers about those that are held back, by the id of the row. All others may be stored now.
   * @throws SvcError `CONFLICT` when too many wait already.
   */
  submitAdditions(
    tx: Tx,
    context: Context,
    rows: readonly MemoryRow[],
    source: Source,
  ): Promise<ReadonlyMap<string, Stored>>;
  /** Is told of the new memories that were stored. */
  recordAdditions(tx: Tx, context: Context, rows: readonly MemoryRow[], source: Source): Promise<void>;
  /**
   * A change that an undo would make comes here instead of `submit`.
   *
   * @param options.dryRun What would be undone: nothing is changed, and the pending changes among it count as ended.
   * @returns `apply` where it may be made now, `queued` where it waits, `pending` where another change waits already.
   */
  submitUndo(
    tx: Tx,
    context: Context,
    row: MemoryRow,
    fields: MemoryFields | null,
    options?: { readonly dryRun?: Writings },
  ): Promise<'apply' | 'queued' | 'pending'>;
  /** Is told of memories that an undo has changed, as they are now. */
  recordUndone(tx: Tx, context: Context, rows: readonly MemoryRow[]): Promise<void>;
  /** Ends every pending change that a source has asked for since a time; on a dry run it ends none. Returns how many. */
  cancelPending(
    tx: Tx,
    context: Context,
    asked: Writings,
    options?: { readonly dryRun?: boolean },
  ): Promise<number>;
}

/** The outcome of a change that was held back: it waits, or the human has rejected the same before, so nothing is changed. */
export function heldAs({ status }: Pick<GuardianEntry, 'status'>): 'queued' | 'unchanged' {
  return status === 'rejected' ? 'unchanged' : 'queued';
}
