import {
  type Commit,
  commitStatement,
  eventsOfEach,
  mergeCommits,
} from '../../kernel/commit/commit-statement.ts';
import { type KeptAnswer, keepNewAnswers } from '../../kernel/commit/idempotency.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createBatcher } from '../../kernel/runtime/batcher.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { MemoryRow } from '../records/schema.ts';
import { type IndexEntry, indexStatements } from '../search-index/index-memories.ts';
import { insertStatement } from './insert.ts';

/** A new memory that can clash with nothing stored: it has no key. */
interface IndexedRow {
  readonly row: MemoryRow;
  readonly analysis: IndexEntry;
}

/** What one call adds. */
interface Insert {
  readonly commit: Commit;
  readonly added: IndexedRow;
  /** What a replay with its `Idempotency-Key` is to answer. */
  readonly kept: KeptAnswer | undefined;
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly insertBatcher: InsertBatcher;
  }
}

/** Stores new memories. */
export interface InsertBatcher {
  /**
   * Commits one in one round trip, together with others of its tenant.
   *
   * @returns the events, those of the thresholds that were crossed included; undefined where nothing was done because one of
   *   those that were committed together was refused: its key was used before, or the plan allows no more.
   * @throws SvcError `UNAVAILABLE`.
   */
  insert(insert: Insert): Promise<readonly Event[] | undefined>;
}

/**
 * Inserts that come while others are being committed are committed together by the next transaction: each of them then
 * costs a part of a statement and of a wait for the disk.
 */
export function createInsertBatcher(database: Database, embedder: Embedder): InsertBatcher {
  const commitAll = async (inserts: readonly Insert[]): Promise<(readonly Event[] | undefined)[]> => {
    const [first, ...others] = inserts.map(({ commit }) => commit);
    if (!first) return [];
    const merged = mergeCommits(first, others);
    const { tenantId, now } = merged;
    const added = inserts.map((one) => one.added);
    const items = added.map(({ row, analysis }) => ({ id: row.id, analysis }));
    const statements = [
      keepNewAnswers(
        tenantId,
        now,
        inserts.flatMap(({ kept }) => kept ?? []),
      ),
      insertStatement(added.map(({ row }) => row)),
      ...indexStatements({ tenantId, embedder, now }, items),
      commitStatement(merged),
    ].filter((statement) => statement !== undefined);
    try {
      const answers = await database.batch(tenantId, statements);
      return eventsOfEach(first, others, answers.at(-1));
    } catch (error) {
      // Only a lost connection leaves open whether they were committed.
      if (error instanceof SvcError && error.code === 'UNAVAILABLE') throw error;
      return inserts.map(() => undefined);
    }
  };
  const insertTogether = createBatcher<Insert, readonly Event[] | undefined>((_key, inserts) =>
    commitAll(inserts),
  );
  return {
    insert: (insert) => {
      const { tenantId, unverified } = insert.commit;
      // A commit verifies one API key only.
      return insertTogether(`${tenantId} ${unverified}`, insert);
    },
  };
}
