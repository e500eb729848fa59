import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createEngine, openPostgres } from '@svc-memory/core';
import { queryPostgres } from '@svc-memory/core/testing';
import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { emptyDatabase, listen } from './postgres.fixture.ts';

/** An empty database with settings that whoever runs it has made. */
async function databaseWith(...settings: readonly string[]): Promise<string> {
  const { url, drop } = await emptyDatabase();
  onTestFinished(async () => void (await drop()));
  const name = new URL(url).pathname.slice(1);
  for (const setting of settings) await queryPostgres(url, setting.replace('DATABASE', `DATABASE ${name}`));
  return url;
}

it('time limits of the database end no migration, and a call that they end is UNAVAILABLE', async () => {
  const url = await databaseWith(
    `ALTER DATABASE SET statement_timeout = '3ms'`,
    `ALTER DATABASE SET idle_in_transaction_session_timeout = '10ms'`,
  );
  const database = await openPostgres({ url });
  onTestFinished(() => database.close());
  const slow = database.system((tx) => tx.execute(sql`SELECT pg_sleep(10)`));
  await expect(slow).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('57014'),
  });
});

it('what is written waits for the disk, also where the database is set not to', async () => {
  const url = await databaseWith(`ALTER DATABASE SET synchronous_commit = 'off'`);
  const database = await openPostgres({ url });
  onTestFinished(() => database.close());
  const asked = sql`SELECT current_setting('synchronous_commit') AS setting`;
  const waits = [[{ setting: 'on' }]];
  expect(await database.batch(randomUUID(), [asked])).toEqual(waits);
  expect(await database.systemBatch([asked])).toEqual(waits);
});

it('a search_path that begins with another schema is refused, and nothing is made there', async () => {
  const url = await databaseWith('CREATE SCHEMA other', 'ALTER DATABASE SET search_path = other, public');
  await expect(openPostgres({ url })).rejects.toThrow('begins with the schema other');
  const made = await queryPostgres(url, `SELECT FROM pg_tables WHERE schemaname IN ('other', 'drizzle')`);
  expect(made).toEqual([]);
});

it.each([
  [
    'whose times are written otherwise',
    `ALTER DATABASE SET DateStyle = 'German'`,
    'DateStyle German',
    'SET DateStyle = ISO',
  ],
  ['whose encoding lacks characters', undefined, 'encoding of this database is LATIN1', "ENCODING 'UTF8'"],
])('a database %s is refused, and how to mend it is told', async (_name, setting, message, remedy) => {
  const url = await (setting ? databaseWith(setting) : latinDatabase());
  await expect(openPostgres({ url })).rejects.toMatchObject({
    name: 'DatabaseSettingsError',
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  });
});

it('a load balancer that sends what is set and what is read to different servers is refused', async () => {
  const url = new URL(await databaseWith());
  const { port, hostname } = url;
  // To the server that is asked, the setting is another one.
  const toAnother = (data: Buffer) =>
    data.toString('latin1').replaceAll("set_config('svc.", "set_config('svx.");
  const balancer = createServer((inbound) => {
    const outbound = connect(Number(port), hostname);
    outbound.on('error', () => inbound.destroy()).pipe(inbound);
    inbound.on('error', () => outbound.destroy()).on('end', () => outbound.end());
    inbound.on('data', (data) => outbound.write(toAnother(data), 'latin1'));
  });
  await listen(balancer, 0);
  onTestFinished(() => void balancer.close());
  url.host = `127.0.0.1:${(balancer.address() as AddressInfo).port}`;
  await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('several servers'),
  });
});

async function latinDatabase(): Promise<string> {
  const url = new URL(process.env.SVC_TEST_DATABASE_URL ?? '');
  const name = `latin_${randomUUID().slice(0, 8)}`;
  await queryPostgres(url.href, `CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
  onTestFinished(
    async () => void (await queryPostgres(url.href.replace(/\/\w+$/, '/postgres'), `DROP DATABASE ${name}`)),
  );
  url.pathname = name;
  return url.href;
}

/**
 * As on Supabase and Neon: the first user is no superuser, bypasses row-level security, and extensions have a schema of their own.
 */
describe('a user of a host who is no superuser', () => {
  const hosted = async (path: string, ...settings: readonly string[]) => {
    const user = `hosted_${randomUUID().slice(0, 8)}`;
    onTestFinished(async () => {
      await queryPostgres(process.env.SVC_TEST_DATABASE_URL ?? '', `DROP ROLE ${user}`);
    });
    const url = new URL(
      await databaseWith(
        'CREATE SCHEMA extensions',
        'CREATE EXTENSION vector SCHEMA extensions',
        `CREATE ROLE ${user} LOGIN CREATEROLE BYPASSRLS`,
        `ALTER DATABASE OWNER TO ${user}`,
        `ALTER ROLE ${user} SET search_path = ${path}`,
        ...settings.map((setting) => setting.replace('USER', user)),
      ),
    );
    url.username = user;
    return url.href;
  };
  const usable = (how = '') => `GRANT USAGE ON SCHEMA extensions TO USER ${how}`;

  it('is let in, remembers and recalls, and row-level security binds what it does', async () => {
    const url = await hosted('"$user", public, extensions', usable('WITH GRANT OPTION'));
    for (const _start of ['first', 'second']) {
      const engine = createEngine({ database: await openPostgres({ url, poolSize: 2 }) });
      const { id } = await engine.tenants.create({ displayName: 'Hosted', plan: 'local' });
      const agent = engine.agent(id);
      const { memory } = await agent.remember({ type: 'semantic', content: 'The key is under the mat.' });
      const { results } = await agent.recall({ query: 'where is the key?' });
      expect(results.map((result) => result.id)).toEqual([memory.id]);
      const foreign = (await engine.tenants.create({ displayName: 'Other', plan: 'local' })).id;
      const seen = await engine.database.batch(foreign, [sql`SELECT FROM memories`]);
      expect(seen).toEqual([[]]);
      await engine.close();
    }
  });

  it('that is not let in any more is UNAVAILABLE, as one whose password was changed', async () => {
    const url = await hosted('public, extensions', usable('WITH GRANT OPTION'));
    const database = await openPostgres({ url, poolSize: 1 });
    onTestFinished(() => database.close());
    const { username } = new URL(url);
    const admin = process.env.SVC_TEST_DATABASE_URL ?? '';
    await queryPostgres(admin, `ALTER ROLE ${username} NOLOGIN`);
    await queryPostgres(
      admin,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${username}'`,
    );
    const call = () => database.system((tx) => tx.execute(sql`SELECT 1`));
    await vi.waitFor(() =>
      expect(call()).rejects.toMatchObject({ message: expect.stringContaining('28000') }),
    );
    await expect(call()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('does not let the service in'),
    });
  });

  it.each([
    ['public', usable(), 'ALTER ROLE … IN DATABASE … SET search_path = public, extensions'],
    ['public, extensions', usable(), 'GRANT USAGE ON SCHEMA extensions TO svc_app, or'],
  ])('is told, with the search_path %s, how it gets at pgvector', async (path, setting, remedy) => {
    const url = await hosted(path, setting);
    await expect(openPostgres({ url })).rejects.toMatchObject({
      name: 'DatabaseSettingsError',
      message: expect.stringContaining('pgvector is in the schema extensions'),
      remedy: expect.stringContaining(remedy),
    });
  });
});
