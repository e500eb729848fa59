import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test } from 'vitest';
import { svc } from './cli.fixture.ts';
import { onDisk } from './disk.fixture.ts';

const run = promisify(execFile);

test('a backup leaves the database on its disk the room for the next writes', async ({ skip }) => {
  const tried = await onDisk(256, async (disk) => {
    const env = { SVC_DATA_DIR: join(disk, 'data') };
    await makeDataFolder(env.SVC_DATA_DIR);
    const { stdout } = await run('du', ['-sm', env.SVC_DATA_DIR]);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = await statfs(disk);
    // Room for a checkpoint, and for half of the copy besides.
    const room = (32 + Number.parseInt(stdout, 10) / 2) * 1024 * 1024;
    await writeFile(filler, Buffer.alloc(bavail * bsize - room));
    const full = await svc('backup', env);
    const left = await readdir(join(env.SVC_DATA_DIR, 'backups'));
    await rm(filler);
    return { full, left, withRoom: (await svc('backup', env)).code, data: env.SVC_DATA_DIR };
  });
  if (!tried) return skip();
  expect(tried).toMatchObject({
    full: {
      code: 1,
      out: '',
      err: `svc: No backup was written in ${tried.data}: the disk is full.\n     The memories are as they were. Mend that, or name a file elsewhere: npx svc-memory backup FILE\n`,
    },
    left: ['erasures.ndjson'],
    withRoom: 0,
  });
});

test('files that a full disk leaves no room to write anew stay as they are, and the command says so', async ({
  skip,
}) => {
  const tried = await onDisk(64, async (disk) => {
    const env = { SVC_DATA_DIR: join(disk, 'data') };
    await makeDataFolder(env.SVC_DATA_DIR);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler, Buffer.alloc(bavail * bsize - 300 * 1024));
    const full = await svc('vacuum', env);
    await rm(filler);
    return { full, withRoom: (await svc('vacuum', env)).code };
  });
  if (!tried) return skip();
  expect(tried).toEqual({
    full: {
      code: 1,
      out: '',
      err: 'svc: The disk of the database is full.\n     Make room there, then run the command again.\n',
    },
    withRoom: 0,
  });
});

test.skipIf(process.platform === 'win32')(
  'too few open files are named, and what raises their number',
  async () => {
    const SVC_DATA_DIR = join(await mkdtemp(join(tmpdir(), 'svc-files-')), 'data');
    const script = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
    const env = { PATH: process.env.PATH, HOME: SVC_DATA_DIR, SVC_DATA_DIR };
    const limited = ['-c', 'ulimit -n 44 && exec "$0" "$1" migrate', process.execPath, script];
    await expect(run('sh', limited, { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^svc: .*may open no more files: .*ulimit -n/),
    });
    await rm(dirname(SVC_DATA_DIR), { recursive: true });
  },
);
