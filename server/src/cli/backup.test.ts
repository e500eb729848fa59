import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createEngine, type Engine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSmallDisk, noSmallDisk } from '../../../test/faults/lab/small-disk.ts';
import { copyFolder } from '../../../test/kit/process.ts';
import { BackupFolder } from '../backups/backup-folder.ts';
import { startDailyBackups } from '../backups/daily-backups.ts';
import { endServices, startService, svc, temporaryFolder } from './cli.fixture.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tenantId: string;
/** What an export of the first folder says, before anything else is stored there. */
let original: string;
const at = (name: string) => join(folder.path, name);
const env = (name: string) => ({ SVC_DATA_DIR: at(name), SVC_EMBEDDED_SYNC: 'off' });

async function withEngine<T>(name: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ database: await openPglite(at(name), { sync: false }) });
  return work(engine).finally(() => engine.close());
}

/** Names and contents of all files of a data folder but those of the database, and whether that is there. */
const listing = async (name: string) => (await readdir(at(name), { recursive: true })).sort();
const exported = async (name: string) =>
  (await svc('export', env(name))).out.replace(/"exported_at":"[^"]+"/, '');

beforeAll(async () => {
  folder = await temporaryFolder();
  await makeDataFolder(at('data'));
  await writeFile(at('data/secret'), 'the secret of this service, long enough\n', { mode: 0o600 });
  await withEngine('data', async (engine) => {
    ({ id: tenantId } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' }));
    await engine
      .agent(tenantId)
      .remember({ type: 'semantic', content: 'The spare key hangs behind the shed.' });
  });
  original = await exported('data');
});
afterAll(async () => {
  await endServices();
  await folder.remove();
});

test('a backup is restored elsewhere with the same export and secret, and is not written twice', async () => {
  const { code, out } = await svc(`backup ${at('memories.zip')}`, env('data'));
  expect([code, out]).toEqual([0, `The backup is written and checked: ${at('memories.zip')}\n`]);
  expect((await stat(at('memories.zip'))).mode & 0o777).toBe(0o600);
  expect((await svc(`restore ${at('memories.zip')}`, env('restored'))).code).toBe(0);
  expect(await exported('restored')).toBe(original);
  expect(await readFile(at('restored/secret'), 'utf8')).toContain('the secret of this service');
  const again = await svc(`backup ${at('memories.zip')}`, env('data'));
  expect([again.code, again.err]).toEqual([
    1,
    `svc: ${at('memories.zip')} exists already.\n     Name another file: svc backup FILE\n`,
  ]);
});

test('a backup taken under load holds all that was acknowledged before it', async () => {
  const [before, stored] = await withEngine('data', async (engine) => {
    const agent = engine.agent(tenantId);
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
    `svc: ${at('beside.zip')} exists already.\n     Name another file: svc backup FILE\n`,
  );
  expect((await stat(at('restored/control.json'))).mode & 0o777).toBe(0o600);
  const { port } = JSON.parse(await readFile(at('restored/control.json'), 'utf8'));
  const stranger = await fetch(`http://127.0.0.1:${port}/backup`, { method: 'POST', body: '{}' });
  expect(stranger.status).toBe(401);
  expect(await exported('restored')).toBe(original);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(await listing('restored')).not.toContain('control.json');
  expect((await svc(`restore ${at('beside.zip')}`, env('beside'))).code).toBe(0);
  expect(await exported('beside')).toBe(original);
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
  expect(await exported('data')).toBe(original);
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
  ['a text', (file: string) => writeFile(file, 'hello'), /is damaged: it ends too early/],
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

test('a file that is not there is named', async () => {
  const { code, err } = await svc(`restore ${at('nothing.zip')}`, env('empty'));
  expect([code, err]).toEqual([
    1,
    `svc: There is no file ${at('nothing.zip')}.\n     Name the file of a backup: svc restore FILE\n`,
  ]);
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
  const [, command] = /svc (restore \S+ --replace)/.exec(err) ?? [];
  expect(command).toContain(good);
  expect((await svc(command ?? '', env('broken'))).code).toBe(0);
  expect(await exported('broken')).toBe(original);
});

test('a restore that was cut off is not taken for a new folder', async () => {
  await mkdir(at('cut/restore-1/pg'), { recursive: true });
  const { code, err } = await svc('status', env('cut'));
  expect([code, err]).toEqual([1, expect.stringContaining('a restore was cut off before its end')]);
  expect((await svc(`restore ${at('memories.zip')}`, env('cut'))).code).toBe(0);
  expect(await exported('cut')).toBe(original);
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
  const disk = await makeSmallDisk(16);
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
  expect(await readdir(at('data/backups'))).toEqual(['mine.zip']);
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
  const disk = await makeSmallDisk(16);
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
      startDailyBackups({ dataDir: at('restored'), folder: backups, database, logger, now: () => now })();
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

test('on a database server its own tools are named', async () => {
  for (const command of ['backup', 'restore x.zip']) {
    const { code, err } = await svc(command, { SVC_DATABASE_URL: 'postgres://ada@db/memories' });
    expect([code, err]).toEqual([2, expect.stringContaining('pg_dump')]);
  }
});
