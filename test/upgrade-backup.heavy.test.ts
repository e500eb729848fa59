import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeNextRelease } from './faults/lab/next-release.ts';
import { ROOT } from './faults/lab/service.ts';
import { makeSmallDisk, noSmallDisk } from './faults/lab/small-disk.ts';

let folder: string;
let next: string;
const run = promisify(execFile);

/** Runs a command of a release, and answers what it writes. */
async function svc(release: string, data: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, SVC_DATA_DIR: resolve(folder, data) };
  return run(process.execPath, [join(release, 'server/bin/svc.js'), ...args], { env }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-upgrade-'));
  next = await makeNextRelease();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(next, { recursive: true });
});

it('a migration is preceded by a backup, with which the release before goes on', async () => {
  await makeDataFolder(join(folder, 'data'));
  await svc(ROOT, 'data', 'keys', 'create', '--new-tenant', 'Ada');
  const before = await svc(ROOT, 'data', 'export');
  expect(await svc(next, 'data', 'migrate')).toContain('up to date');
  const refused = await svc(ROOT, 'data', 'export');
  expect(refused).toMatch(
    /migrated by a newer release.*\n +Nothing was changed\. Start that release, or go back/,
  );
  const [name = ''] = await readdir(join(folder, 'data/backups'));
  expect(name).toMatch(/-migration\.zip$/);
  const file = join(folder, 'data/backups', name);
  expect(refused).toContain(`npx svc-memory restore ${file} --replace`);
  expect(await svc(ROOT, 'data', 'restore', file, '--replace')).toContain('Restored');
  const withoutTime = (text: string) => text.replace(/"exported_at":"[^"]+"/, '');
  expect(withoutTime(await svc(ROOT, 'data', 'export'))).toBe(withoutTime(before));
});

/** What the files of a folder take of a disk, in MiB, rounded up. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true });
  const stats = await Promise.all(entries.map((name) => stat(join(path, name))));
  return Math.ceil(stats.reduce((sum, { blocks }) => sum + blocks * 512, 0) / 1_048_576);
}

it('a full disk stops the migration and not the release before', async (context) => {
  if (await noSmallDisk()) context.skip();
  const made = join(folder, 'small');
  await makeDataFolder(made);
  // Room for the data, and not for a copy of it.
  const disk = await makeSmallDisk((await sizeOf(made)) + 2);
  const data = join(disk.folder, 'data');
  try {
    await cp(made, data, { recursive: true });
    await svc(ROOT, data, 'keys', 'create', '--new-tenant', 'Ada');
    expect(await svc(next, data, 'migrate')).toMatch(
      /not migrated, as the backup before that cannot be written: the disk is full\.\n +Nothing was changed/,
    );
    expect(await svc(ROOT, data, 'status')).toContain('Ada');
  } finally {
    await disk.remove();
  }
});

it('a backup of a newer release is refused', async () => {
  await makeDataFolder(join(folder, 'newer'));
  const file = join(folder, 'newer.zip');
  expect(await svc(next, 'newer', 'backup', file)).toContain('written and checked');
  expect(await svc(ROOT, 'older', 'restore', file)).toContain('was made by a newer release');
  expect(await readdir(join(folder, 'older'))).toEqual([]);
});
