import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { attachPglite, createInMemory, EXTENSIONS } from './pglite.ts';

const SHAPE = `
  SELECT string_agg(format('%s %s %s', relname, relkind, relacl), E'\\n' ORDER BY relname) AS shape
  FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT string_agg(format('%s %s %s', tablename, policyname, qual), E'\\n' ORDER BY tablename, policyname)
  FROM pg_policies
  UNION ALL SELECT string_agg(format('%s %s', hash, created_at), E'\\n' ORDER BY id) FROM drizzle.__drizzle_migrations`;

it('a new database is a copy of the one that the build made, and equal to one that Postgres makes', async () => {
  const copied = await createInMemory();
  const { rows: databases } = await copied.query('SELECT datname FROM pg_database');
  expect(databases).toEqual([{ datname: 'postgres' }]);
  const { rows: before } = await copied.query(SHAPE);
  const made = await PGlite.create({ extensions: EXTENSIONS });
  await attachPglite(made);
  const { rows: expected } = await made.query(SHAPE);
  expect(before).toEqual(expected);
  await Promise.all([copied.close(), made.close()]);
});
