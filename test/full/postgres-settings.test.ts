import { openPostgres } from '@svc-memory/core';
import { queryPostgres } from '@svc-memory/core/testing';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { emptyDatabase } from './postgres.fixture.ts';

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

it('a search_path that begins with another schema is refused, and nothing is made there', async () => {
  const url = await databaseWith('CREATE SCHEMA other', 'ALTER DATABASE SET search_path = other, public');
  await expect(openPostgres({ url })).rejects.toThrow('begins with the schema other');
  const made = await queryPostgres(url, `SELECT FROM pg_tables WHERE schemaname IN ('other', 'drizzle')`);
  expect(made).toEqual([]);
});
