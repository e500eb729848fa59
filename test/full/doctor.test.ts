import { randomUUID } from 'node:crypto';
import { queryPostgres } from '@svc-memory/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { svc, useFolder } from '../../server/src/cli/cli.fixture.ts';
import { emptyDatabase } from './postgres.fixture.ts';

const folder = useFolder();
const ADMIN = process.env.SVC_TEST_DATABASE_URL ?? '';

/** An empty database of a user of its own, who is no superuser. */
async function ownDatabase(...settings: readonly string[]): Promise<string> {
  const user = `owner_${randomUUID().slice(0, 8)}`;
  onTestFinished(async () => void (await queryPostgres(ADMIN, `DROP ROLE ${user}`)));
  const { url, drop } = await emptyDatabase();
  onTestFinished(async () => void (await drop()));
  const { pathname } = new URL(url);
  const named = (text: string) =>
    text.replace('DATABASE', `DATABASE ${pathname.slice(1)}`).replace('USER', user);
  for (const setting of [`CREATE ROLE ${user} LOGIN`, ...settings]) await queryPostgres(url, named(setting));
  const own = new URL(url);
  own.username = user;
  return own.href;
}

const env = (url: string) => ({
  SVC_DATABASE_URL: url,
  SVC_DATA_DIR: folder.path,
  SVC_PORT: '0',
  SVC_SECRET: 'x'.repeat(32),
});

test.each([
  ['lacks pgvector, which its user may not install', ['ALTER DATABASE OWNER TO USER'], 'lacks a permission'],
  ['is not its user’s', ['CREATE EXTENSION vector'], 'lacks a permission'],
  [
    'has another search_path',
    [
      'CREATE EXTENSION vector',
      'ALTER DATABASE OWNER TO USER',
      'CREATE SCHEMA other AUTHORIZATION USER',
      'ALTER ROLE USER SET search_path = other, public',
    ],
    'begins with the schema other',
  ],
  [
    'takes no changes',
    [
      'CREATE EXTENSION vector',
      'ALTER DATABASE OWNER TO USER',
      'ALTER ROLE USER SET default_transaction_read_only = on',
    ],
    'takes no changes',
  ],
])('a database that %s is told by doctor as by a start', async (_name, settings, why) => {
  const url = await ownDatabase(...settings);
  const { code, out } = await svc('doctor', env(url));
  expect(out).toMatch(new RegExp(`✗ Database: .*${why}.*\\n  \\w`));
  expect(code).toBe(1);
  const { err } = await svc('migrate', env(url));
  expect(err).toContain(why);
});

test('a database that a start can use is well, and left as it is', async () => {
  const url = await ownDatabase('CREATE EXTENSION vector', 'ALTER DATABASE OWNER TO USER');
  const present = () =>
    queryPostgres(
      url,
      `SELECT nspname, relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname IN ('public', 'drizzle')`,
    );
  expect(await svc('doctor', env(url))).toMatchObject({
    code: 0,
    out: expect.stringContaining('All is well.'),
  });
  expect(await present()).toEqual([]);
  expect(await svc('migrate', env(url))).toMatchObject({ code: 0 });
  const migrated = await present();
  expect(await svc('doctor', env(url))).toMatchObject({
    code: 0,
    out: expect.stringContaining('All is well.'),
  });
  expect(await present()).toEqual(migrated);
  // Where no migration is missing, a start makes no table.
  await queryPostgres(
    new URL(new URL(url).pathname, ADMIN).href,
    'REVOKE CREATE ON SCHEMA public FROM pg_database_owner, PUBLIC',
  );
  expect(await svc('migrate', env(url))).toMatchObject({ code: 0 });
  expect(await svc('doctor', env(url))).toMatchObject({ code: 0 });
});
