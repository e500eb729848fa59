import { mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openPglite } from '@svc-memory/core';
import { checkBackup } from '@svc-memory/core/server';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Browser, useAccounts } from '../accounts/accounts.fixture.ts';
import { createLocalSignIn } from '../accounts/local-owner.ts';
import { BackupFolder } from './backup-folder.ts';
import { OwnerBackups } from './owner-backups.ts';

const folder = await mkdtemp(join(tmpdir(), 'svc-backups-'));
const at = (name: string) => join(folder, 'backups', name);
await makeDataFolder(folder);
await writeFile(join(folder, 'secret'), 'the secret of this service, long enough');
const database: Database = await openPglite(folder, { sync: false });
const backUp = vi.fn(database.backUp ?? (() => Promise.reject(new TypeError('in a folder'))));
const backups = new OwnerBackups(new BackupFolder(folder, 3), backUp, { info: () => {}, error: () => {} });
const links = createLocalSignIn(() => test.kit.engine.accounts.ensureLocalOwner('Wren'));
const test = useAccounts(() => ({ backups, localSignIn: links }), { database });
afterAll(() => rm(folder, { recursive: true }));

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-manual\.zip$/;
let owner: Browser;
beforeAll(async () => {
  owner = test.browser();
  await owner.get(links.newLink());
});

const listed = async () => (await owner.get('/backups')).body;

/** Makes a backup. */
async function make(): Promise<void> {
  expect((await owner.post('/backups')).status).toBe(202);
  await vi.waitFor(async () => expect((await listed()).making).toBeNull(), 30_000);
}

it('the owner makes a backup, sees that it is good, and downloads what can be restored', async () => {
  expect(await listed()).toMatchObject({ available: true, backups: [], making: null, failure: null });
  expect((await owner.post('/backups')).body.outcome).toBe('queued');
  expect((await listed()).making.step).toMatch(/copying|packing|checking/);
  expect((await owner.post('/backups')).status).toBe(409);
  await vi.waitFor(async () => expect((await listed()).making).toBeNull(), 30_000);
  await vi.waitFor(async () => expect((await listed()).backups[0]?.check).toBe('good'), 30_000);
  const { backups } = await listed();
  expect(backups).toEqual([
    {
      name: expect.stringMatching(NAME),
      kind: 'manual',
      made_at: expect.any(String),
      bytes: expect.any(Number),
      check: 'good',
    },
  ]);
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const { name, bytes } = backups[0];
  const at = `${test.url}/api/v1/backups/${name}`;
  const head = await fetch(at, { method: 'HEAD', headers: { Cookie: cookie } });
  expect(head.headers.get('content-length')).toBe(String(bytes));
  const response = await fetch(at, { headers: { Cookie: cookie } });
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename=${name}`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const copy = join(folder, 'copy.zip');
  await writeFile(copy, Buffer.from(await response.arrayBuffer()));
  expect((await readFile(copy)).length).toBe(bytes);
  await checkBackup(copy);
  const { body } = await owner.get('/audit-log?act=backup.*');
  expect(body.entries).toMatchObject([
    { act: 'backup.downloaded', by: { kind: 'human' }, touched: { backup: name } },
  ]);
});

it('a backup that was changed since is shown as damaged', async () => {
  const [{ name, check }] = (await listed()).backups;
  expect(check).toBe('good');
  await truncate(at(name), 50_000);
  await vi.waitFor(async () => expect((await listed()).backups[0].check).toBe('damaged'), 30_000);
});

it('why a backup was not made is told, without a path', async () => {
  backUp.mockRejectedValueOnce(Object.assign(new Error(`no room in ${folder}`), { code: 'ENOSPC' }));
  await owner.post('/backups');
  await vi.waitFor(async () => expect((await listed()).failure).toBe('the disk is full'));
  await make();
  expect((await listed()).failure).toBeNull();
});

describe('only backups are downloaded', () => {
  const outside = [
    'secret',
    '..%2Fsecret',
    '..%2f..%2fsecret',
    '%2E%2E%2Fsecret',
    '..%5Csecret',
    '%2Fetc%2Fpasswd',
    '....%2F%2Fsecret',
    '2026-01-01T00-00-00-000Z-manual.zip%00.zip',
    '2026-01-01T00-00-00-000Z-manual.zip%2F..%2F..%2Fsecret',
    '2026-01-01T00-00-00-000Z-manual.zip%0A',
    '2026-01-01T00-00-00-000Z-other.zip',
    '%2e%2e',
  ];

  it.each(outside)('%s is unknown', async (name) => {
    await writeFile(at('secret'), 'no backup');
    const answer = await owner.get(`/backups/${name}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(JSON.stringify(answer.body)).not.toMatch(/the secret of this service|no backup|root:/);
  });

  it('nor is what only bears such a name: a link that leads elsewhere, a folder', async () => {
    const link = '2026-01-01T00-00-00-000Z-manual.zip';
    await symlink(join(folder, 'secret'), at(link));
    expect((await owner.get(`/backups/${link}`)).status).toBe(404);
    expect((await listed()).backups.map(({ name }: { name: string }) => name)).not.toContain(link);
    await rm(at(link));
  });
});

it('a check under way ends with the service', async () => {
  const stopped = new OwnerBackups(new BackupFolder(folder, 3), backUp, { info: () => {}, error: () => {} });
  await stopped.list();
  await stopped.close();
  expect((await stopped.list()).map(({ check }) => check)).toContain('pending');
});

it('nobody but the owner sees, makes or downloads one', async () => {
  const [{ name }] = (await listed()).backups;
  expect((await owner.get(`/backups/${name}`)).status).toBe(200);
  const before = await readdir(at('.'));
  const { browser, apiKey } = await test.signUp();
  const key = { Authorization: `Bearer ${apiKey}` };
  for (const [who, headers, status] of [
    [test.browser(), {}, 401],
    [test.browser(), key, 403],
    [browser, {}, 403],
  ] as const) {
    expect((await who.get('/backups', headers)).status).toBe(status);
    expect((await who.get(`/backups/${name}`, headers)).status).toBe(status);
    expect((await who.post('/backups', {}, headers)).status).toBe(status);
  }
  const foreign = await owner.post('/backups', {}, { Origin: 'https://elsewhere.example' });
  expect(foreign.status).toBe(403);
  await backups.close();
  expect(await readdir(at('.'))).toEqual(before);
});
