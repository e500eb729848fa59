import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Calls with the path of a disk of its own, of so many MiB. Only root may make one, and not everywhere; undefined elsewhere. */
export async function onDisk<Result>(
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
