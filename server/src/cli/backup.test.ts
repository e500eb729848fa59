import { copyFile, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import type { AgentMemory } from '@svc-memory/core/contract';
import { expect, test } from 'vitest';
import { useBackupFolders } from './backup.fixture.ts';
import { svc } from './cli.fixture.ts';

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

test('what was erased stays erased where an older backup is restored', async () => {
  await svc(`restore ${at('memories.zip')}`, env('erased'));
  const asAgent = (work: (memory: AgentMemory) => Promise<unknown>) =>
    folders.withEngine('erased', (engine) => work(engine.agent(folders.tenantId)));
  await asAgent((memory) => memory.remember({ type: 'semantic', content: 'The canary.', user_id: 'u1' }));
  await svc(`backup ${at('canary.zip')}`, env('erased'));
  await asAgent((memory) => memory.forgetUser({ user_id: 'u1' }));
  const { out } = await svc(`restore ${at('canary.zip')} --replace`, env('erased'));
  expect(out).toContain('erases again what was erased since this backup was made');
  expect((await svc('export --user *', env('erased'))).out).not.toContain('canary');
});

test('a link to nothing is no name for a backup', async () => {
  await symlink(at('elsewhere.zip'), at('link.zip'));
  const { code, err } = await svc(`backup ${at('link.zip')}`, env('data'));
  expect([code, err]).toEqual([1, expect.stringContaining(`${at('link.zip')} exists already.`)]);
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

test('a backup of a database server is made by its own tools', async () => {
  const { code, err } = await svc('backup', { SVC_DATABASE_URL: 'postgres://ada@db/memories' });
  expect([code, err]).toEqual([2, expect.stringContaining('pg_dump')]);
});

test('a restore replaces nothing on a database server', async () => {
  const server = { SVC_DATABASE_URL: 'postgres://ada@db/memories' };
  const { code, err } = await svc(`restore ${at('memories.zip')} --replace`, { ...env('empty'), ...server });
  expect([code, err]).toEqual([2, expect.stringContaining('leave --replace out')]);
});
