import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runMaintenance } from './maintenance.ts';
import { createInMemory } from './pglite/pglite.ts';

let client: PGlite;
beforeAll(async () => {
  client = await createInMemory();
  // What the migrations left.
  await runMaintenance(client);
});
afterAll(() => client.close());

it('makes a checkpoint when the log has grown long, and none before', async () => {
  const redo = async () =>
    (await client.query<{ redo_lsn: string }>('SELECT redo_lsn FROM pg_control_checkpoint()')).rows[0]
      ?.redo_lsn;
  await client.exec('CREATE TABLE short (n int)');
  const before = await redo();
  await runMaintenance(client);
  expect(await redo()).toBe(before);
  // Each goes on in a new segment, and the template's have one MiB.
  for (let segment = 0; segment < 70; segment += 1) {
    await client.exec('INSERT INTO short VALUES (1)');
    await client.exec('SELECT pg_switch_wal()');
  }
  await runMaintenance(client);
  expect(await redo()).not.toBe(before);
});
