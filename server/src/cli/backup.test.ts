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
  symlink,
  truncate,
  watch,
  writeFile,
} from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BackupFolder } from '../backups/backup-folder.ts';
import { useBackupFolders } from './backup.fixture.ts';
import { startProcess, svc } from './cli.fixture.ts';

const run = promisify(execFile);
const folders = useBackupFolders();
const { at, env, listing, exported } = folders;

test('a backup is restored elsewhere with the same export and secret, and is not written twice', async () => {
  const { code, out } = await svc(`backup ${at('memories.zip')}`, env('data'));
  expect([code, out]).toEqual([0, `The backup is written and checked: ${at('memories.zip')}\n`]);
  expect((await stat(at('memories.zip'))).mode & 0o777).toBe(0o600);
  expect((await svc(`restore ${at('memories.zip')}`, env('restored'))).code).toBe(0);
  expect(await exported('restored')).toBe(folders.original);
  expect(await readFile(at('restored/secret'), 'utf8')).toContain('the secret of this service');
  const acts = async (name: string) => (await svc('audit export', env(name))).out.match(/"act":"[^"]+"/g);
  // Once, however often the folder is opened after that.
  expect((await acts('restored'))?.filter((act) => act.includes('backup.restored'))).toHaveLength(1);
  expect((await svc('audit verify', env('restored'))).code).toBe(0);
  const again = await svc(`backup ${at('memories.zip')}`, env('data'));
  expect([again.code, again.err]).toEqual([
    1,
    `svc: ${at('memories.zip')} exists already.\n     Name another file: npx svc-memory backup FILE\n`,
  ]);
});

test('a link to nothing is no name for a backup', async () => {
  await symlink(at('elsewhere.zip'), at('link.zip'));
  const { code, err } = await svc(`backup ${at('link.zip')}`, env('data'));
  expect([code, err]).toEqual([1, expect.stringContaining(`${at('link.zip')} exists already.`)]);
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

test('a folder that is not there is not made for a backup', async () => {
  const { code, err } = await svc(`backup ${at('mistyped/memories.zip')}`, env('data'));
  expect([code, err]).toEqual([
    1,
    `svc: There is no folder ${at('mistyped')}.\n     Make it, or name a file elsewhere.\n`,
  ]);
  await expect(stat(at('mistyped'))).rejects.toThrow('ENOENT');
});

test('data is only replaced when asked, and is kept beside what was restored', async () => {
  const before = await listing('data');
  const refused = await svc(`restore ${at('memories.zip')}`, env('data'));
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/holds data already \(pg, secret\).*\n.*--replace/);
  expect(await listing('data')).toEqual(before);
  const { code, out } = await svc(`restore ${at('memories.zip')} --replace`, env('data'));
  expect(code).toBe(0);
  const aside = /before-restore-\S+?(?=;)/.exec(out)?.[0] ?? '';
  expect(await readdir(at(`data/${aside}`))).toEqual(['pg', 'secret']);
  expect(await exported('data')).toBe(folders.original);
});

test.each([
  [
    'half a backup',
    (file: string) => truncate(file, 100_000),
    /is damaged: it ends too early or was changed/,
  ],
  ['a backup with a byte changed', changeByte(5_000), /is damaged/],
  ['a backup with another byte changed', changeByte(6_000), /is damaged/],
  ['a backup with yet another byte changed', changeByte(7_000), /is damaged/],
  ['an empty file', (file: string) => writeFile(file, ''), /is damaged: it ends too early/],
  [
    'an export',
    (file: string) => writeFile(file, '{"version":"1","memories":{}}'),
    /is no backup of .*\n.* What `npx svc-memory export` wrote, `npx svc-memory import` reads/,
  ],
])('%s is refused, and nothing is changed', async (_, spoil, message) => {
  await copyFile(at('memories.zip'), at('spoilt.zip'));
  await spoil(at('spoilt.zip'));
  const before = await listing('data');
  for (const [name, args] of [
    ['data', '--replace'],
    ['empty', ''],
  ] as const) {
    const { code, err } = await svc(`restore ${at('spoilt.zip')} ${args}`.trim(), env(name));
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(2);
  }
  expect(await listing('data')).toEqual(before);
  expect(await listing('empty')).toEqual([]);
});

/** Changes a byte behind the name of a file that is much longer when packed. */
function changeByte(offset: number) {
  return async (file: string): Promise<void> => {
    const bytes = await readFile(file);
    const index = bytes.indexOf('pg/base/5/1255') + offset;
    bytes[index] = (bytes[index] ?? 0) ^ 0x01;
    await writeFile(file, bytes);
  };
}

test('a folder in place of a backup is named', async () => {
  const { code, err } = await svc(`restore ${at('data')}`, env('empty'));
  expect([code, err]).toEqual([
    1,
    `svc: ${at('data')} is a folder.\n     Name the file of a backup: npx svc-memory restore FILE\n`,
  ]);
});

test('a file that is not there is named', async () => {
  const { code, err } = await svc(`restore ${at('nothing.zip')}`, env('empty'));
  expect([code, err]).toEqual([
    1,
    `svc: There is no file ${at('nothing.zip')}.\n     Name the file of a backup: npx svc-memory restore FILE\n`,
  ]);
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
  const restore = startProcess(['restore', at('memories.zip'), '--replace'], env('data'));
  for await (const { filename } of watch(at('data'))) if (filename?.startsWith('restore-')) break;
  restore.kill('SIGKILL');
  await once(restore, 'close');
  expect(await exported('data')).toBe(folders.original);
  expect((await readdir(at('data'))).filter((name) => name.startsWith('restore-'))).toEqual([]);
});

test('on a database server its own tools are named', async () => {
  for (const command of ['backup', 'restore x.zip']) {
    const { code, err } = await svc(command, { SVC_DATABASE_URL: 'postgres://ada@db/memories' });
    expect([code, err]).toEqual([2, expect.stringContaining('pg_dump')]);
  }
});
