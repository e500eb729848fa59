import { type SQL, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { texts } from '../database/arrays.ts';
import type { Database } from '../database/database.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { insertStatement } from '../memory/insert.ts';
import type { MemoryRow } from '../memory/schema.ts';
import { type Analysis, indexStatements } from '../recall/index-memories.ts';
import { inTurns } from './in-turns.ts';
import type { Event } from './plugins.ts';
import { idempotencyKeys } from './schema.ts';
import { happenedInEach, type Settlement, settle, settlementOfAll } from './settle.ts';

/** A new memory that can clash with nothing stored: it has no key. */
export interface NewRow {
  readonly row: MemoryRow;
  readonly analysis: Analysis;
}

/** What one call adds. */
interface Addition {
  readonly settlement: Settlement;
  readonly added: NewRow;
  /** Its `Idempotency-Key`, and what a replay is to answer. */
  readonly kept?: { readonly key: string; readonly requestHash: string; readonly response: unknown };
}

/** Stores new memories. */
export interface Additions {
  /**
   * Commits one, in one round trip and together with others of its tenant.
   *
   * @returns what happened, the thresholds it crossed included; undefined where nothing was done because one of those that
   *   went together was refused: its key was used before, or the plan does not allow more.
   * @throws SvcError `UNAVAILABLE`.
   */
  add(addition: Addition): Promise<readonly Event[] | undefined>;
}

/**
 * Calls that come while those before them are being committed are committed together by the next transaction: for each of
 * them that costs a part of a statement and of a wait for the disk.
 */
export function createAdditions(database: Database, embedder: Embedder): Additions {
  const commit = async (tenantId: string, additions: readonly Addition[]): Promise<Happened[]> => {
    const [first, ...others] = additions.map((one) => one.settlement);
    if (!first) return [];
    const settlement = settlementOfAll(first, others);
    const { now } = settlement;
    const added = additions.map((one) => one.added);
    const items = added.map(({ row, analysis }) => ({ id: row.id, analysis }));
    const ending = settle(settlement);
    try {
      const answers = await database.batch(tenantId, [
        ...keepStatements(tenantId, now, additions),
        insertStatement(added.map(({ row }) => row)),
        ...indexStatements({ tenantId, embedder, now }, items),
        ...(ending ? [ending] : []),
      ]);
      return happenedInEach(first, others, answers.at(-1));
    } catch (error) {
      // Only a lost connection leaves open whether they were committed.
      if (error instanceof SvcError && error.code === 'UNAVAILABLE') throw error;
      return additions.map(() => undefined);
    }
  };
  const add = inTurns(commit);
  return { add: (addition) => add(addition.settlement.tenantId, addition) };
}

type Happened = readonly Event[] | undefined;

/** Keeps the answers to keys not used before; a used one breaks the table's primary key. In order, as locks must be taken. */
function keepStatements(tenantId: string, now: Date, additions: readonly Addition[]): SQL[] {
  const kept = additions.flatMap((one) => one.kept ?? []).sort((a, b) => (a.key < b.key ? -1 : 1));
  if (kept.length === 0) return [];
  return [
    sql`INSERT INTO ${idempotencyKeys} (tenant_id, key, request_hash, response, created_at)
        SELECT ${tenantId}::uuid, key, hash, response::json, ${now.toISOString()}::timestamptz
        FROM unnest(${texts(kept.map(({ key }) => key))}, ${texts(kept.map(({ requestHash }) => requestHash))},
                    ${texts(kept.map(({ response }) => JSON.stringify(response)))}) AS kept(key, hash, response)`,
  ];
}
