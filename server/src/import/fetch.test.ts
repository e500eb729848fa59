import { access, lstat, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Browser, useAccounts } from '../accounts/accounts.fixture.ts';
import { type GitServer, startGitServer } from './git-server.fixture.ts';
import { type S3Server, startS3Server } from './s3-server.fixture.ts';
import { createImportSources } from './sources.ts';

/** As an operator sets SVC_ALLOW_PRIVATE_IMPORTS, and as it is without. */
const open = useAccounts(undefined, { importSources: createImportSources({ allowPrivate: true }) });
const strict = useAccounts(undefined, { importSources: createImportSources() });

const KEYS = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'very-secret' };
let git: GitServer;
let s3: S3Server;
beforeAll(async () => {
  git = await startGitServer();
  s3 = await startS3Server(KEYS.access_key_id, {
    notes: {
      'memory/2026-02-01.md': 'Sailed to Bergen.',
      'memory/boat.json': '[{"id": "b1", "content": "The boat is called Petrel."}]',
      'memory/odd name é.txt': 'The kettle is blue.',
      'other/left-out.md': 'Never asked for.',
    },
  });
});
afterAll(() => Promise.all([git.close(), s3.close()]));

const contentsOf = async (browser: Browser): Promise<string[]> => {
  const { body } = await browser.get('/memories/query');
  return body.memories.map(({ content }: { content: string }) => content).sort();
};

/** Imports as the human does in the dashboard and answers the finished job. */
async function take(browser: Browser, source: object) {
  const { status, body } = await browser.post('/import', source);
  expect([status, body.outcome]).toEqual([202, 'queued']);
  await open.kit.engine.background.run('jobs.work');
  return (await browser.get(`/jobs/${body.job.id}`)).body.job;
}

describe('POST /import of a Git repository', () => {
  it('takes in what is below a path of a branch; of the next commit only what is new or changed', async () => {
    const url = await git.repository('notes', {
      'README.md': 'Not below the path.',
      'memory/facts.json': '[{"id": 1, "content": "The boat is red."}, {"id": 2, "content": "Ines sails."}]',
    });
    const { browser } = await open.signUp();
    const source = { git: { url, ref: 'main', path: 'memory' } };
    const { body: preview } = await browser.post('/import', { ...source, dry_run: true });
    expect(preview.preview).toMatchObject({ format: 'json', counts: { memories: 2 } });
    expect(await contentsOf(browser)).toEqual([]);
    expect(await take(browser, source)).toMatchObject({ status: 'done', result: { created: 2 } });
    await git.commit('notes', {
      'memory/facts.json': '[{"id": 1, "content": "The boat is blue."}, {"id": 2, "content": "Ines sails."}]',
      'memory/more.md': 'The mast is new.',
    });
    const again = await take(browser, source);
    expect(again).toMatchObject({ status: 'done', result: { created: 1, updated: 1, duplicates: 1 } });
    expect(await contentsOf(browser)).toEqual(['Ines sails.', 'The boat is blue.', 'The mast is new.']);
  });

  it('removes what an import left whose process was killed, and nothing else', async () => {
    const url = await git.repository('tidy', { 'a.md': 'Tidy.' });
    const elsewhere = await mkdtemp(join(tmpdir(), 'svc-test-'));
    const [killed, running, foreign, link] = ['kiLl3d', 'runs_1', 'longer-name', 'l1nked'].map((name) =>
      join(tmpdir(), `svc-git-${name}`),
    ) as [string, string, string, string];
    const all = [killed, running, foreign, link, elsewhere];
    onTestFinished(async () => {
      for (const one of all) await rm(one, { recursive: true, force: true });
    });
    const dayAgo = Date.now() / 1_000 - 86_400;
    for (const folder of [killed, running, foreign]) {
      await mkdir(join(folder, 'objects'), { recursive: true });
      await writeFile(join(folder, 'objects', 'pack'), 'x');
    }
    for (const old of [killed, foreign, elsewhere]) await utimes(old, dayAgo, dayAgo);
    await symlink(elsewhere, link);
    const { browser } = await open.signUp();
    const { status } = await browser.post('/import', { git: { url, ref: 'main' }, dry_run: true });
    expect(status).toBe(200);
    await expect(access(killed)).rejects.toMatchObject({ code: 'ENOENT' });
    for (const left of [running, foreign, link, elsewhere]) expect(await lstat(left)).toBeDefined();
  });

  it('writes nothing of one that is none, has links, or no such branch', async () => {
    const linked = await git.repository('linked', { 'a.md': 'a', 'passwd.md': { target: '/etc/passwd' } });
    const { browser } = await open.signUp();
    for (const source of [
      { url: `${git.url}/nothing.git` },
      { url: linked },
      { url: linked, ref: 'other' },
      { url: 'file:///etc' },
      { url: 'ext::sh -c true' },
    ]) {
      const { status, body } = await browser.post('/import', { git: source });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(await contentsOf(browser)).toEqual([]);
    expect((await browser.get('/jobs')).body.jobs).toEqual([]);
  });
});

describe('POST /import of a bucket', () => {
  it('takes in what begins with a prefix, and again only what is new', async () => {
    const { browser } = await open.signUp();
    const source = { s3: { endpoint: s3.endpoint, bucket: 'notes', prefix: 'memory/', ...KEYS } };
    expect(await take(browser, source)).toMatchObject({ status: 'done', result: { created: 3 } });
    expect(await contentsOf(browser)).toEqual([
      'Sailed to Bergen.',
      'The boat is called Petrel.',
      'The kettle is blue.',
    ]);
    expect(await take(browser, source)).toMatchObject({ result: { created: 0, duplicates: 3 } });
    expect(JSON.stringify([open.logged, (await browser.get('/jobs')).body])).not.toContain('very-secret');
  });

  it('writes nothing where the keys are wrong or the bucket unknown', async () => {
    const { browser } = await open.signUp();
    for (const [path, source] of [
      ['s3.access_key_id', { bucket: 'notes', access_key_id: 'OTHER', secret_access_key: 'x' }],
      ['s3.bucket', { bucket: 'nowhere', ...KEYS }],
    ] as const) {
      const { status, body } = await browser.post('/import', { s3: { endpoint: s3.endpoint, ...source } });
      expect([status, body.error.details[0].path]).toEqual([400, path]);
    }
    expect(await contentsOf(browser)).toEqual([]);
  });
});

describe('where the operator does not allow private addresses', () => {
  it('neither is asked for anything', async () => {
    const { browser } = await strict.signUp();
    const asked = s3.calls.length;
    for (const [path, source] of [
      ['git.url', { git: { url: `${git.url}/notes/.git` } }],
      ['s3.endpoint', { s3: { endpoint: s3.endpoint, bucket: 'notes', ...KEYS } }],
      ['s3.endpoint', { s3: { endpoint: s3.endpoint.replace('http:', 'https:'), bucket: 'notes', ...KEYS } }],
      ['s3.endpoint', { s3: { endpoint: 'https://169.254.169.254', bucket: 'notes' } }],
    ] as const) {
      const { status, body } = await browser.post('/import', source);
      expect([status, body.error.details[0].path]).toEqual([400, path]);
    }
    expect(s3.calls).toHaveLength(asked);
    expect(await contentsOf(browser)).toEqual([]);
  });
});
