import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startProcess, startService, svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();
let env: Record<string, string>;
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  env = { SVC_DATA_DIR: at('data') };
  await makeDataFolder(at('data'));
  await mkdir(at('notes'));
  await writeFile(at('notes/MEMORY.md'), '# Index\n\nThe spare key hangs behind the shed.\n');
  await writeFile(at('notes/photo.jpg'), Buffer.from([0xff, 0xd8, 0x00]));
  await writeFile(at('notes/a\nsent b.md'), 'x');
});

test('a folder is looked at, and then sent, also while no service runs', async () => {
  expect((await svc('keys create --new-tenant Ada', env)).code).toBe(0);
  const look = await svc(`files sync ${at('notes')} --path /memories/orchard/ --dry-run`, env);
  expect(look).toMatchObject({ code: 0, err: 'It would be: 2 files left out, 1 file sent.\n' });
  const done = await svc(`files sync ${at('notes')} --path /memories/orchard`, env);
  expect(done).toEqual({
    code: 0,
    out: [
      'left out      a\\nsent b.md: has a name that must not contain control characters (here "a\\nsent b.md")',
      'left out      photo.jpg: is no UTF-8 text',
      'sent          MEMORY.md',
      '',
    ].join('\n'),
    err: '2 files left out, 1 file sent.\n',
  });
  expect(JSON.parse(await readFile(at('notes/.svc-sync.json'), 'utf8'))).toMatchObject({
    path: '/memories/orchard',
    files: { 'MEMORY.md': { version: 1 } },
  });
  expect(await svc(`files sync ${at('notes')}`, env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('was synced at /memories/orchard'),
  });
  expect(await svc(`files sync ${at('notes')} --watch`, env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--watch needs the running service'),
  });
}, 120_000);

test.each([
  ['files sync', 2, "missing required argument 'folder'"],
  ['files sync ', 2, 'Name a folder'],
  ['files sync nowhere', 2, 'There is no folder'],
  ['files sync . --path /etc', 2, '--path must be /memories'],
  ['files sync . --path /memories/../x', 2, '--path must not lead elsewhere'],
  ['files sync package.json', 2, 'is no folder'],
  ['files sync . --watch --dry-run', 2, '--dry-run looks once'],
  ['files list', 2, "unknown command 'list'"],
])('%s is refused with a way on', async (command, code, words) => {
  const result = await svc(command, env);
  expect(result.code).toBe(code);
  expect(result.err).toContain(words);
});

test('the help says what wins, what waits and what stays out', async () => {
  const { out } = await svc('files sync --help', env);
  for (const words of [
    '--watch',
    '--dry-run',
    '--path',
    '.conflict-',
    'wait for your human',
    '.claude/projects',
  ]) {
    expect(out).toContain(words);
  }
});

describe('with --watch, what cannot pass by itself ends it as it ends a sync without', () => {
  beforeAll(async () => {
    await startService(env).ready();
  });

  const stateOf = (name: string) => at(`${name}/.svc-sync.json`);
  const commandOf = (name: string) => `files sync ${at(name)} --path /memories/${name}`;

  /** Watches a folder, spoils it once it is watched, and answers how that ended. */
  async function watchAndSpoil(name: string, spoil: () => Promise<void>) {
    const child = startProcess([...commandOf(name).split(' '), '--watch'], env);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const ended = once(child, 'close');
    let err = '';
    for await (const part of child.stderr ?? []) {
      const wasWatching = err.includes('Ctrl-C ends it.');
      err += part;
      if (!wasWatching && err.includes('Ctrl-C ends it.')) await spoil();
    }
    const [code] = await ended;
    return { code, err: err.split('\n').slice(1).join('\n') };
  }

  test.each([
    [
      'another path',
      // At once, since the watch may look at any moment, and a half-written state is a damaged one.
      async (name: string) => {
        await copyFile(stateOf('notes'), at('state'));
        await rename(at('state'), stateOf(name));
      },
      'was synced at /memories/orchard.',
    ],
    ['a damaged state', (name: string) => writeFile(stateOf(name), '{'), 'is damaged.'],
    ['a folder that is gone', (name: string) => rm(at(name), { recursive: true }), 'There is no folder'],
  ])(
    '%s',
    async (title, spoil, words) => {
      const name = `${title.replaceAll(' ', '-')}-${randomUUID()}`;
      await mkdir(at(name));
      // The state is there then, and the first look of the watch does not write it.
      expect((await svc(commandOf(name), env)).code).toBe(0);
      const watched = await watchAndSpoil(name, () => spoil(name));
      const { code, err } = await svc(commandOf(name), env);
      expect(err).toContain(words);
      expect(watched).toEqual({ code, err });
    },
    30_000,
  );
});
