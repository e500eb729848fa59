import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';

/**
 * What fails now: syncs of the log, of files and of the names in folders, as those of a broken disk; those of folders, as Windows
 * refuses them; making files, as without free descriptors or inodes; and that many renames, as on Windows while a virus scanner has
 * the file open.
 */
const broken = { log: false, files: false, names: false, folders: false, making: false, renames: 0 };
const { fdatasync, fdatasyncSync, fstatSync, fsyncSync, renameSync, writeFileSync } = fs;
const original = { fdatasync, fdatasyncSync, fsyncSync, renameSync, writeFileSync };

fs.fdatasync = Object.assign(
  (file: number, done: fs.NoParamCallback) => (broken.log ? done(ioError()) : original.fdatasync(file, done)),
  { __promisify__: original.fdatasync.__promisify__ },
);
fs.fdatasyncSync = (file) => {
  if (broken.log) throw ioError();
  original.fdatasyncSync(file);
};
fs.fsyncSync = (file) => {
  const isFolder = fstatSync(file).isDirectory();
  if (isFolder ? broken.names : broken.files) throw ioError();
  if (broken.folders && isFolder) throw notPermitted();
  original.fsyncSync(file);
};
fs.renameSync = (...args) => {
  broken.renames -= 1;
  if (broken.renames >= 0) throw busy();
  original.renameSync(...args);
};
fs.writeFileSync = (...args) => {
  if (broken.making) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', errno: -24 });
  original.writeFileSync(...args);
};
syncBuiltinESMExports();
// Imported only now, as they are to use the functions that were replaced.
const { makeDataFolder, startTestEngine } = await import('../../../testing/index.ts');
const { openPglite } = await import('../open-database.ts');
afterAll(() => {
  Object.assign(fs, original);
  syncBuiltinESMExports();
});

function ioError(): NodeJS.ErrnoException {
  return Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
}

function busy(): NodeJS.ErrnoException {
  return Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY', errno: -16 });
}

function notPermitted(): NodeJS.ErrnoException {
  return Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM', errno: -1 });
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-'));
  await makeDataFolder(folder);
});
afterEach(async () => {
  Object.assign(broken, {
    ...{ log: false, files: false, names: false, folders: false, making: false, renames: 0 },
  });
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

it.each(['files', 'names'] as const)('makes no checkpoint whose %s are not on the disk', async (part) => {
  const first = await open();
  const { tenantId, agent } = await first.tenant();
  await agent().remember({ type: 'semantic', content: 'before' });
  broken[part] = true;
  await expect(first.engine.database.build(sql`CHECKPOINT`, 1)).rejects.toThrow();
  broken[part] = false;
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

it('renames files that are in use for a moment', async () => {
  broken.renames = 3;
  const test = await open({ sync: false });
  expect(broken.renames).toBeLessThan(0);
  broken.renames = 3;
  await test.engine.database.vacuum();
  expect(broken.renames).toBeLessThan(0);
  await test.close();
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
