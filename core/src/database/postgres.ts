import { setTimeout } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Database, Tx } from './database.ts';
import { isRetriable, translate } from './errors.ts';
import { enforceRowLevelSecurity, MIGRATIONS, refuseNewerDatabase } from './migrate.ts';
import { systemScope, tenantScope } from './scope.ts';

// Any fixed number: every process of the service that starts on this database queues up behind it.
const MIGRATION_LOCK = 7_224_365_118;
const LOCK_POLL_MS = 100;
const ATTEMPTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;

/** Settings of a Postgres connection pool. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Most connections of this process; default 10. */
  readonly poolSize?: number;
}

/** Opens a Postgres 15+ database with pgvector and brings it up to date, one starting process at a time. */
export async function openPostgres({ url, poolSize = 10 }: PostgresOptions): Promise<Database> {
  const role = await prepare(url);
  const pool = openPool(url, poolSize);
  const db = drizzle(pool);

  const inScope = async <T>(scope: SQL, work: (tx: Tx) => Promise<T>, readOnly: boolean): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.transaction(
          async (tx) => {
            await tx.execute(scope);
            return work(tx);
          },
          readOnly ? { accessMode: 'read only', isolationLevel: 'repeatable read' } : undefined,
        );
      } catch (error) {
        const translated = translate(error);
        if (attempt >= ATTEMPTS || !isRetriable(translated)) throw translated;
      }
    }
  };
  return {
    kind: 'postgres',
    read: (tenantId, work) => inScope(tenantScope(tenantId, role), work, true),
    transaction: (tenantId, work) => inScope(tenantScope(tenantId, role), work, false),
    system: (work) => inScope(systemScope(role), work, false),
    accounts: db,
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

/** Migrates on connections of its own. */
async function prepare(url: string): Promise<string | undefined> {
  const pool = openPool(url, 2);
  try {
    return await alone(pool, async () => {
      const db = drizzle(pool);
      await refuseNewerDatabase(db);
      await db.execute(sql`CREATE EXTENSION IF NOT EXISTS vector`);
      await migrate(db, { migrationsFolder: MIGRATIONS });
      return await enforceRowLevelSecurity(db);
    });
  } catch (error) {
    throw translate(error);
  } finally {
    await pool.end();
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
  });
  // The query in progress is rejected anyway, and an idle connection is replaced when it is needed; without a listener
  // either loss would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
