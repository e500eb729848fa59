import fs from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

// As the file systems of USB sticks, which have no links.
const { link } = fs.promises;
let meanwhile = async () => {};
Object.assign(fs.promises, {
  link: async () => {
    await meanwhile();
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM', errno: -1 });
  },
});
syncBuiltinESMExports();
// Imported only now, as they are to use the function that was replaced.
const { makeDataFolder } = await import('../../../testing/index.ts');
const { checkBackup } = await import('./backup.ts');
const { openPglite } = await import('../open-database.ts');

let folder: string;
let database: Awaited<ReturnType<typeof openPglite>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-backup-'));
  await makeDataFolder(join(folder, 'data'));
  database = await openPglite(join(folder, 'data'), { sync: false });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
  Object.assign(fs.promises, { link });
  syncBuiltinESMExports();
});

it('is written whole, and in place of no file, where the file system has no links', async () => {
  const file = join(folder, 'memories.zip');
  await database.backUp?.(file);
  await checkBackup(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const other = join(folder, 'other.zip');
  meanwhile = () => writeFile(other, 'of somebody else');
  await expect(database.backUp?.(other)).rejects.toThrow(`${other} exists already.`);
  expect(fs.readFileSync(other, 'utf8')).toBe('of somebody else');
  expect((await readdir(folder)).sort()).toEqual(['data', 'memories.zip', 'other.zip']);
});
