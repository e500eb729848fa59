import { type SQLWrapper, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { quotedListText } from '../database/arrays.ts';
import type { Database } from '../database/database.ts';
import { fixed } from '../database/fixed.ts';
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
  const commit = async (additions: readonly Addition[]): Promise<Happened[]> => {
    const [first, ...others] = additions.map((one) => one.settlement);
    if (!first) return [];
    const settlement = settlementOfAll(first, others);
    const { tenantId, now } = settlement;
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
  const add = inTurns<Addition, Happened>((_key, additions) => commit(additions));
  return {
    add: (addition) => {
      const { tenantId, unproven } = addition.settlement;
      // The key of one proves nothing for another's.
      return add(`${tenantId} ${unproven}`, addition);
    },
  };
}

type Happened = readonly Event[] | undefined;

/** Keeps the answers to keys not used before; a used one breaks the table's primary key. In order, as locks must be taken. */
function keepStatements(tenantId: string, now: Date, additions: readonly Addition[]): SQLWrapper[] {
  const kept = additions.flatMap((one) => one.kept ?? []).sort((a, b) => (a.key < b.key ? -1 : 1));
  if (kept.length === 0) return [];
  return [
    keepAnswers({
      tenantId,
      now: now.toISOString(),
      keys: quotedListText(kept.map(({ key }) => key)),
      hashes: quotedListText(kept.map(({ requestHash }) => requestHash)),
      responses: quotedListText(kept.map(({ response }) => JSON.stringify(response))),
    }),
  ];
}

const keepAnswers = fixed<Record<'tenantId' | 'now' | 'keys' | 'hashes' | 'responses', string>>(
  (slot) => sql`INSERT INTO ${idempotencyKeys} (tenant_id, key, request_hash, response, created_at)
    SELECT ${slot('tenantId')}::uuid, key, hash, response::json, ${slot('now')}::timestamptz
    FROM unnest(${slot('keys')}::text[], ${slot('hashes')}::text[], ${slot('responses')}::text[])
      AS kept(key, hash, response)`,
);
