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

/** All memories of a tenant as this process holds them: perhaps without what other processes changed last. */
export interface HeldMemories {
  /** Answers what `findRelated` does, without asking the database. */
  findRelated(facts: readonly NewFact[], now: Date): StoredFact[][];
  /** False once it turned out that others had changed something meanwhile. */
  readonly isCurrent: boolean;
  /** Begins a transaction that stores new memories only if nobody else has changed any. */
  guard(): Guard;
}

/** Sees to it that a transaction changes nothing where the memories held are outdated. */
export interface Guard {
  /** The first statement of the transaction. It fails where somebody else has changed memories of the tenant. */
  readonly statement: SQLWrapper;
  /**
   * Holds what the transaction stored, once it is committed.
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
      /** Notes that new facts of a tenant were compared in the database: one that stores many is held before long. */
      noteCompared(tenantId: string, facts: number): void;
      /** Adds to what is held what a transaction stores, without a guard; undefined likewise. */
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
