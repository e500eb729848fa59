import { setTimeout } from 'node:timers/promises';
import type { SQLWrapper } from 'drizzle-orm';
import { drizzle, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { awaitInOrder } from '../../runtime/waiting.ts';
import { closesInOrder } from '../closing.ts';
import { CompiledStatement } from '../compiled-statement.ts';
import { type Database, type Ending, type Rows, rows, type Tx } from '../database.ts';
import { contended, isRetriable, translateError } from '../errors.ts';
import { writeTablesAnew } from '../maintenance.ts';
import { beginPipelined, sendPipelined } from '../pipeline.ts';
import { nameStatement } from '../statements.ts';
import { createScopes } from '../tenant-scope.ts';
import { awaitOlderTransactions } from './older-transactions.ts';
import { openPool, runUnlimited, withClient, withMaintenanceMemory } from './postgres-pool.ts';
import { preparePostgres } from './prepare-postgres.ts';

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;
// Clients wait no longer for a call, and no statement of one takes as long. A connection that a proxy or a network has lost, saying
// so to neither side, would be held for good.
const ANSWER_WITHIN_MS = 30_000;
const PING_WITHIN_MS = 5_000;
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Settings of a Postgres connection pool. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, or with several `host:port`, of which that is used which accepts writes. */
  readonly url: string;
  /** Most connections of this process; default 10. */
  readonly poolSize?: number | undefined;
  /** Milliseconds after which a statement of a call that has no answer ends its connection, and the call; default 30,000. */
  readonly answerWithinMs?: number | undefined;
}

/** See `openPostgres`, which loads this. */
export async function startPostgres({
  url,
  poolSize: size = 10,
  answerWithinMs = ANSWER_WITHIN_MS,
}: PostgresOptions): Promise<Database> {
  const { direct, ...needs } = await preparePostgres(url);
  const scopes = createScopes(needs);
  const pool = openPool(url, { size, answerWithinMs });
  const transactions = new Transactions(pool, direct);
  const db = drizzle(pool);
  return closesInOrder({
    kind: 'postgres',
    queued: () => pool.waitingCount,
    read: (tenants, work) => transactions.run(scopes.confine(tenants), work, { begin: SNAPSHOT }),
    transaction: (tenants, work, ending) => transactions.run(scopes.confine(tenants), work, { ending }),
    batch: (tenants, statements, onFirstRows) =>
      transactions.batch(scopes.confine(tenants), statements, onFirstRows),
    system: (work) => transactions.run(scopes.system, work),
    systemBatch: (statements) => transactions.batch(scopes.system, statements),
    accounts: db,
    build: async (statement, mebibytes) => {
      if (direct) await withMaintenanceMemory(pool, transactions.toQuery(statement).text, mebibytes);
      else await runUnlimited(pool, transactions.toQuery(statement));
    },
    vacuum: async () => {
      const seenByNone = () => awaitOlderTransactions((query) => rows(db, query));
      await writeTablesAnew((text) => runUnlimited(pool, { text }), seenByNone);
      return { logEmptied: false };
    },
    ping: async () => {
      try {
        const limit = { query_timeout: Math.min(PING_WITHIN_MS, answerWithinMs) };
        await pool.query({ text: 'SELECT 1', ...limit });
      } catch (error) {
        throw translateError(error);
      }
    },
    close: () => pool.end(),
  });
}

/** Runs transactions on a pool, in as few round trips as they allow. */
class Transactions {
  readonly #pool: pg.Pool;
  readonly #dialect = new PgDialect();
  readonly #named: (config: pg.QueryConfig) => pg.QueryConfig;

  /** @param direct False behind a pooler: it may give each transaction another session, which has no prepared statements. */
  constructor(pool: pg.Pool, direct: boolean) {
    this.#pool = pool;
    this.#named = direct ? nameStatement : (config) => config;
  }

  /** Runs `work` in a transaction, and sends the statements of `ending` together with the commit. */
  run<T>(
    scope: SQLWrapper,
    work: (tx: Tx) => Promise<T>,
    { begin = 'BEGIN', ending }: { begin?: string; ending?: Ending<T> | undefined } = {},
  ): Promise<T> {
    return this.#withRetries(async (client) => {
      const { begun, query, close } = beginPipelined(client, [{ text: begin }, this.toQuery(scope)]);
      const named = (config: pg.QueryConfig, values: unknown[]) => query(this.#named({ ...config, values }));
      const session = new NodePgSession(
        { query: named } as unknown as pg.PoolClient,
        this.#dialect,
        undefined,
      );
      const working = work(new NodePgTransaction(this.#dialect, session, undefined)).finally(close);
      // Where the start failed, so did the work, for want of a transaction.
      const [, answer] = await awaitInOrder([begun, working]);
      const results = await this.#commit(client, ending?.statements(answer) ?? []);
      ending?.done?.(results);
      return answer;
    });
  }

  /** Runs statements as one transaction, in one round trip. */
  batch(
    scope: SQLWrapper,
    statements: readonly SQLWrapper[],
    onFirstRows?: (rows: Rows) => void,
  ): Promise<Rows[]> {
    return this.#withRetries(async (client) => {
      const queries = [scope, ...statements].map((statement) => this.toQuery(statement));
      const listener = onFirstRows && { at: 1, onRows: onFirstRows };
      const [, ...results] = await sendPipelined(client, queries, listener);
      return results.map(({ rows }) => rows);
    });
  }

  toQuery(statement: SQLWrapper): pg.QueryConfig {
    if (statement instanceof CompiledStatement)
      return this.#named({ text: statement.text, values: statement.values() });
    const { sql: text, params } = this.#dialect.sqlToQuery(statement.getSQL());
    return this.#named({ text, values: params });
  }

  /** Sends statements together with the commit. Returns the rows of each. */
  async #commit(client: pg.PoolClient, statements: readonly SQLWrapper[]): Promise<Rows[]> {
    const queries = [...statements.map((statement) => this.toQuery(statement)), { text: 'COMMIT' }];
    const results = await sendPipelined(client, queries);
    // The server answers a commit after a failed statement with a rollback.
    if (results.at(-1)?.command !== 'COMMIT')
      throw new Error('the transaction was rolled back, since a statement of it had failed');
    return results.slice(0, -1).map(({ rows }) => rows);
  }

  /**
   * Runs work on a client, again after a serialization failure or a deadlock. The pauses differ, so that two transactions that got
   * into each other's way do not meet again.
   */
  async #withRetries<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await withClient(this.#pool, work);
      } catch (error) {
        const translated = translateError(error);
        if (!isRetriable(translated)) throw translated;
        if (attempt >= MAX_ATTEMPTS) throw contended(translated);
        await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }
}
