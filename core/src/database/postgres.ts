import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import type { Database, Tx } from './database.ts';
import { isRetriable, translate } from './errors.ts';
import { enforceRowLevelSecurity, MIGRATIONS, refuseNewerDatabase } from './migrate.ts';
import { systemScope, tenantScope } from './scope.ts';

// Any fixed number: every process of the service that starts on this database queues up behind it.
const MIGRATION_LOCK = 7_224_365_118;
const ATTEMPTS = 5;
// The driver's own wait grows with every lost connection: a broken pool of ten would be back only after 20 s.
const RECONNECT_SECONDS = 0.2;
const CONNECTION = { onnotice: () => {}, connect_timeout: 10, backoff: () => RECONNECT_SECONDS };

/** Settings of a Postgres connection pool. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Most connections of this process; default 10. */
  readonly poolSize?: number;
}

/** Opens a Postgres 15+ database with pgvector and brings it up to date, one starting process at a time. */
export async function openPostgres({ url, poolSize = 10 }: PostgresOptions): Promise<Database> {
  const client = postgres(url, { ...CONNECTION, max: poolSize });
  try {
    const role = await prepare(url);
    const db = drizzle(client);

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
      close: () => client.end({ timeout: 5 }),
    };
  } catch (error) {
    await client.end({ timeout: 1 });
    throw translate(error);
  }
}

/** Migrates on a connection of its own, whose end also frees the advisory lock. */
async function prepare(url: string): Promise<string | undefined> {
  const client = postgres(url, { ...CONNECTION, max: 1 });
  try {
    const db = drizzle(client);
    await db.execute(sql`SELECT pg_advisory_lock(${MIGRATION_LOCK}::bigint)`);
    await refuseNewerDatabase(db);
    await db.execute(sql`CREATE EXTENSION IF NOT EXISTS vector`);
    await migrate(db, { migrationsFolder: MIGRATIONS });
    return await enforceRowLevelSecurity(db);
  } finally {
    await client.end({ timeout: 5 });
  }
}
