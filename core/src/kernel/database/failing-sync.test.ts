import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';

/**
 * What fails now: syncs, as those of a broken disk; those of folders, as Windows refuses them; and making files, as without free
 * descriptors or inodes.
 */
const broken = { log: false, files: false, folders: false, making: false };
const { fdatasync, fdatasyncSync, fstatSync, fsyncSync, writeFileSync } = fs;
const original = { fdatasync, fdatasyncSync, fsyncSync, writeFileSync };

fs.fdatasync = Object.assign(
  (file: number, done: fs.NoParamCallback) => (broken.log ? done(ioError()) : original.fdatasync(file, done)),
  { __promisify__: original.fdatasync.__promisify__ },
);
fs.fdatasyncSync = (file) => {
  if (broken.log) throw ioError();
  original.fdatasyncSync(file);
};
fs.fsyncSync = (file) => {
  if (broken.files) throw ioError();
  if (broken.folders && fstatSync(file).isDirectory())
    throw Object.assign(new Error('EPERM: operation not permitted, fsync'), { code: 'EPERM', errno: -1 });
  original.fsyncSync(file);
};
fs.writeFileSync = (...args) => {
  if (broken.making) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', errno: -24 });
  original.writeFileSync(...args);
};
syncBuiltinESMExports();
// Imported only now, as they are to use the functions that were replaced.
const { makeDataFolder, startTestEngine } = await import('../../testing/index.ts');
const { openPglite } = await import('./open-pglite.ts');
afterAll(() => {
  Object.assign(fs, original);
  syncBuiltinESMExports();
});

function ioError(): NodeJS.ErrnoException {
  return Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-'));
  await makeDataFolder(folder);
});
afterEach(async () => {
  Object.assign(broken, { log: false, files: false, folders: false, making: false });
  await rm(folder, { recursive: true, force: true });
});

const open = async (options = {}) => startTestEngine({ database: await openPglite(folder, options) });

it('acknowledges no write whose sync failed, nor any after it, and keeps all before', async () => {
  const first = await open();
  const { tenantId, agent } = await first.tenant();
  await agent().remember({ type: 'semantic', content: 'before' });
  broken.log = true;
  const writes = ['one', 'two', 'three'].map((content) => agent().remember({ type: 'semantic', content }));
  for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected');
  broken.log = false;
  // The disk may have dropped what it could not write, so that a sync that works now says nothing.
  await expect(agent().remember({ type: 'semantic', content: 'after' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await expect(first.engine.database.ping()).rejects.toThrow();
  await first.close().catch(() => {});
  const second = await open();
  const { memories } = await second.engine.agent(tenantId).query({});
  expect(memories.map(({ content }) => content)).toContain('before');
  expect(memories.map(({ content }) => content)).not.toContain('after');
  await second.close();
});

it('makes no checkpoint whose files are not on the disk', async () => {
  const first = await open();
  const { tenantId, agent } = await first.tenant();
  await agent().remember({ type: 'semantic', content: 'before' });
  broken.files = true;
  await expect(first.engine.database.build(sql`CHECKPOINT`, 1)).rejects.toThrow();
  broken.files = false;
  await first.close().catch(() => {});
  const second = await open();
  const { memories } = await second.engine.agent(tenantId).query({});
  expect(memories.map(({ content }) => content)).toEqual(['before']);
  await second.close();
});

it('vacuums, and opens again, where the system syncs no folders', async () => {
  broken.folders = true;
  const first = await open();
  const { tenantId, agent } = await first.tenant();
  await agent().remember({ type: 'semantic', content: 'kept' });
  // Postgres syncs the folder in which it replaces the map of its catalogs.
  await first.engine.database.vacuum();
  await first.close();
  const second = await open();
  const { memories } = await second.engine.agent(tenantId).query({});
  expect(memories.map(({ content }) => content)).toEqual(['kept']);
  await second.close();
});

it.each([{ sync: true }, { sync: false }])(
  'makes a file that could not be made before, once it can be made: %j',
  async (options) => {
    const test = await open(options);
    const { database } = test.engine;
    await database.build(sql`CREATE TABLE filled (content text)`, 1);
    // From its first pages on a table has a map of its free space, which is a file of its own.
    const fill = () =>
      database.build(sql`INSERT INTO filled SELECT repeat('x', 2000) FROM generate_series(1, 200)`, 1);
    broken.making = true;
    await expect(fill()).rejects.toThrow();
    broken.making = false;
    await expect(fill()).resolves.toBeUndefined();
    await test.close();
  },
);
