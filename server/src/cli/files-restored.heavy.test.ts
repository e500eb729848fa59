import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import { memoryFiles } from '@svc-memory/core/adapter';
import type { AgentMemory } from '@svc-memory/core/contract';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, expect, test } from 'vitest';
import { svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();
let env: Record<string, string>;
const at = (name: string) => join(folder.path, name);

const CHANGED_AFTER_BACKUP = [
  'archived.md',
  'deleted-here.md',
  'equal.md',
  'higher.md',
  'lower.md',
  'moved.md',
  'recreated.md',
  'same.md',
];

beforeAll(async () => {
  env = { SVC_DATA_DIR: at('data') };
  await makeDataFolder(at('data'));
  await mkdir(at('notes'));
  expect((await svc('keys create --new-tenant Ada', env)).code).toBe(0);
  for (const name of [...CHANGED_AFTER_BACKUP, 'plain.md', 'edited.md', 'bom.md']) {
    await writeFile(at(`notes/${name}`), `${name === 'bom.md' ? '\uFEFF' : ''}base of ${name}`);
  }
  expect((await sync('notes')).code).toBe(0);
  expect((await svc(`backup ${at('b.zip')}`, env)).code).toBe(0);
  for (const name of CHANGED_AFTER_BACKUP) await writeFile(at(`notes/${name}`), `LOCAL v2 of ${name}`);
  await writeFile(at('notes/new.md'), 'made after the backup');
  expect((await sync('notes')).code).toBe(0);
  await rm(at('notes/deleted-here.md'));
});

function sync(name: string, ...more: string[]) {
  return svc(['files sync', at(name), '--path /memories/n', ...more].join(' '), env);
}

async function withMemory<T>(work: (memory: AgentMemory) => Promise<T>): Promise<T> {
  const engine = createEngine({ database: await openPglite(at('data'), { sync: false }) });
  try {
    const [tenant] = await engine.tenants.list();
    return await work(engine.agent(tenant?.id ?? ''));
  } finally {
    await engine.close();
  }
}

/** What another agent does once the backup is restored. */
function changeElsewhere(): Promise<void> {
  return withMemory(async (memory) => {
    const files = memoryFiles(memory);
    const path = (name: string) => `/memories/n/${name}`;
    const edit = (name: string, old_str: string, new_str: string) =>
      files.str_replace({ path: path(name), old_str, new_str });
    await edit('equal.md', 'base of', 'REMOTE v2 of');
    await edit('same.md', 'base of', 'LOCAL v2 of');
    await edit('higher.md', 'base of', 'REMOTE v2 of');
    await edit('higher.md', 'REMOTE v2', 'REMOTE v3');
    await edit('edited.md', 'base of', 'REMOTE v2 of');
    await files.delete({ path: path('archived.md') });
    await files.rename({ old_path: path('moved.md'), new_path: path('moved-there.md') });
    await files.delete({ path: path('recreated.md') });
    await files.create({ path: path('recreated.md'), file_text: 'REMOTE, made anew' });
  });
}

async function textsIn(name: string): Promise<string[]> {
  const names = (await readdir(at(name))).filter((file) => !file.startsWith('.'));
  return Promise.all(names.map((file) => readFile(at(`${name}/${file}`), 'utf8')));
}

function textsThere(): Promise<string[]> {
  return withMemory(async (memory) => {
    const { files } = await memory.files({ path: '/memories/n' });
    return Promise.all(files.map(async ({ id }) => (await memory.get({ id })).memory.content));
  });
}

async function dropTimes(name: string): Promise<void> {
  const file = at(`${name}/.svc-sync.json`);
  const state = JSON.parse(await readFile(file, 'utf8'));
  for (const known of Object.values<{ updatedAt?: string }>(state.files)) delete known.updatedAt;
  await writeFile(file, JSON.stringify(state));
}

const linesOf = (out: string) => out.trim().split('\n').sort();
const keptBoth = (name: string) =>
  expect.stringMatching(`^kept both     ${name}.md: what was here is ${name}\\.conflict-[0-9a-f]{8}\\.md$`);

test.each([
  ['this release', async () => {}],
  ['the former one, which noted no times', dropTimes],
])('after the restore of an older backup no text is lost: state of %s', async (_, age) => {
  await rm(at('folder'), { recursive: true, force: true });
  await cp(at('notes'), at('folder'), { recursive: true });
  await age('folder');
  expect((await svc(`restore ${at('b.zip')} --replace`, env)).code).toBe(0);
  await changeElsewhere();
  const before = await textsIn('folder');

  const dry = await sync('folder', '--dry-run');
  const real = await sync('folder');
  expect(linesOf(real.out)).toEqual([
    'fetched       deleted-here.md',
    'fetched       edited.md',
    'fetched       moved-there.md',
    keptBoth('equal'),
    keptBoth('higher'),
    keptBoth('lower'),
    keptBoth('recreated'),
    'sent          archived.md',
    'sent          moved.md',
    'sent          new.md',
  ]);
  expect([dry.code, linesOf(dry.out)]).toEqual([0, linesOf(real.out)]);
  expect(dry.err).toBe(`It would be: ${real.err}`);

  expect((await sync('folder')).err).toBe('4 files sent.\n');
  const here = await textsIn('folder');
  expect(here).toEqual(expect.arrayContaining(before.filter((text) => text !== 'base of edited.md')));
  expect((await textsThere()).sort()).toEqual(here.map((text) => text.replace('\uFEFF', '')).sort());
  expect(await sync('folder')).toEqual({ code: 0, out: '', err: 'Both are equal.\n' });
});
