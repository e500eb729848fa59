import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { svc } from './cli.fixture.ts';

const run = promisify(execFile);

// Of 8 and 30 MiB the files of a new database take more, and of the other two its tables.
test.for([8, 30, 39, 40])(
  'a first start on a disk of %i MiB says that it is full, and how much is needed',
  async (mib, { skip }) => {
    const disk = await mkdtemp(join(tmpdir(), 'svc-disk-'));
    try {
      const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'svc-test', disk]).catch(
        () => false,
      );
      // Only root may do so, and not everywhere.
      if (!mounted) return skip();
      try {
        const SVC_DATA_DIR = join(disk, 'data');
        expect(await svc('migrate', { SVC_DATA_DIR })).toEqual({
          code: 1,
          out: '',
          err: `svc: The data folder ${SVC_DATA_DIR} cannot be used: the disk is full.\n     Make room there, or set SVC_DATA_DIR to another folder. A new database takes 50 MB, and grows with what is stored.\n`,
        });
      } finally {
        // A start that failed holds files until its process ends.
        await run('umount', ['--lazy', disk]);
      }
    } finally {
      await rmdir(disk);
    }
  },
);
