import type { SQLWrapper } from 'drizzle-orm';
import type { Rows } from '../../kernel/database/database.ts';
import type { MemoryRow } from '../records/schema.ts';
import type { IndexEntry } from '../search-index/index-memories.ts';
import type { NewFact, StoredFact } from './find-related.ts';

/** A new memory with what it is found by. */
export interface IndexedRow {
  readonly row: MemoryRow;
  readonly analysis: IndexEntry;
}

/** The memories of a tenant in this process. They may lack the last changes of other processes. */
export interface HeldMemories {
  /**
   * Answers what `findRelated` does, without asking the database.
   *
   * @returns undefined where only the database knows what supersedes one of them: links lead on from what is archived, too.
   */
  findRelated(facts: readonly NewFact[], now: Date): StoredFact[][] | undefined;
  /** False once it turned out that they are outdated. */
  readonly isCurrent: boolean;
  /** Begins a transaction that stores new memories only if nobody else has changed any. */
  guard(): Guard;
}

/** Makes a transaction fail where the memories held are outdated. */
export interface Guard {
  /** The first statement of the transaction. It fails where memories of the tenant were changed since these were read. */
  readonly statement: SQLWrapper;
  /**
   * Adds the memories that the transaction stored to those held. To be called once it is committed.
   *
   * @param answer What the statement answered.
   * @param model The model of the vectors.
   */
  committed(answer: Rows | undefined, stored: readonly IndexedRow[], model: string): void;
  /** Notes that the statement failed. */
  failed(): void;
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly heldMemories: {
      /** Undefined for a tenant whose memories this process does not hold. */
      of(tenantId: string): Promise<HeldMemories | undefined>;
      /** Counts new facts that were compared in the database. The memories of a tenant that stores many are soon held. */
      noteCompared(tenantId: string, facts: number): void;
      /** Like `guard`, for memories that were not compared with those held: its statement never fails. Undefined as for `of`. */
      watch(tenantId: string): Guard | undefined;
      /**
       * Notes that this process changes memories of a tenant in another way: they are read before they are used again.
       *
       * @param transaction Its id; undefined where that is unknown.
       */
      outdate(tenantId: string, transaction: string | undefined): void;
    };
  }
}
