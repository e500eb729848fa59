import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Database, Ending, Rows, Tx } from './database.ts';
import { isRetriable, translate } from './errors.ts';
import { FixedStatement } from './fixed.ts';
import { enforceRowLevelSecurity, MIGRATIONS, refuseNewerDatabase } from './migrate.ts';
import { sendTogether } from './pipeline.ts';
import { prepared } from './prepared.ts';
import { createScopes, type Scope } from './scope.ts';
import { trackChanges } from './track-changes.ts';

// Any fixed number: every process of the service that starts on this database queues up behind it.
const MIGRATION_LOCK = 7_224_365_118;
const LOCK_POLL_MS = 100;
const ATTEMPTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Settings of a Postgres connection pool. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Most connections of this process; default 10. */
  readonly poolSize?: number;
}

/** Opens a Postgres 15+ database with pgvector and brings it up to date, one starting process at a time. */
export async function openPostgres({ url, poolSize = 10 }: PostgresOptions): Promise<Database> {
  const { role, direct } = await prepare(url);
  const scopes = createScopes(role);
  const pool = openPool(url, poolSize);
  // A pooler may give each transaction another session, which knows nothing of statements prepared before.
  const named = direct ? prepared : <Config>(config: Config) => config;
  const db = drizzle(pool);
  const dialect = new PgDialect();

  const retried = async <T>(attemptOnce: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce();
      } catch (error) {
        const translated = translate(error);
        if (attempt >= ATTEMPTS || !isRetriable(translated)) throw translated;
      }
    }
  };
  /** Sends a transaction's start without waiting for the answer: the first statement follows in the same packet. */
  const begin = (client: pg.PoolClient, scope: Scope, how = 'BEGIN') => {
    inOneWrite(client);
    const begun = client.query(`${how}; ${scope.text}`);
    begun.catch(() => {});
    return begun;
  };
  const compiled = (statement: SQLWrapper): pg.QueryConfig => {
    if (statement instanceof FixedStatement)
      return named({ text: statement.text, values: statement.values() });
    const { sql: text, params } = dialect.sqlToQuery(statement.getSQL());
    return named({ text, values: params });
  };
  /** Sends statements with the commit behind them; answers the rows of each once they are committed. */
  const conclude = async (client: pg.PoolClient, statements: readonly SQLWrapper[]) => {
    const sent = [...statements.map(compiled), { text: 'COMMIT' }];
    const answered = await sendTogether(client, sent, AS_TEXT);
    // A commit after a failed statement is answered too: with a rollback.
    if (answered.at(-1)?.command !== 'COMMIT')
      throw new Error('the transaction was rolled back, since a statement of it had failed');
    return answered.slice(0, -1).map(({ rows }) => rows);
  };
  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      const answer = await work(client);
      client.release();
      return answer;
    } catch (error) {
      // A connection that cannot even roll back is of no use to the next caller.
      const failure = await client.query('ROLLBACK').then(
        () => undefined,
        (reason: Error) => reason,
      );
      client.release(failure);
      throw error;
    }
  };
  const inScope = <T>(
    scope: Scope,
    work: (tx: Tx) => Promise<T>,
    { how, ending }: { how?: string; ending?: Ending<T> | undefined } = {},
  ): Promise<T> =>
    retried(() =>
      withClient(async (client) => {
        const begun = begin(client, scope, how);
        const session = new NodePgSession(preparing(client, named), dialect, undefined);
        const answer = await work(new NodePgTransaction(dialect, session, undefined));
        await begun;
        const results = await conclude(client, ending?.statements(answer) ?? []);
        ending?.done?.(results);
        return answer;
      }),
    );
  const batch = (scope: Scope, statements: readonly SQLWrapper[], early?: (rows: Rows) => void) =>
    retried(() =>
      withClient(async (client) => {
        const sent = [scope.statement, ...statements].map(compiled);
        const [, ...answered] = await sendTogether(client, sent, AS_TEXT, early && { at: 1, tell: early });
        return answered.map(({ rows }) => rows);
      }),
    );

  return {
    kind: 'postgres',
    read: (tenantId, work) => inScope(scopes.tenant(tenantId), work, { how: SNAPSHOT }),
    transaction: (tenantId, work, ending) => inScope(scopes.tenant(tenantId), work, { ending }),
    batch: (tenantId, statements, early) => batch(scopes.tenant(tenantId), statements, early),
    system: (work) => inScope(scopes.system, work),
    systemBatch: (statements) => batch(scopes.system, statements),
    accounts: db,
    build: async (statement, mebibytes) => {
      if (direct) await roomily(pool, dialect.sqlToQuery(statement.getSQL()).sql, mebibytes);
      else await db.execute(statement);
    },
    ping: async () => {
      try {
        await db.execute(sql`SELECT 1`);
      } catch (error) {
        throw translate(error);
      }
    },
    close: () => pool.end(),
  };
}

/**
 * Runs a statement with that much memory to build in. Not by several processes at once: they would share it, and a
 * container lets them share little.
 */
async function roomily(pool: pg.Pool, statement: string, mebibytes: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `SELECT set_config('maintenance_work_mem',
         greatest(pg_size_bytes(current_setting('maintenance_work_mem')) / 1024, $1::bigint * 1024) || 'kB', false),
       set_config('max_parallel_maintenance_workers', '0', false)`,
      [mebibytes],
    );
    await client.query(statement);
  } finally {
    // With the connection go its settings.
    client.release(true);
  }
}

/** What is sent from now until the current turn of the event loop ends goes to the system at once: each write costs. */
function inOneWrite(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Times as text, as drizzle asks for them and PGlite gives them. */
const AS_TEXT = {
  getTypeParser: (type: number, format: 'text' | 'binary' = 'text') =>
    TIMES.has(type) ? (value: string) => value : pg.types.getTypeParser(type, format),
};
const TIMES = new Set<number>([
  pg.types.builtins.TIMESTAMPTZ,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.DATE,
]);

/** The connection as drizzle sees it, which asks it for nothing but queries. */
function preparing(client: pg.PoolClient, named: (config: pg.QueryConfig) => pg.QueryConfig): pg.PoolClient {
  const query = (config: pg.QueryConfig, values: unknown[]) => client.query(named({ ...config, values }));
  return { query } as unknown as pg.PoolClient;
}

/** Migrates on connections of its own. */
async function prepare(url: string): Promise<{ role: string | undefined; direct: boolean }> {
  const pool = openPool(url, 2);
  try {
    return await alone(pool, async () => {
      const db = drizzle(pool);
      await refuseNewerDatabase(db);
      await db.execute(sql`CREATE EXTENSION IF NOT EXISTS vector`);
      await migrate(db, { migrationsFolder: MIGRATIONS });
      await trackChanges(db);
      return { role: await enforceRowLevelSecurity(db), direct: await isDirect(pool) };
    });
  } catch (error) {
    throw translate(error);
  } finally {
    await pool.end();
  }
}

/** Whether nothing stands between us and the server: a pooler tells its clients process ids of its own making. */
async function isDirect(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return 'processID' in client && rows[0]?.pid === client.processID;
  } finally {
    client.release();
  }
}

/**
 * Runs work while no other process does the same. The lock belongs to an open transaction, not to a session: behind a
 * pooler that shares sessions, such as PgBouncer, a session's lock would stay with whoever comes next. Who waits holds
 * no connection, since the one with the lock needs a second.
 */
async function alone<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    for (;;) {
      await client.query('BEGIN');
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1::bigint) AS locked', [
        MIGRATION_LOCK,
      ]);
      if (rows[0]?.locked) return await work();
      await client.query('ROLLBACK');
      await setTimeout(LOCK_POLL_MS);
    }
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    client.release();
  }
}

function openPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Statements are sent before those ahead of them are answered; the server still runs them in order.
    pipeline: true,
  } as pg.PoolConfig);
  // The query in progress is rejected anyway, and an idle connection is replaced when it is needed; without a listener
  // either loss would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
