import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { openPostgres } from '../database/postgres.ts';

/** A database of its own on a Postgres server. */
export interface TestDatabase {
  /** `postgres://...` of the database. */
  readonly url: string;
  /** Removes it, also from under open connections. */
  drop(): Promise<unknown>;
}

/** Makes an empty database with a random name on the server at `serverUrl`. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `svc_test_${randomBytes(8).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await queryPostgres(serverUrl, `CREATE DATABASE ${name}`);
  return {
    url: url.href,
    drop: () => queryPostgres(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A migrated database of its own, dropped when it is closed. */
export async function openTestPostgres(serverUrl: string): Promise<Database> {
  const { url, drop } = await createTestDatabase(serverUrl);
  // Test files run side by side on one server, each with its own pool.
  const database = await openPostgres({ url, poolSize: 5 });
  let closing: Promise<void> | undefined;
  return {
    ...database,
    close: () => {
      closing ??= database.close().then(async () => {
        await drop();
      });
      return closing;
    },
  };
}

/** Runs one statement on a connection of its own, past the service. */
export async function queryPostgres(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
