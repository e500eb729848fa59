import {
  type Commit,
  commitStatement,
  eventsOfEach,
  mergeCommits,
  tenantsOf,
} from '../../kernel/commit/commit-statement.ts';
import { type KeptAnswer, keepNewAnswers } from '../../kernel/commit/idempotency.ts';
import type { Services } from '../../kernel/context/context.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { createBatcher } from '../../kernel/runtime/batcher.ts';
import { quietTurn } from '../../kernel/runtime/event-loop.ts';
import { indexStatements } from '../search-index/index-memories.ts';
import type { HeldMemories, IndexedRow } from '../supersession/held-memories.ts';
import { insertStatement } from './insert.ts';

/** Milliseconds that further calls may take to come in before the next transaction begins. */
const GATHER_MS = 15;

/** What one call adds. */
interface Insert {
  readonly commit: Commit;
  /** A new memory that can clash with nothing stored: it has no key. */
  readonly added: IndexedRow;
  /** What a replay with its `Idempotency-Key` is to answer. */
  readonly kept: KeptAnswer | undefined;
  /** What it was compared with, unless that was what is stored. */
  readonly held: HeldMemories | undefined;
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly insertBatcher: InsertBatcher;
  }
}

/** Stores new memories. */
interface InsertBatcher {
  /**
   * Commits one in one round trip, together with others of its tenant.
   *
   * @returns the events, those of the thresholds that were crossed included; undefined where nothing was done because one of
   *   those that were committed together was refused: its key was used before, the plan allows no more, or what it was compared
   *   with is outdated.
   * @throws SvcError `UNAVAILABLE`.
   */
  insert(insert: Insert): Promise<readonly Event[] | undefined>;
}

/**
 * Inserts that come while others are being committed are committed together by the next transaction: each of them then costs a part
 * of a statement and of a wait for the disk. The embedded database works in this thread and keeps out calls that arrive meanwhile,
 * so these come in before the next transaction begins.
 */
export function createInsertBatcher({
  database,
  embedder,
  heldMemories,
}: Pick<Services, 'database' | 'embedder' | 'heldMemories'>): InsertBatcher {
  const commitAll = async (inserts: readonly Insert[]): Promise<(readonly Event[] | undefined)[]> => {
    const [first, ...others] = inserts.map(({ commit }) => commit);
    if (!first) return [];
    const merged = mergeCommits(first, others);
    const { tenantId, now } = merged;
    const added = inserts.map((one) => one.added);
    const items = added.map(({ row, analysis }) => ({ id: row.id, type: row.type, analysis }));
    const guard = inserts.find(({ held }) => held)?.held?.guard() ?? heldMemories.watch(tenantId);
    const statements = [
      guard?.statement,
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
      const answers = await database.batch(tenantsOf(merged), statements);
      guard?.committed(answers[0], added, embedder.model);
      return eventsOfEach(first, others, answers.at(-1));
    } catch (error) {
      // Only a lost connection leaves open whether they were committed.
      if (error instanceof SvcError && error.code === 'UNAVAILABLE') throw error;
      guard?.failed();
      return inserts.map(() => undefined);
    }
  };
  const commitCurrent = async (inserts: readonly Insert[]): Promise<(readonly Event[] | undefined)[]> => {
    const current = inserts.filter(({ held }) => held?.isCurrent ?? true);
    const answers = await commitAll(current);
    return inserts.map((one) => answers[current.indexOf(one)]);
  };
  const insertTogether = createBatcher<Insert, readonly Event[] | undefined>(
    (_key, inserts) => commitCurrent(inserts),
    () => quietTurn(GATHER_MS),
  );
  return {
    insert: (insert) => {
      const { tenantId, agentId, unverified, needs, rightWrittenIn } = insert.commit;
      // A commit verifies one API key and one right only, and counts for one agent.
      return insertTogether(`${tenantId} ${agentId} ${unverified} ${needs} ${rightWrittenIn}`, insert);
    },
  };
}
