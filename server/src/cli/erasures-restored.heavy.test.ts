import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createEngine, openPglite } from '@svc-memory/core';
import type { AgentMemory } from '@svc-memory/core/contract';
import { beforeAll, expect, test } from 'vitest';
import { useBackupFolders } from './backup.fixture.ts';
import { svc } from './cli.fixture.ts';

const folders = useBackupFolders();
const { at, env } = folders;
const LOG = 'data/backups/erasures.ndjson';
/** Backups from before the erasures and behind them. */
let before = '';
let behind = '';
/** Receipts that were given between the two, and the first of one user, who was erased twice. */
const receipts: Receipt[] = [];

type Receipt = Awaited<ReturnType<AgentMemory['forgetUser']>>['receipt'];

const about = (user_id: string) =>
  ({ type: 'semantic', content: `The canary of ${user_id}.`, user_id }) as const;

function withMemory<T>(name: string, work: (memory: AgentMemory) => Promise<T>): Promise<T> {
  return folders.withEngine(name, (engine) => work(engine.agent(folders.tenantId)));
}

beforeAll(async () => {
  const space_id = await withMemory('data', async (memory) => {
    for (const id of ['gone', 'cut-off', 'anew', 'here']) await memory.remember(about(id));
    for (const user_id of ['gone', 'key-only', 'here']) await memory.createApiKey({ name: 'phone', user_id });
    const { space } = await memory.createSpace({ name: 'Team' });
    await memory.remember({ type: 'semantic', content: 'The canary of the space.', space_id: space.id });
    return space.id;
  });
  await svc('backup', env('data'));
  await withMemory('data', async (memory) => {
    for (const user_id of ['gone', 'key-only', 'anew'])
      receipts.push((await memory.forgetUser({ user_id })).receipt);
    await memory.remember(about('gone'));
    receipts.push((await memory.forgetUser({ user_id: 'gone' })).receipt);
    await memory.deleteSpace({ space_id });
    await memory.remember(about('anew'));
  });
  await forgetCutOff('cut-off');
  await svc('backup', env('data'));
  [before = '', behind = ''] = (await readdir(at('data/backups')))
    .sort()
    .map((name) => at(`data/backups/${name}`));
});

/** Erases a user by a call that is killed before it is noted, which the background finishes. */
async function forgetCutOff(user_id: string): Promise<void> {
  const database = await openPglite(at('data'), { sync: false });
  const noteErased = () => Promise.reject(new Error('killed'));
  const dying = createEngine({ database: { ...database, noteErased } }).agent(folders.tenantId);
  await expect(dying.forgetUser({ user_id })).rejects.toThrow('killed');
  const engine = createEngine({ database });
  await engine.background.run('users.finish-erasures');
  await engine.close();
}

/** What the first call on a folder reads of all users. */
async function canaries(name: string): Promise<string[]> {
  const { out } = await svc('export --user *', env(name));
  return (out.match(/The canary of [\w-]+/g) ?? []).sort();
}

/** All receipts are there as they were given, and their hashes are of what they say. */
async function expectReceipts(memory: AgentMemory): Promise<void> {
  for (const { user_id, ...kept } of receipts) {
    const { erasure } = await memory.erasure({ id: kept.id });
    expect(erasure).toEqual(kept);
    const said = JSON.stringify([erasure.id, user_id, erasure.erased_at, erasure.erased]);
    expect(createHash('sha256').update(said).digest('hex')).toBe(erasure.hash);
  }
  expect(receipts.map(({ user_id }) => user_id)).toEqual(['gone', 'key-only', 'anew', 'gone']);
}

test('what was erased stays erased where an older backup is restored', async () => {
  const { out } = await svc(`restore ${before} --replace`, env('data'));
  expect(out).toContain(`erases again what was erased since this backup was made, as ${at(LOG)} tells.`);
  expect(out).not.toContain('erase them again');
  expect(await canaries('data')).toEqual(['The canary of here']);
  expect((await svc('keys list', env('data'))).out.match(/phone.*/g)).toEqual([
    expect.stringContaining('here'),
  ]);
  expect((await svc('audit verify', env('data'))).code).toBe(0);
  await folders.withEngine('data', async (engine) => {
    await engine.background.run('users.finish-erasures');
    const memory = engine.agent(folders.tenantId);
    await expectReceipts(memory);
    expect((await memory.spaces()).spaces).toEqual([]);
    const { entries } = await memory.auditLog({ limit: 100 });
    const again = entries.filter(({ act, by }) => act === 'user.forgotten' && by.kind === 'operator');
    const receipts = await Promise.all(
      again.map(({ touched }) => memory.erasure({ id: String(touched.erasure_id) })),
    );
    const counted = receipts.map(({ erasure: { erased } }) => [erased.memories ?? 0, erased.api_keys ?? 0]);
    // Of gone, cut-off and anew the memories, of gone and key-only the keys.
    expect(counted.sort()).toEqual([
      [0, 1],
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
  });
});

test('who began anew since is kept where a backup from then is restored', async () => {
  await svc(`restore ${behind} --replace`, env('data'));
  expect(await canaries('data')).toEqual(['The canary of anew', 'The canary of here']);
});

test('the log names neither the erased nor what was said of them', async () => {
  const log = await readFile(at(LOG), 'utf8');
  expect(log).toContain(receipts[0]?.hash);
  expect(log).not.toMatch(/canary|gone|key-only|anew|cut-off|phone/);
});

test('a log of an earlier release, which holds no receipts, tells what was erased', async () => {
  const log = await readFile(at(LOG), 'utf8');
  await mkdir(at('earlier/backups'), { recursive: true });
  await writeFile(at('earlier/backups/erasures.ndjson'), log.replace(/,"receipts":\[.*?\]/g, ''));
  await copyFile(before, at('earlier/backups/before.zip'));
  const { out } = await svc(`restore ${at('earlier/backups/before.zip')} --replace`, env('earlier'));
  expect(out).toContain('erases again what was erased since this backup was made');
  expect(await canaries('earlier')).toEqual(['The canary of here']);
});

test('a log that is damaged goes along to another folder, and what it may not tell of is said', async () => {
  const lines = (await readFile(at(LOG), 'utf8')).split('\n');
  const [since] = /[\d-]+T[\d:.]+Z/.exec(lines[3] ?? '') ?? [];
  await writeFile(at(LOG), lines.with(2, lines[2]?.slice(0, 30) ?? '').join('\n'));
  const { out } = await svc(`restore ${before}`, env('elsewhere'));
  expect(out).toContain(`as ${at('elsewhere/backups/erasures.ndjson')} tells.`);
  expect(out).toMatch(
    new RegExp(`erased between \\S+Z and ${since}, they are back, as no log tells of them`),
  );
  expect(await canaries('elsewhere')).toEqual(['The canary of here']);
});

test('where no log is there, it is said that they are in it', async () => {
  await copyFile(before, at('alone.zip'));
  const { out } = await svc(`restore ${at('alone.zip')}`, env('alone'));
  expect(out).toMatch(
    /If users or spaces were erased since \S+Z, they are back, as no log tells of them: erase them again\./,
  );
  expect(out).not.toContain('erases again');
});

test('no call is served from a folder whose log cannot be read', async () => {
  await mkdir(at('alone/backups/erasures.ndjson'), { recursive: true });
  const { code, err } = await svc('export', env('alone'));
  expect([code, err]).toEqual([1, expect.stringContaining('erasures.ndjson cannot be read (EISDIR)')]);
});
