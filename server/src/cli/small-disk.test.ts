import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { svc } from './cli.fixture.ts';

const run = promisify(execFile);

/** Calls with the path of a disk of its own, of so many MiB. Only root may make one, and not everywhere; undefined elsewhere. */
async function onDisk<Result>(
  mib: number,
  use: (disk: string) => Promise<Result>,
): Promise<Result | undefined> {
  const disk = await mkdtemp(join(tmpdir(), 'svc-disk-'));
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${mib}m`, 'svc-test', disk];
    if (!(await run('mount', options).catch(() => false))) return undefined;
    try {
      return await use(disk);
    } finally {
      // A start that failed holds files until its process ends.
      await run('umount', ['--lazy', disk]);
    }
  } finally {
    await rmdir(disk);
  }
}

test.for([8, 20, 26])(
  'a first start on a disk of %i MiB says that it is full, and how much is needed',
  async (mib, { skip }) => {
    const tried = await onDisk(mib, async (disk) => {
      const SVC_DATA_DIR = join(disk, 'data');
      return { SVC_DATA_DIR, ...(await svc('migrate', { SVC_DATA_DIR })) };
    });
    if (!tried) return skip();
    expect(tried).toEqual({
      SVC_DATA_DIR: tried.SVC_DATA_DIR,
      code: 1,
      out: '',
      err: `svc: The data folder ${tried.SVC_DATA_DIR} cannot be used: the disk is full.\n     Make room there, or set SVC_DATA_DIR to another folder. A new database takes 30 MB, and grows with what is stored.\n`,
    });
  },
);
