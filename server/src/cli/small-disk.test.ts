import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { svc } from './cli.fixture.ts';
import { onDisk } from './disk.fixture.ts';

const _run = promisify(execFile);

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
