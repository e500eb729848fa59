import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../kernel/database/database.ts';
import { openPostgres } from '../kernel/database/open-database.ts';
import { templateHash } from '../kernel/database/pglite/template.ts';

const DUPLICATE_DATABASE = '42P04';

/** A database of its own on a Postgres server. */
export interface TestDatabase {
  /** `postgres://...` of the database. */
  readonly url: string;
  /** Removes it, also from under open connections. */
  drop(): Promise<unknown>;
}

/** Makes a database with a random name on the server at `serverUrl`: an empty one, or a copy of the template. */
export async function createTestDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `svc_test_${randomBytes(8).toString('hex')}`;
  await queryPostgres(serverUrl, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  return {
    url: urlOf(serverUrl, name),
    drop: () => queryPostgres(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A migrated database of its own, dropped when it is closed. */
export async function openTestPostgres(serverUrl: string): Promise<Database> {
  const { url, drop } = await createTestDatabase(serverUrl, await migratedTemplate(serverUrl));
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

const templates = new Map<string, Promise<string>>();

/** Name of a migrated database on the server to copy, made by whoever needs it first: migrating takes longer. */
function migratedTemplate(serverUrl: string): Promise<string> {
  const known = templates.get(serverUrl) ?? makeTemplate(serverUrl);
  templates.set(serverUrl, known);
  return known;
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `svc_test_template_${templateHash()}`;
  const [there] = await queryPostgres(serverUrl, `SELECT FROM pg_database WHERE datname = '${name}'`);
  if (there) return name;
  const draft = await createTestDatabase(serverUrl);
  try {
    const database = await openPostgres({ url: draft.url, poolSize: 1 });
    await database.close();
    // Nobody may be connected to what is copied, and a pooler keeps its connections.
    const own = new URL(draft.url).pathname.slice(1);
    await queryPostgres(serverUrl, `ALTER DATABASE ${own} WITH ALLOW_CONNECTIONS false`);
    await queryPostgres(
      serverUrl,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${own}'`,
    );
    // Of several at once the first wins.
    await queryPostgres(serverUrl, `ALTER DATABASE ${own} RENAME TO ${name}`).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError && error.code === DUPLICATE_DATABASE)) throw error;
    });
    return name;
  } finally {
    await draft.drop();
  }
}

const urlOf = (serverUrl: string, name: string) => {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

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
