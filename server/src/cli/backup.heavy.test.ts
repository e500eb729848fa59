import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  watch,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { beforeAll, expect, test } from 'vitest';
import { makeSmallDisk, noSmallDisk } from '../../../test/faults/lab/small-disk.ts';
import { copyFolder } from '../../../test/kit/process.ts';
import { BackupFolder } from '../backups/backup-folder.ts';
import { backUpIfDue } from '../backups/daily-backups.ts';
import { useBackupFolders } from './backup.fixture.ts';
import { startProcess, startService, svc } from './cli.fixture.ts';

// Backups under load, beside a service, on full and read-only disks, and of damaged folders; restores that end halfway. Each opens
// several databases.
const folders = useBackupFolders();
const { at, env, withEngine, listing, exported } = folders;
const run = promisify(execFile);

beforeAll(async () => {
  await svc(`backup ${at('memories.zip')}`, env('data'));
  await svc(`restore ${at('memories.zip')}`, env('restored'));
});

test('a backup taken under load holds all that was acknowledged before it', async () => {
  const [before, stored] = await withEngine('data', async (engine) => {
    const agent = engine.agent(folders.tenantId);
    const acknowledged: string[] = [];
    const write = async (writer: number) => {
      for (let place = 0; place < 20; place += 1) {
        const content = `thing ${place} of writer ${writer}`;
        await agent.remember({ type: 'semantic', content });
        acknowledged.push(content);
      }
    };
    await write(1);
    const before = [...acknowledged];
    const backup = engine.database.backUp?.(at('loaded.zip'));
    await Promise.all([write(2), write(3), backup]);
    await svc(`restore ${at('loaded.zip')}`, env('loaded'));
    return [before, acknowledged];
  });
  const { memories } = JSON.parse((await svc('export', env('loaded'))).out);
  const contents = memories.semantic.map(({ content }: { content: string }) => content);
  expect(contents).toEqual(expect.arrayContaining(before));
  expect(stored).toEqual(expect.arrayContaining(contents.filter((text: string) => text.startsWith('thing'))));
});

test('a backup is taken beside a running service, by the owner of its folder only', async () => {
  const service = startService(env('restored'));
  await service.ready();
  const { code, out } = await svc(`backup ${at('beside.zip')}`, env('restored'));
  expect([code, out]).toEqual([0, `The backup is written and checked: ${at('beside.zip')}\n`]);
  const refused = await svc(`backup ${at('beside.zip')}`, env('restored'));
  expect(refused.err).toBe(
    `svc: ${at('beside.zip')} exists already.\n     Name another file: npx svc-memory backup FILE\n`,
  );
  expect((await stat(at('restored/control.json'))).mode & 0o777).toBe(0o600);
  const { port } = JSON.parse(await readFile(at('restored/control.json'), 'utf8'));
  const stranger = await fetch(`http://127.0.0.1:${port}/backup`, { method: 'POST', body: '{}' });
  expect(stranger.status).toBe(401);
  expect(await exported('restored')).toBe(folders.original);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(await listing('restored')).not.toContain('control.json');
  expect((await svc(`restore ${at('beside.zip')}`, env('beside'))).code).toBe(0);
  expect(await exported('beside')).toBe(folders.original);
});

test('a damaged folder says what is wrong, which backup is good and how to restore it', async () => {
  await copyFolder(at('restored'), at('broken'));
  await svc('backup', env('broken'));
  const [good = ''] = await readdir(at('broken/backups'));
  // A later one that is damaged.
  const bad = at(`broken/backups/${good.replace(/^\d{4}/, '9999')}`);
  await copyFile(at(`broken/backups/${good}`), bad);
  await truncate(bad, 100_000);
  await writeFile(at('broken/pg/global/pg_control'), Buffer.alloc(8192));
  const before = await listing('broken');
  const { code, err } = await svc('status', env('broken'));
  expect(code).toBe(1);
  expect(err).toMatch(
    /^svc: The database in \S+ is damaged: .+\n +Nothing was changed\. The last good backup is of /,
  );
  expect(await listing('broken')).toEqual(before);
  const [, command] = /npx svc-memory (restore \S+ --replace)/.exec(err) ?? [];
  expect(command).toContain(good);
  expect((await svc(command ?? '', env('broken'))).code).toBe(0);
  expect(await exported('broken')).toBe(folders.original);
});

test.skipIf(process.platform === 'win32')('the command that restores is one that a shell takes', async () => {
  const place = "Ada's notes";
  await copyFolder(at('restored'), at(place));
  await svc('backup', env(place));
  await writeFile(at(`${place}/pg/global/pg_control`), Buffer.alloc(8192));
  const { err } = await svc('status', env(place));
  const [, file = ''] = /npx svc-memory restore (.+) --replace/.exec(err) ?? [];
  const { stdout } = await run('sh', ['-c', `printf %s ${file}`]);
  const [backup = ''] = await readdir(at(`${place}/backups`));
  expect(stdout).toBe(at(`${place}/backups/${backup}`));
});

test('the database of another service is left alone', async () => {
  await copyFolder(at('data'), at('other'));
  const other = await PGlite.create({ dataDir: at('other/pg') });
  await other.exec(
    'DROP SCHEMA public, drizzle CASCADE; CREATE SCHEMA public; CREATE TABLE public.recipes (name text)',
  );
  await other.close();
  const { code, err } = await svc('status', env('other'));
  expect([code, err]).toEqual([1, expect.stringContaining('holds the database of another service')]);
});

test('a full disk ends a restore with nothing changed', async (context) => {
  if (await noSmallDisk()) context.skip();
  const disk = await makeSmallDisk(8);
  try {
    const { code, err } = await svc(`restore ${at('memories.zip')}`, { SVC_DATA_DIR: disk.folder });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^svc: Nothing was restored into \S+: the disk is full\.\n/),
    ]);
    expect(await readdir(disk.folder)).toEqual([]);
  } finally {
    await disk.remove();
  }
});

test('what a backup that was cut off has left is gone with the next start', async () => {
  const left = 'backups/2026-01-01T00-00-00-000Z-daily.zip.0103a565-c082-43d7-932c-af70e65e1042';
  await mkdir(at(`data/${left}.copy/pg`), { recursive: true });
  await writeFile(at(`data/${left}.zip`), 'half');
  await writeFile(at('data/backups/mine.zip'), 'kept');
  await svc('status', env('data'));
  expect((await readdir(at('data/backups'))).sort()).toEqual(['erasures.ndjson', 'mine.zip']);
  await rm(at('data/backups'), { recursive: true });
});

test.each(['16', '99'])('the database of PostgreSQL %s is named, and not called damaged', async (version) => {
  const name = `postgres-${version}`;
  await copyFolder(at('data'), at(name));
  await writeFile(at(`${name}/pg/PG_VERSION`), `${version}\n`);
  const before = await listing(name);
  const { code, err } = await svc('status', env(name));
  expect(code).toBe(1);
  expect(err).toMatch(
    new RegExp(
      `^svc: The database in \\S+ is of PostgreSQL ${version}, and this release has \\d+\\.\\d+\\.\n +Nothing was changed\\.`,
    ),
  );
  expect(await listing(name)).toEqual(before);
});

test('a read-only folder is told', async (context) => {
  if (await noSmallDisk()) context.skip();
  const disk = await makeSmallDisk(160);
  try {
    await copyFolder(at('data'), join(disk.folder, 'data'));
    await disk.makeReadOnly();
    for (const command of ['status', 'keys list', `restore ${at('memories.zip')} --replace`]) {
      const { code, err } = await svc(command, { SVC_DATA_DIR: join(disk.folder, 'data') });
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^svc: .*it is on a read-only file system\.\n {5}\w/),
      ]);
    }
  } finally {
    await disk.remove();
  }
});

test('a full disk ends a backup without a trace', async (context) => {
  if (await noSmallDisk()) context.skip();
  const disk = await makeSmallDisk(8);
  try {
    const { code, err } = await svc(`backup ${join(disk.folder, 'memories.zip')}`, env('data'));
    expect(code).toBe(1);
    expect(err).toMatch(
      /^svc: No backup was written in \S+: the disk is full\.\n +The memories are as they were/,
    );
    expect(await readdir(disk.folder)).toEqual([]);
  } finally {
    await disk.remove();
  }
});

test('a backup is made each day, and the oldest ones go', async () => {
  const errors: unknown[] = [];
  const log = () => {};
  const logger = { debug: log, info: log, warn: log, error: (facts: object) => errors.push(facts) };
  const backups = new BackupFolder(at('restored'), 2);
  await withEngine('restored', async ({ database }) => {
    const look = (now: number) =>
      backUpIfDue({ dataDir: at('restored'), folder: backups, database, logger, now: () => now });
    await look(Date.now());
    expect(await backups.list()).toEqual([]);
    const manual = await backups.add('manual', async (file) => database.backUp?.(file));
    for (const days of [1.1, 2.2, 3.3]) await look(Date.now() + days * 86_400_000);
    const kept = await backups.list();
    expect(kept.map(({ kind }) => kind)).toEqual(['daily', 'daily', 'manual']);
    expect(kept.at(-1)?.file).toBe(manual);
    expect(await backups.newestGood()).toEqual(kept[0]);
  });
  expect(errors).toEqual([]);
  await rm(at('restored/backups'), { recursive: true });
});

test('a backup that has an id in its name stays in the folder of backups', async () => {
  const file = at('data/backups/mine.fb1e1f52-3a0c-4a7e-9d63-6a6c1f4ac002.zip');
  expect((await svc(`backup ${file}`, env('data'))).code).toBe(0);
  expect((await svc('status', env('data'))).code).toBe(0);
  expect((await stat(file)).size).toBeGreaterThan(0);
});

test('the last good backup is none of a clock that ran ahead, where another is there', async () => {
  const day = 86_400_000;
  const nameAt = (time: number) => `${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}-daily.zip`;
  const [ahead, past] = [nameAt(Date.now() + 300 * day), nameAt(Date.now() - day)];
  await mkdir(at('clock/backups'), { recursive: true });
  const backups = new BackupFolder(at('clock'), 3);
  for (const name of [ahead, past]) {
    await copyFile(at('memories.zip'), at(`clock/backups/${name}`));
    expect((await backups.newestGood())?.name).toBe(name);
  }
});

const CUT_OFF = 'restore-fb1e1f52-3a0c-4a7e-9d63-6a6c1f4ac001';

test('a restore that was cut off is not taken for a new folder', async () => {
  await mkdir(at(`cut/${CUT_OFF}/pg`), { recursive: true });
  const { code, err } = await svc('status', env('cut'));
  expect([code, err]).toEqual([1, expect.stringContaining('a restore was cut off before its end')]);
  expect((await svc(`restore ${at('memories.zip')}`, env('cut'))).code).toBe(0);
  expect(await exported('cut')).toBe(folders.original);
});

test('a restore that was cut off is known as such until one has succeeded, not only been tried', async () => {
  expect((await svc(`restore ${at('memories.zip')}`, env('halfway'))).code).toBe(0);
  await mkdir(at(`halfway/${CUT_OFF}`));
  await rename(at('halfway/secret'), at(`halfway/${CUT_OFF}/secret`));
  await writeFile(at('bad.zip'), 'hello');
  const before = await listing('halfway');
  for (const tried of [at('memories.zip'), `${at('bad.zip')} --replace`, `${at('nothing.zip')} --replace`]) {
    expect((await svc(`restore ${tried}`, env('halfway'))).code).toBe(1);
    expect(await svc('status', env('halfway'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('a restore was cut off before its end'),
    });
    expect(await listing('halfway')).toEqual(before);
  }
  expect((await svc(`restore ${at('memories.zip')} --replace`, env('halfway'))).code).toBe(0);
  expect(await exported('halfway')).toBe(folders.original);
  expect(await listing('halfway')).not.toContain(CUT_OFF);
});

test('files of a like name in the data folder are no part of a restore', async () => {
  await mkdir(at('named'));
  await copyFile(at('memories.zip'), at('named/restore-me.zip'));
  await writeFile(at('named/restore-unpacking-notes.txt'), 'mine');
  for (const args of ['', ' --replace']) {
    expect((await svc(`restore ${at('named/restore-me.zip')}${args}`, env('named'))).code).toBe(0);
    expect(await exported('named')).toBe(folders.original);
  }
  expect(await listing('named')).toEqual(
    expect.arrayContaining(['restore-me.zip', 'restore-unpacking-notes.txt']),
  );
});

test('a restore that may not move one of the files has moved none', async ({ skip }) => {
  expect((await svc(`restore ${at('memories.zip')}`, env('mounted'))).code).toBe(0);
  const secret = at('mounted/secret');
  const before = await listing('mounted');
  // Only root may mount a file, and not everywhere.
  if (!(await run('mount', ['--bind', secret, secret]).catch(() => false))) return skip();
  try {
    expect(await svc(`restore ${at('memories.zip')} --replace`, env('mounted'))).toEqual({
      code: 1,
      out: '',
      err: `svc: Nothing was restored into ${at('mounted')}: a part of it is mounted there, or in use.\n     What was there is kept. Mend that, or set SVC_DATA_DIR to another folder.\n`,
    });
  } finally {
    await run('umount', [secret]);
  }
  expect((await listing('mounted')).filter((name) => name !== 'backups')).toEqual(before);
  expect(await exported('mounted')).toBe(folders.original);
});

test('a damaged note of a restore is named, with what deleting it means', async () => {
  expect((await svc(`restore ${at('memories.zip')}`, env('noted'))).code).toBe(0);
  const note = at('noted/restored.json');
  await truncate(note, 20);
  const { code, err } = await svc('status', env('noted'));
  expect([code, err]).toEqual([
    1,
    `svc: ${note} is damaged: it is to tell the audit log of a restore.\n     Delete it; the audit log then has no entry of that restore.\n`,
  ]);
  await rm(note);
  expect(await exported('noted')).toBe(folders.original);
});

test('a restore that is killed while it unpacks leaves the data in place of which it was to come', async () => {
  expect((await svc(`restore ${at('memories.zip')}`, env('killed'))).code).toBe(0);
  const restore = startProcess(['restore', at('memories.zip'), '--replace'], env('killed'));
  for await (const { filename } of watch(at('killed'))) if (filename?.startsWith('restore-')) break;
  restore.kill('SIGKILL');
  await once(restore, 'close');
  expect(await exported('killed')).toBe(folders.original);
  expect((await readdir(at('killed'))).filter((name) => name.startsWith('restore-'))).toEqual([]);
});
