import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../test/kit/listen.ts';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { startService, svc, useFolder } from './cli.fixture.ts';

/** A service takes a slow machine long to start. */
const SLOW = 120_000;

const folder = useFolder();
let env: Record<string, string>;
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  env = { SVC_DATA_DIR: at('data') };
  await makeDataFolder(at('data'));
  await startService(env).ready();
  await mkdir(at('notes'));
  await writeFile(at('notes/key.txt'), 'The spare key hangs behind the shed.');
  await writeFile(at('notes/2026-02-01.md'), 'Jonas raised the pool of connections to 50.');
}, SLOW);

function contentsOf(memories: Record<string, { content: string }[]>): string[] {
  return Object.values(memories)
    .flat()
    .map(({ content }) => content)
    .toSorted();
}

test('a folder is looked at, taken in once, and comes out again', async () => {
  const look = await svc(`import ${at('notes')} --dry-run`, env);
  expect(look).toMatchObject({ code: 0, out: '' });
  expect(look.err).toContain('2 memories in 2 files');
  expect(look.err).toContain('1 episodic, 1 semantic');
  expect((await svc(`import ${at('notes')}`, env)).out).toBe('Imported: 2 created.\n');
  expect((await svc(`import ${at('notes')}`, env)).out).toBe('Imported: 2 duplicates.\n');

  expect((await svc(`export --out ${at('all.json')}`, env)).code).toBe(0);
  const { version, memories } = JSON.parse(await readFile(at('all.json'), 'utf8'));
  expect(version).toBe('1');
  expect(contentsOf(memories)).toEqual([
    'Jonas raised the pool of connections to 50.',
    'The spare key hangs behind the shed.',
  ]);
  expect((await svc('export --format markdown', env)).out).toContain('behind the shed');
});

test('an export holds each character, wherever the answer of the service is cut', async () => {
  const owls = [1, 2, 3].map((number) => `${'🦉'.repeat(16_000)}${number}`);
  await writeFile(at('owls.json'), JSON.stringify(owls.map((content) => ({ content }))));
  expect((await svc(`import ${at('owls.json')}`, env)).code).toBe(0);
  expect((await svc(`export --out ${at('owls.json')}`, env)).code).toBe(0);
  const { memories } = JSON.parse(await readFile(at('owls.json'), 'utf8'));
  expect(contentsOf(memories)).toEqual(expect.arrayContaining(owls));
});

test.skipIf(process.platform === 'win32')(
  'what --out leads to is written, and no link replaced',
  async () => {
    await writeFile(at('target.json'), 'old', { mode: 0o644 });
    await symlink('target.json', at('link.json'));
    await symlink('chain-2.json', at('chain.json'));
    // As long as a name may be.
    const longest = `${'n'.repeat(250)}.json`;
    await symlink(longest, at('chain-2.json'));
    for (const [link, target] of [
      ['link.json', 'target.json'],
      ['chain.json', longest],
    ] as const) {
      expect(await svc(`export --out ${at(link)}`, env)).toMatchObject({ code: 0 });
      expect((await lstat(at(link))).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(at(target), 'utf8'))).toMatchObject({ version: '1' });
      expect((await stat(at(target))).mode & 0o777).toBe(0o600);
    }
  },
);

test.skipIf(process.platform === 'win32')('--out writes into a pipe, which stays one', async () => {
  await promisify(execFile)('mkfifo', [at('pipe')]);
  const [read, { code }] = await Promise.all([
    readFile(at('pipe'), 'utf8'),
    svc(`export --out ${at('pipe')}`, env),
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(read)).toMatchObject({ version: '1' });
  expect((await stat(at('pipe'))).isFIFO()).toBe(true);
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a folder as --out is refused', async () => {
  expect(await svc(`export --out ${at('notes')}`, env)).toMatchObject({
    code: 1,
    err: `svc: ${at('notes')} cannot be written (EISDIR).\n     Choose another file with --out.\n`,
  });
});

test('what is one user’s comes out by itself, and * brings all of them', async () => {
  const { api_url, api_key } = JSON.parse(await readFile(at('data/credentials.json'), 'utf8'));
  for (const [user_id, content] of [
    ['u1', 'Ada likes plums.'],
    ['u10', 'Bert likes figs.'],
    ['u&format=markdown', 'Cleo likes dates.'],
  ]) {
    const stored = await fetch(`${api_url}/api/v1/memories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'semantic', content, user_id }),
    });
    expect(stored.status).toBe(201);
  }
  const exported = async (user: string) => JSON.parse((await svc(`export --user ${user}`, env)).out);
  expect(contentsOf((await exported('u1')).memories)).toEqual(['Ada likes plums.']);
  expect(contentsOf((await exported('u&format=markdown')).memories)).toEqual(['Cleo likes dates.']);
  const { memories, users } = await exported('*');
  expect(contentsOf(memories)).not.toContain('Ada likes plums.');
  expect(users.map((one: { user_id: string }) => one.user_id).sort()).toEqual([
    'u&format=markdown',
    'u1',
    'u10',
  ]);
  expect((await svc('export --user u\u200b1', env)).code).toBe(2);
  expect((await svc('export --user * --format markdown', env)).code).not.toBe(0);
});

test.each(['json', 'markdown'])(
  'an export as %s says of whom it is, and where nothing is stored',
  async (format) => {
    const { api_url, api_key } = JSON.parse(await readFile(at('data/credentials.json'), 'utf8'));
    await fetch(`${api_url}/api/v1/memories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'semantic', content: 'Fay likes pears.', user_id: 'fay' }),
    });
    const to = (user: string) => `export --format ${format} --user ${user} --out ${at('one')}`;
    expect(await svc(to('fay'), env)).toEqual({
      code: 0,
      out: '',
      err: `Exported what is of user fay to ${at('one')}.\n`,
    });
    expect(await svc(to('fya'), env)).toEqual({
      code: 0,
      out: '',
      err: `Exported what is of user fya to ${at('one')}.\nNo memory is stored about user fya: the export holds none.\n`,
    });
    const { code, out, err } = await svc(`export --format ${format} --user fya`, env);
    expect([code, err]).toEqual([0, 'No memory is stored about user fya: the export holds none.\n']);
    expect(`${out.trim()}\n`).not.toBe('\n');
    expect((await svc(`export --format ${format} --user fay`, env)).err).toBe('');
    expect((await svc(`export --format ${format} --out ${at('one')}`, env)).err).toBe(
      `Exported the memories to ${at('one')}.\nNot in it: what is of users (add --user "*"), spaces, schedules, keys and settings.\n`,
    );
  },
);

test('what is one user’s comes in again as that user’s only, and as nobody else’s unless asked', async () => {
  const { api_url, api_key } = JSON.parse(await readFile(at('data/credentials.json'), 'utf8'));
  const stored = await fetch(`${api_url}/api/v1/memories`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'semantic', content: 'Dora likes quinces.', user_id: 'dora' }),
  });
  expect(stored.status).toBe(201);
  const own = async () => contentsOf(JSON.parse((await svc('export', env)).out).memories);
  const before = await own();
  for (const [name, format] of [
    ['dora.json', 'json'],
    ['dora.md', 'markdown'],
  ]) {
    await svc(`export --user dora --format ${format} --out ${at(String(name))}`, env);
    for (const dry of ['', ' --dry-run']) {
      expect(await svc(`import ${at(String(name))}${dry}`, env)).toEqual({
        code: 1,
        out: '',
        err: `svc: ${name}: holds what is of user "dora"; name that user, or the one whose memories they become, by user_id (npx svc-memory import: --user)\n`,
      });
    }
  }
  expect(await own()).toEqual(before);
  expect((await svc(`import ${at('dora.json')} --user dora`, env)).out).toBe('Imported: 1 duplicates.\n');
  expect((await svc(`import ${at('dora.md')} --user emil`, env)).out).toMatch(/^Imported: 1 created/);
  const emils = JSON.parse((await svc('export --user emil', env)).out);
  expect([emils.user_id, contentsOf(emils.memories)]).toEqual(['emil', ['Dora likes quinces.']]);
  expect((await svc(`import ${at('dora.json')} --user *`, env)).code).toBe(2);
  expect((await svc(`import ${at('dora.json')} --user u\u200b1`, env)).code).toBe(2);
  await svc(`export --user * --out ${at('everyone.json')}`, env);
  const look = await svc(`import ${at('everyone.json')} --dry-run`, env);
  expect(look.err).toMatch(/Left out: \d+ × memories of users; bring in the export of each with user_id/);
  const asOne = await svc(`import ${at('everyone.json')} --user dora`, env);
  expect([asOne.code, asOne.err]).toEqual([
    1,
    expect.stringContaining('holds what is of an agent and of its users; for user "dora" import'),
  ]);
  expect((await svc(`import ${at('everyone.json')}`, env)).out).toMatch(/ \d+ skipped/);
  expect(await own()).toEqual(before);
});

test('an import of which records fail ends with 1, and one that leaves out fields does not', async () => {
  await writeFile(at('m.jsonl'), '{"content":5}\n');
  expect(await svc(`import ${at('m.jsonl')}`, env)).toMatchObject({
    code: 1,
    out: 'Imported: nothing new, 1 failed.\n',
  });
  await writeFile(at('m.jsonl'), '{"content":"The roof is new.","importance":"high","tags":5}\n');
  expect(await svc(`import ${at('m.jsonl')}`, env)).toMatchObject({
    code: 0,
    out: 'Imported: 1 created; 2 fields were left out of memories that came in.\n',
  });
  await writeFile(at('m.jsonl'), '{"content":"The door is green.","importance":"high"}\n{"content":5}\n');
  expect(await svc(`import ${at('m.jsonl')}`, env)).toMatchObject({
    code: 1,
    out: 'Imported: 1 created, 1 failed; 1 field was left out of memories that came in.\n',
  });
});

test.each([
  ['import ', 2, 'Name a file, a folder'],
  ['import nowhere', 2, 'There is no file or folder'],
  ['import file:///etc/passwd', 2, 'is no source of memories'],
  ['import s3://', 2, 's3:// names no bucket'],
  ['import s3:///notes', 2, 's3:///notes names no bucket'],
  ['import ext::sh', 2, 'is no source of memories'],
  ['import /etc/hosts --ref main', 2, '--ref is for Git repositories, and /etc/hosts is none.'],
  ['import s3://notes --path a', 2, '--path is for Git repositories, and s3://notes is none.'],
  ['reflect --older-than soon', 2, '--older-than must be a number, not "soon".'],
  ['reflect --older-than 9999', 2, '--older-than must be at most 3650, not "9999".'],
])('%s is refused with a way on', async (command, code, words) => {
  const result = await svc(command, env);
  expect(result.code).toBe(code);
  expect(result.err).toContain(words);
});

test.skipIf(process.platform === 'win32')('links and pipes are named as left out', async () => {
  await mkdir(at('mixed/deep'), { recursive: true });
  await writeFile(at('mixed/note.md'), 'The ladder leans on the barn.');
  await symlink('note.md', at('mixed/link.md'));
  await symlink('note.md', at('mixed/a\nLeft out: b'));
  await symlink(at('notes'), at('mixed/deep/folder'));
  await symlink('note.md', at('mixed/.hidden'));
  await promisify(execFile)('mkfifo', [at('mixed/pipe.md')]);
  const { code, err } = await svc(`import ${at('mixed')} --dry-run`, env);
  expect(code).toBe(0);
  expect(err).toMatch(
    /^Left out: a\\nLeft out: b is a link, which is not followed\.\nLeft out: deep\/folder is a link, which is not followed\.\nLeft out: link\.md is a link, which is not followed\.\nLeft out: pipe\.md is no plain file\.\n1 memory in 1 file /,
  );
  expect((await svc(`import ${at('mixed/link.md')}`, env)).err).toContain('is a link, which is not followed');
});

// A file that the kernel lets nobody read from its start, whoever runs the tests.
test.runIf(process.platform === 'linux')('what cannot be read is named, with a way on', async () => {
  expect(await svc('import /proc/self/mem', env)).toEqual({
    code: 1,
    out: '',
    err: 'svc: /proc/self/mem cannot be read (EIO).\n     Nothing was imported. Let this user read it, or import the others by themselves.\n',
  });
});

test.runIf(process.platform === 'linux').each([
  ['a\u0001b.md', 'a control character (U+0001)'],
  ['a\tb.md', 'a control character (U+0009)'],
  ['a\nb.md', 'a control character (U+000A)'],
  ['a\u0085b.md', 'a control character (U+0085)'],
  ['a\\b.md', 'a backslash'],
])('a file whose name %j no import takes is named, with what is wrong', async (name, what) => {
  const place = at(`odd-${what.replaceAll(/\W/g, '')}`);
  await mkdir(place);
  await writeFile(join(place, 'a.md'), 'The gate is red.');
  await writeFile(join(place, name), 'Tea.');
  for (const source of [place, join(place, name)]) {
    expect(await svc(`import ${source}`, env)).toEqual({
      code: 1,
      out: '',
      err: `svc: ${join(place, name).replace('\n', '\\n')} has a name with ${what}.\n     Nothing was imported. Rename it, or import the others by themselves.\n`,
    });
  }
});

test.runIf(process.platform === 'linux')(
  'names with quotes, percent signs and letters of all kinds come in',
  async () => {
    await mkdir(at('marks'));
    for (const name of ['a "b".md', '100% %22.md', 'é ü 日本.md', "it's; x=y.md"]) {
      await writeFile(at(`marks/${name}`), `Of ${name}.`);
    }
    expect((await svc(`import ${at('marks')}`, env)).out).toBe('Imported: 4 created.\n');
  },
);

test.runIf(process.platform === 'linux')('a name that is not UTF-8 is told as that', async () => {
  await mkdir(at('latin'));
  await writeFile(
    Buffer.concat([Buffer.from(at('latin/caf')), Buffer.from([0xe9]), Buffer.from('.md')]),
    'Tea.',
  );
  const { code, err } = await svc(`import ${at('latin')}`, env);
  expect([code, err]).toEqual([
    1,
    `svc: ${at('latin/caf\uFFFD.md')} has a name that is not UTF-8.\n     Nothing was imported. Rename it, or import the others by themselves.\n`,
  ]);
});

test('what is empty, or of no known format, is told with what to do', async () => {
  await writeFile(at('empty.md'), '');
  await writeFile(at('unknown.bin'), Buffer.from([0, 0xff, 0xd8, 0]));
  expect(await svc(`import ${at('empty.md')}`, env)).toMatchObject({
    code: 1,
    err: 'svc: empty.md: is empty\n',
  });
  expect((await svc(`import ${at('unknown.bin')}`, env)).err).toContain(
    'is of no known format; name one with format (npx svc-memory import: --format): ',
  );
});

test('what is left out is named: the first files and users, and how many others', async () => {
  await mkdir(at('some'));
  await writeFile(at('some/note.md'), 'The desk opens at nine.');
  for (let n = 0; n < 7; n += 1) await writeFile(at(`some/sheet${n}.csv`), 'a,b\n1,2\n');
  const memories = ['ann', 'bob', 'bob'].map((user_id, n) => ({
    id: `${n}`,
    memory: `${user_id} ${n}`,
    user_id,
  }));
  await writeFile(at('some/mem0.json'), JSON.stringify({ results: memories }));
  const { err } = await svc(`import ${at('some')} --user ann --dry-run`, env);
  expect(err).toContain(
    'Left out: 7 × files of no known format: "sheet0.csv", "sheet1.csv", "sheet2.csv", "sheet3.csv", "sheet4.csv" and 2 more\n',
  );
  expect(err).toMatch(/^Left out: 3 × memories of others: .+: "bob" \(2 ×\) and 1 more$/m);
});

test('a damaged file is refused whole, with the place', async () => {
  await writeFile(at('damaged.json'), '{"memories":[{"content":"half');
  const { code, err } = await svc(`import ${at('damaged.json')}`, env);
  expect(code).toBe(1);
  expect(err).toContain('damaged.json: is no valid JSON: it ends in the middle of a value, at byte 29');
});

test('what fails at the source is told as it is, and the service is not blamed', async () => {
  const website = createServer((_request, response) => response.end('<h1>no repository</h1>'));
  const { url } = await listenInTest(website);
  const gone = `http://127.0.0.1:${await freePort()}`;
  const aws = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  for (const [source, more, words] of [
    [`${url}/notes.git`, {}, /^svc: (git\.|The repository )/],
    [`${gone}/notes.git`, {}, /^svc: (git\.|The repository )/],
    ['s3://notes', { ...aws, AWS_ENDPOINT_URL: gone }, /^svc: \S/],
    ['s3://notes', { ...aws, AWS_ENDPOINT_URL: url }, /^svc: \S/],
  ] as const) {
    const { code, err } = await svc(`import ${source}`, { ...env, ...more });
    expect(code).not.toBe(0);
    expect(err).toMatch(words);
    expect(err).not.toContain('Agent Memory Service');
  }
});

test('old episodes are reflected on once', async () => {
  await mkdir(at('diary'));
  for (const day of ['03', '04', '05', '06']) {
    const told = `The staging deploy failed again on day ${day}: the database ran out of connections.`;
    await writeFile(at(`diary/2026-03-${day}.md`), told);
  }
  await svc(`import ${at('diary')}`, env);
  expect((await svc('reflect', env)).out).toMatch(
    /^1 digest of \d episodes; 0 copies merged, 0 memories superseded\.\n$/,
  );
  expect((await svc('reflect', env)).out).toContain('0 digests of 0 episodes');
});

test('an import and an export say that a proxy answered in place of the service', async () => {
  const status = { POST: 413, GET: 502 };
  const proxy = createServer(({ method }, response) => {
    response.writeHead(status[method as 'POST' | 'GET'], { 'Content-Type': 'text/html' });
    response.end('<html>no</html>');
  });
  const { url } = await listenInTest(proxy);
  const behind = { ...env, SVC_API_URL: url, SVC_API_KEY: 'svc_any' };
  const { err } = await svc(`import ${at('notes')}`, behind);
  expect(err).toContain('A proxy before http://127.0.0.1');
  expect(err).toContain('client_max_body_size');
  expect((await svc('export', behind)).err).toContain('502 with text/html instead of JSON. A proxy');
});
