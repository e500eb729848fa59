import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { rows, type Tx } from '../database.ts';
import { translateError } from '../errors.ts';
import {
  enforceRowLevelSecurity,
  migrationsOf,
  requireSettings,
  requireUtf8,
  requireVectorType,
  runMigrations,
} from '../migrate.ts';
import { openPool } from './postgres-pool.ts';

// Any fixed number. Every starting process of the service waits for this advisory lock.
const MIGRATION_LOCK = 7_224_365_118;
const LOCK_POLL_MS = 100;
// A trial waits no longer than this for what another process has locked.
const TRIAL_LOCK_MS = 3_000;

/** What the start found out about a database. */
export interface PreparedDatabase {
  /** The role that tenant transactions run as; undefined when row-level security binds the connecting user. */
  readonly role: string | undefined;
  /** Whether the database answers a commit before it is on the disk (`synchronous_commit`). */
  readonly commitsEarly: boolean;
  /** Whether the connections lead to the server itself, without a pooler in between. */
  readonly direct: boolean;
}

/**
 * Migrates the database over two connections of its own, one starting process at a time.
 *
 * @throws DatabaseSettingsError
 */
export async function preparePostgres(url: string): Promise<PreparedDatabase> {
  const pool = openPool(url, { size: 2 });
  pool.on('connect', liftTimeLimits);
  try {
    return await withMigrationLock(pool, async () => {
      const db = drizzle(pool);
      await prepareForMigrations(db);
      await runMigrations((options) => migrate(db, options));
      return {
        role: await enforceRowLevelSecurity(db),
        commitsEarly: await commitsEarly(db),
        direct: await isDirect(pool),
      };
    });
  } catch (error) {
    throw translateError(error);
  } finally {
    await pool.end();
  }
}

/**
 * All that a start does before the migrations.
 *
 * @returns whether there are any to run.
 */
async function prepareForMigrations(db: Tx): Promise<boolean> {
  await requireSettings(db);
  const { applied, newest } = await migrationsOf(db);
  if (applied === undefined) await requireUtf8(db);
  await db.execute(sql`CREATE EXTENSION IF NOT EXISTS vector`);
  await requireVectorType(db);
  return applied !== newest;
}

/** See `tryPostgres`, which loads this. */
export async function tryPreparation(url: string): Promise<void> {
  const pool = openPool(url, { size: 1 });
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    throw translateError(error);
  });
  try {
    const db = drizzle(client);
    await db.execute(sql`BEGIN`);
    await db.execute(sql.raw(`SET LOCAL lock_timeout = ${TRIAL_LOCK_MS}`));
    const isBehind = await prepareForMigrations(db);
    await db.execute(sql`CREATE SCHEMA IF NOT EXISTS drizzle`);
    if (isBehind) await db.execute(sql`CREATE TABLE svc_trial ()`);
  } catch (error) {
    throw translateError(error);
  } finally {
    // Closing the connection rolls back, where this cannot.
    await client.query('ROLLBACK').catch(() => {});
    client.release();
    await pool.end();
  }
}

/**
 * Lets a migration take as long as it needs: a limit for calls would end it at each start. It leaves the session of a pooler as it
 * is, which others use too.
 */
function liftTimeLimits(client: pg.PoolClient): void {
  const { processID } = client as pg.PoolClient & { readonly processID: number };
  const lift = `SELECT set_config(name, '0', false)
    FROM unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout']) AS name WHERE pg_backend_pid() = $1`;
  // Where it fails, the connection does, and so will the next statement.
  client.query(lift, [processID]).catch(() => {});
}

/** Who runs the database may have set so for programs that promise less. */
async function commitsEarly(db: Tx): Promise<boolean> {
  const [found] = await rows<{ early: boolean }>(
    db,
    sql`SELECT current_setting('synchronous_commit') = 'off' AS early`,
  );
  return found?.early === true;
}

/** Whether no pooler stands in between: a pooler gives its clients process ids of its own. */
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
 * Runs work while no other process does the same. The lock belongs to a transaction, not to a session: behind a pooler
 * that shares sessions, such as PgBouncer, a session's lock would pass to the next client. A waiting process holds no
 * transaction open, since the one with the lock needs a second connection.
 */
async function withMigrationLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
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
