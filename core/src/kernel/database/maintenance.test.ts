import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runMaintenance, startMaintenance } from './maintenance.ts';
import { createInMemory } from './pglite/pglite.ts';

let client: PGlite;
beforeAll(async () => {
  client = await createInMemory();
  // What the migrations left.
  await runMaintenance(client);
});
afterAll(() => client.close());

it('analyzes and vacuums the tables that changed, and rests when nothing did', async () => {
  await client.exec(
    `CREATE TABLE busy AS SELECT n FROM generate_series(1, 1000) AS n; CREATE TABLE idle (n int)`,
  );
  expect(await runMaintenance(client)).toEqual(['busy']);
  expect(await runMaintenance(client)).toEqual([]);
  await client.exec('DELETE FROM busy WHERE n <= 500');
  expect(await runMaintenance(client)).toEqual(['busy']);
  const { rows } = await client.query<{ estimate: number; dead: string }>(
    `SELECT reltuples AS estimate, n_dead_tup AS dead FROM pg_class JOIN pg_stat_user_tables s ON s.relid = oid WHERE oid = 'busy'::regclass`,
  );
  expect(rows[0]).toMatchObject({ estimate: 500, dead: 0 });
});

it('runs while a database fills, not only each half minute', async () => {
  let writes = 0;
  const warn = () => expect.unreachable();
  const stop = startMaintenance(client, () => writes, { debug: warn, info: warn, warn, error: warn });
  await client.exec('CREATE TABLE filling (n int)');
  const known = async () =>
    (
      await client.query<{ known: number }>(
        `SELECT reltuples AS known FROM pg_class WHERE relname = 'filling'`,
      )
    ).rows[0]?.known;
  for (const count of [1_000, 2_000, 4_000]) {
    await client.exec(
      `INSERT INTO filling SELECT generate_series(1, ${count} - (SELECT count(*) FROM filling))`,
    );
    writes = count / 100;
    await expect.poll(known, { timeout: 10_000 }).toBe(count);
  }
  await stop();
});
