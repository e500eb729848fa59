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

/** Migrates on a connection of its own, whose end also frees the advisory lock. */
async function prepare(url: string): Promise<string | undefined> {
  const pool = openPool(url, 1);
  try {
    const db = drizzle(pool);
    await db.execute(sql`SELECT pg_advisory_lock(${MIGRATION_LOCK}::bigint)`);
    await refuseNewerDatabase(db);
    await db.execute(sql`CREATE EXTENSION IF NOT EXISTS vector`);
    await migrate(db, { migrationsFolder: MIGRATIONS });
    return await enforceRowLevelSecurity(db);
  } catch (error) {
    throw translate(error);
  } finally {
    await pool.end();
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
