import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { upkeep } from './upkeep.ts';

it('analyzes and vacuums the tables that changed, and rests when nothing did', async () => {
  const client = await PGlite.create();
  await client.exec(
    `CREATE TABLE busy AS SELECT n FROM generate_series(1, 1000) AS n; CREATE TABLE idle (n int)`,
  );
  expect(await upkeep(client)).toEqual(['busy']);
  expect(await upkeep(client)).toEqual([]);
  await client.exec('DELETE FROM busy WHERE n <= 500');
  expect(await upkeep(client)).toEqual(['busy']);
  const { rows } = await client.query<{ estimate: number; dead: string }>(
    `SELECT reltuples AS estimate, n_dead_tup AS dead FROM pg_class JOIN pg_stat_user_tables s ON s.relid = oid WHERE oid = 'busy'::regclass`,
  );
  expect(rows[0]).toMatchObject({ estimate: 500, dead: 0 });
  await client.close();
});
