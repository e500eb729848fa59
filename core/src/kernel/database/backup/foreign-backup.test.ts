import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBackup } from './backup.ts';
import { writeArchive } from './backup-archive.ts';
import { restoreBackup } from './restore-backup.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-foreign-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Packs files as a backup is packed; a name with a slash at its end is an empty folder. */
async function pack(names: readonly string[], made = '2026-03-01T12:00:00.000Z'): Promise<string> {
  const packed = await mkdtemp(join(folder, 'packed-'));
  for (const name of names) {
    await mkdir(join(packed, name.endsWith('/') ? name : dirname(name)), { recursive: true });
    if (!name.endsWith('/')) await writeFile(join(packed, name), 'from elsewhere');
  }
  await writeArchive(packed, `${packed}.zip`, { made, migration: 0 });
  return `${packed}.zip`;
}

const DATABASE = 'pg/PG_VERSION';

it.each<[string, string[], string | undefined, RegExp]>([
  ['the lock of a data folder', [DATABASE, 'svc.lock'], undefined, /holds what is no part of a backup/],
  ['a folder of that name', [DATABASE, 'svc.lock/'], undefined, /holds what is no part of a backup/],
  ['other backups', [DATABASE, 'backups/daily.zip'], undefined, /holds what is no part of a backup/],
  ['a file beside the database', [DATABASE, 'pgx'], undefined, /holds what is no part of a backup/],
  ['no database', ['secret'], undefined, /holds no database/],
  ['no time', [DATABASE], '\u001b[2J', /is no backup of the Agent Memory Service/],
])('a backup with %s is refused, and nothing is changed', async (_, names, made, message) => {
  const file = await pack(names, made);
  const data = await mkdtemp(join(folder, 'data-'));
  for (const name of ['pg', 'backups']) {
    await mkdir(join(data, name));
    await writeFile(join(data, name, 'kept'), '');
  }
  await expect(restoreBackup(file, data, { replace: true })).rejects.toThrow(message);
  expect((await readdir(data, { recursive: true })).sort()).toEqual([
    'backups',
    'backups/kept',
    'pg',
    'pg/kept',
  ]);
  // Nor does a start name it as the one to restore.
  await expect(checkBackup(file)).rejects.toThrow(message);
});
