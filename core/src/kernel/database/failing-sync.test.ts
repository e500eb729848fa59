import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';

/** The syncs that fail now, as those of a broken disk. */
const broken = { log: false, files: false };
const original = { fdatasync: fs.fdatasync, fdatasyncSync: fs.fdatasyncSync, fsyncSync: fs.fsyncSync };

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
  original.fsyncSync(file);
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
  Object.assign(broken, { log: false, files: false });
  await rm(folder, { recursive: true, force: true });
});

const open = async () => startTestEngine({ database: await openPglite(folder) });

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
