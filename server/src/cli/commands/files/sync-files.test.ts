import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { AgentMemory } from '@svc-memory/core';
import { memoryFiles } from '@svc-memory/core/adapter';
import { SvcError } from '@svc-memory/core/contract';
import { cases, startTestEngine, type TestEngine } from '@svc-memory/core/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Done } from './done.ts';
import { syncFiles } from './sync-files.ts';
import { SYNC_STATE_FILE } from './sync-state.ts';

let kit: TestEngine;
let folders: string;
beforeAll(async () => {
  kit = await startTestEngine();
  folders = await realpath(await mkdtemp(join(tmpdir(), 'svc-files-')));
});
afterAll(async () => {
  await kit.close();
  await rm(folders, { recursive: true, force: true });
});

type Texts = Record<string, string>;

async function open(texts: Texts = {}, path = '/memories') {
  const tenant = await kit.tenant();
  const memory = tenant.agent();
  const root = await mkdtemp(join(folders, 'folder-'));
  const at = (name: string) => join(root, name);
  const write = async (name: string, text: string | Uint8Array) => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  for (const [name, text] of Object.entries(texts)) await write(name, text);
  const sync = (through: AgentMemory = memory) => syncWith(through, root, path);
  return {
    ...{ memory, root, at, write, sync, tool: memoryFiles(memory) },
    /** What a dry run says. */
    look: () => syncWith(memory, root, path, true),
    human: tenant.agent({ source: 'human', credentialId: null }),
    here: () => textsIn(root),
    there: () => textsOf(memory, path),
  };
}

async function syncWith(memory: AgentMemory, root: string, path: string, dryRun = false): Promise<string[]> {
  const lines: string[] = [];
  const tell = ({ what, path, note }: Done) =>
    lines.push(`${what} ${path}${note === undefined ? '' : `: ${note}`}`);
  await syncFiles({ memory, root, path }, { dryRun, tell });
  return lines;
}

async function textsIn(root: string): Promise<Texts> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== SYNC_STATE_FILE);
  const read = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(root.length + 1).replaceAll(sep, '/'), await readFile(file, 'utf8')] as const;
  });
  return inOrder(await Promise.all(read));
}

async function textsOf(memory: AgentMemory, path: string): Promise<Texts> {
  const { files } = await memory.files({ path });
  const read = files.map(async (file) => {
    const { content } = (await memory.get({ id: file.id })).memory;
    return [file.path.slice(path.length + 1), content] as const;
  });
  return inOrder(await Promise.all(read));
}

function inOrder(texts: readonly (readonly [string, string])[]): Texts {
  return Object.fromEntries([...texts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

describe('a sync', () => {
  test('sends what is new here, fetches what is new there, and then finds both equal', async () => {
    const { sync, here, there, tool } = await open({
      'MEMORY.md': '# Index\n',
      'topics/debugging.md': 'Restart it.\n',
    });
    await tool.create({ path: '/memories/from-agent.md', file_text: 'Tea.' });
    expect((await sync()).sort()).toEqual([
      'fetched from-agent.md',
      'sent MEMORY.md',
      'sent topics/debugging.md',
    ]);
    const all = { 'MEMORY.md': '# Index\n', 'from-agent.md': 'Tea.', 'topics/debugging.md': 'Restart it.\n' };
    expect([await here(), await there()]).toEqual([all, all]);
    expect(await sync()).toEqual([]);
  });

  test('takes over edits, deletions and moves, from either side', async () => {
    const { sync, here, there, tool, write, at, memory } = await open({
      a: 'one',
      b: 'two',
      c: 'three',
      'd/e': 'four',
    });
    await sync();
    await write('a', 'one, edited here');
    await rm(at('b'));
    await tool.insert({ path: '/memories/c', insert_line: 1, insert_text: 'edited there' });
    await tool.rename({ old_path: '/memories/d/e', new_path: '/memories/f/e' });
    expect((await sync()).sort()).toEqual([
      'deleted here d/e',
      'deleted there b: restorable for 30 days',
      'fetched c',
      'fetched f/e',
      'sent a',
    ]);
    const all = { a: 'one, edited here', c: 'three\nedited there', 'f/e': 'four' };
    expect([await here(), await there()]).toEqual([all, all]);
    // The folder that held it is gone, the memory keeps its history, and the deleted one can come back.
    await expect(lstat(at('d'))).rejects.toThrow('ENOENT');
    expect((await memory.archived()).memories.map(({ content }) => content)).toEqual(['two']);
  });

  // The longest names that file systems take; the copy of the last is cut within an emoji.
  test.each(['notes', '漢'.repeat(84), `x${'🦉'.repeat(62)}`])(
    'keeps both texts where both sides have changed in %s.md',
    async (name) => {
      const { sync, here, there, tool, write } = await open({ [`${name}.md`]: 'start' });
      await sync();
      await write(`${name}.md`, 'changed here');
      await tool.str_replace({ path: `/memories/${name}.md`, old_str: 'start', new_str: 'changed there' });
      const [line] = await sync();
      const copy = /[^ ]+\.conflict-[0-9a-f]{8}\.md$/.exec(line ?? '')?.[0] ?? '';
      expect(line).toBe(`kept both ${name}.md: what was here is ${copy}`);
      expect(name.startsWith(copy.replace(/\.conflict-.*/, ''))).toBe(true);
      expect(await sync()).toEqual([`sent ${copy}`]);
      const all = { [copy]: 'changed here', [`${name}.md`]: 'changed there' };
      expect([await here(), await there()]).toEqual([all, all]);
      expect(await sync()).toEqual([]);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'leaves out a file of the memory whose name is too long here, and goes on',
    async () => {
      const { sync, here, tool } = await open();
      const name = `${'漢'.repeat(86)}.md`;
      await tool.create({ path: `/memories/${name}`, file_text: 'long' });
      await tool.create({ path: '/memories/short.md', file_text: 'short' });
      expect((await sync()).sort()).toEqual([
        'fetched short.md',
        `left out ${name}: has a name that this system does not take`,
      ]);
      expect(await here()).toEqual({ 'short.md': 'short' });
    },
  );

  test('lets a changed file win over a deleted one', async () => {
    const { sync, here, there, tool, write, at } = await open({ a: 'one', b: 'two' });
    await sync();
    await rm(at('a'));
    await tool.str_replace({ path: '/memories/a', old_str: 'one', new_str: 'changed there' });
    await write('b', 'changed here');
    await tool.delete({ path: '/memories/b' });
    expect((await sync()).sort()).toEqual(['fetched a', 'sent b']);
    const all = { a: 'changed there', b: 'changed here' };
    expect([await here(), await there()]).toEqual([all, all]);
  });

  test('takes a memory of which only other things than the text were changed for unchanged', async () => {
    const texts = { a: 'I drink tea.', b: 'two', c: 'three', d: 'four' };
    const { sync, look, here, there, write, at, memory } = await open(texts);
    await sync();
    for (const { id } of (await memory.files()).files) await memory.update({ id, importance: 0.9 });
    await write('a', 'I drink green tea.');
    await rm(at('b'));
    const done = ['deleted there b: restorable for 30 days', 'sent a'];
    expect((await look()).sort()).toEqual(done);
    expect((await sync()).sort()).toEqual(done);
    const all = { a: 'I drink green tea.', c: 'three', d: 'four' };
    expect([await here(), await there()]).toEqual([all, all]);
    expect(await sync()).toEqual([]);
  });

  test('joins two sides that had nothing in common, and the same text is no conflict', async () => {
    const { sync, here, tool } = await open({ a: 'same', b: 'here' });
    await tool.create({ path: '/memories/a', file_text: 'same' });
    await tool.create({ path: '/memories/b', file_text: 'there' });
    expect(await sync()).toEqual([expect.stringContaining('kept both b')]);
    expect(Object.values(await here()).sort()).toEqual(['here', 'same', 'there']);
  });

  test('only says what it would do when it is dry', async () => {
    const { look, root, here, there, tool } = await open({ a: 'here' });
    await tool.create({ path: '/memories/b', file_text: 'there' });
    expect((await look()).sort()).toEqual(['fetched b', 'sent a']);
    expect([await here(), await there()]).toEqual([{ a: 'here' }, { b: 'there' }]);
    expect(await readdir(root)).toEqual(['a']);
  });

  test('of a part of the memory leaves the rest alone', async () => {
    const { sync, there, tool, memory } = await open({ a: 'here' }, '/memories/orchard');
    await tool.create({ path: '/memories/elsewhere', file_text: 'not mine' });
    await sync();
    expect(await there()).toEqual({ a: 'here' });
    expect((await memory.files()).files.map(({ path }) => path)).toEqual([
      '/memories/elsewhere',
      '/memories/orchard/a',
    ]);
  });

  test('turns a file into a folder and back', async () => {
    const { sync, here, there, tool, write, at } = await open({ a: 'file', 'b/c': 'in a folder' });
    await sync();
    await rm(at('a'));
    await write('a/b', 'now a folder');
    await tool.delete({ path: '/memories/b' });
    await tool.create({ path: '/memories/b', file_text: 'now a file' });
    await sync();
    const all = { 'a/b': 'now a folder', b: 'now a file' };
    expect([await here(), await there()]).toEqual([all, all]);
  });

  test('sends again what a service restored from an old backup does not know', async () => {
    const { sync, look, here, there, memory, at } = await open({ a: 'kept here only' });
    await sync();
    const [file] = (await memory.files()).files;
    const state = await readFile(at(SYNC_STATE_FILE), 'utf8');
    await memory.forget({ id: file?.id ?? '' });
    await writeFile(
      at(SYNC_STATE_FILE),
      state.replaceAll(file?.id ?? '', '01a1fd19-0000-7000-8000-00000000ffff'),
    );
    expect(await look()).toEqual(['sent a']);
    expect(await sync()).toEqual(['sent a']);
    expect([await here(), await there()]).toEqual([{ a: 'kept here only' }, { a: 'kept here only' }]);
  });
});

describe('what is no file for a memory', () => {
  test('stays out with the reason, and is not taken for deleted', async () => {
    const { sync, there, write, at, root } = await open({
      'a.md': 'text',
      'b.md': 'text',
      'c.md': 'text',
      'd/e.md': 'text',
    });
    await sync();
    await write('a.md', Buffer.from([0x61, 0x00, 0x62]));
    await write('b.md', 'x'.repeat(32_769));
    await rm(at('c.md'));
    await symlink('/etc/hostname', at('c.md'));
    await rm(at('d'), { recursive: true });
    await symlink('/etc', at('d'));
    await write('latin.md', Buffer.from([0x66, 0xfc, 0x72]));
    await write('empty.md', ' \n');
    await write('what?.md', 'x');
    await write('aux.md', 'x');
    await write('.hidden', 'x');
    await write('node_modules/x/README.md', 'x');
    await write('Case.md', 'one');
    await write('long.md', '🦉'.repeat(32_768));
    await write('case.md', 'two');
    await mkdir(join(root, 'loop'));
    await symlink('..', at('loop/up'));
    const socket = createServer().listen(at('socket'));
    await once(socket, 'listening');
    const lines = await sync();
    expect(lines.sort()).toEqual([
      'left out a.md: is binary',
      'left out aux.md: has a name that must not contain the name of a device of Windows (here "aux.md")',
      'left out b.md: is longer than the 32,768 characters of a memory; split it',
      'left out c.md: is a link, which is not followed',
      'left out case.md: has a name that some systems take for Case.md',
      'left out d: is a link, which is not followed',
      'left out empty.md: holds no text',
      'left out latin.md: is no UTF-8 text',
      'left out loop/up: is a link, which is not followed',
      'left out socket: is no plain file',
      'left out what?.md: has a name that must not contain < > : " | ? *, which some systems refuse (here "what?.md")',
      'sent Case.md',
      'sent long.md',
    ]);
    expect(Object.keys(await there())).toEqual(['Case.md', 'a.md', 'b.md', 'c.md', 'd/e.md', 'long.md']);
    socket.close();
  });

  test('nothing is written through a link that takes a folder elsewhere', async () => {
    const { sync, tool, at } = await open();
    const elsewhere = await mkdtemp(join(folders, 'elsewhere-'));
    await symlink(elsewhere, at('a'));
    await tool.create({ path: '/memories/a/b.md', file_text: 'text' });
    expect(await sync()).toEqual(['left out a: is a link, which is not followed']);
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('a name that only passes for /memories/identity is refused there', async () => {
    const { sync, there } = await open({ 'Identity/me.md': 'I am Mallory.', 'a.md': 'text' });
    expect((await sync()).sort()).toEqual([
      expect.stringContaining('left out Identity/me.md: path: looks like /memories/identity'),
      'sent a.md',
    ]);
    expect(await there()).toEqual({ 'a.md': 'text' });
  });

  test('composed and decomposed names are one, and a file keeps its mode', async () => {
    const { sync, here, tool, write, at } = await open();
    await write('cafe\u0301.md', 'text');
    await chmod(at('cafe\u0301.md'), 0o640);
    await sync();
    await tool.str_replace({ path: '/memories/caf\u00e9.md', old_str: 'text', new_str: 'new' });
    expect(await sync()).toEqual(['fetched caf\u00e9.md']);
    expect(await here()).toEqual({ 'cafe\u0301.md': 'new' });
    expect((await lstat(at('cafe\u0301.md'))).mode & 0o777).toBe(0o640);
  });

  test('secrets stay here, and are not lost when the memory changes or goes', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const { sync, here, there, tool } = await open({ 'a.md': `key ${secret}`, 'b.md': `token ${secret}` });
    expect(await sync()).toEqual([
      'sent a.md: secrets were taken out there',
      'sent b.md: secrets were taken out there',
    ]);
    expect(JSON.stringify(await there())).not.toContain(secret);
    expect(await sync()).toEqual([]);
    await tool.str_replace({ path: '/memories/a.md', old_str: 'key', new_str: 'the key' });
    await tool.delete({ path: '/memories/b.md' });
    await sync();
    const left = Object.values(await here()).join('\n');
    expect(left).toContain(`key ${secret}`);
    expect(left).toContain(`token ${secret}`);
  });
});

describe('who the agent is', () => {
  test('waits for the human, file by file, and is told each time', async () => {
    const { sync, look, there, human, write, here, at } = await open({
      'identity/me.md': 'I am Ada.',
      'a.md': 'text',
    });
    const waits = expect.stringContaining('waits identity/me.md: for your human (Guardian)');
    expect(await look()).toEqual(['sent a.md', waits]);
    expect(await sync()).toEqual(['sent a.md', waits]);
    expect(await look()).toEqual([waits]);
    expect(await sync()).toEqual([waits]);
    expect(await there()).toEqual({ 'a.md': 'text' });
    const decide = async (how: 'approveChange' | 'rejectChange') => {
      const { entries } = await human.guardianQueue({});
      const open = entries.find(({ status }) => status === 'waiting' || status === 'cooling');
      await human[how]({ id: open?.id ?? '' });
    };
    await decide('approveChange');
    expect(await sync()).toEqual([]);
    expect(await there()).toEqual({ 'a.md': 'text', 'identity/me.md': 'I am Ada.' });

    await write('identity/me.md', 'I am Mallory.');
    expect(await look()).toEqual(['sent identity/me.md: or waits for your human (Guardian)']);
    expect(await sync()).toEqual([waits]);
    expect((await there())['identity/me.md']).toBe('I am Ada.');
    await decide('rejectChange');
    const rejected = [expect.stringContaining('left out identity/me.md: was rejected')];
    expect(await look()).toEqual(rejected);
    expect(await sync()).toEqual(rejected);
    expect(await sync()).toEqual(rejected);
    expect((await here())['identity/me.md']).toBe('I am Mallory.');

    // It cannot be deleted, so it comes back with what the memory says.
    await rm(at('identity/me.md'));
    const broughtBack = ['left out identity/me.md: cannot be deleted, and was brought back'];
    expect(await look()).toEqual(broughtBack);
    expect(await sync()).toEqual(broughtBack);
    expect((await here())['identity/me.md']).toBe('I am Ada.');
  });
});

test('what waited is asked anew of a service restored from an old backup, which does not know of it', async () => {
  const { sync, look, human, at } = await open({ 'identity/me.md': 'I am Ada.' });
  const waits = [expect.stringContaining('waits identity/me.md: for your human (Guardian)')];
  expect(await sync()).toEqual(waits);
  const state = JSON.parse(await readFile(at(SYNC_STATE_FILE), 'utf8'));
  const asked = state.files['identity/me.md'].waiting;
  await human.rejectChange({ id: asked.entry });
  asked.entry = '01a1fd19-0000-7000-8000-00000000ffff';
  await writeFile(at(SYNC_STATE_FILE), JSON.stringify(state));
  expect(await look()).toEqual(waits);
  // It was asked, and remembers the answer.
  expect(await sync()).toEqual([expect.stringContaining('Your human has rejected this text')]);
});

describe('the state', () => {
  test.each([
    ['{', 'is damaged'],
    ['{"version":1}', 'is damaged'],
    ['{"version":1,"agent":"other","path":"/memories","files":{}}', 'was synced with another agent'],
  ])('%s is refused with what to do, and nothing is touched', async (text, words) => {
    const { sync, here, there, write } = await open({ a: 'here' });
    await write(SYNC_STATE_FILE, text);
    await expect(sync()).rejects.toThrow(words);
    expect([await here(), await there()]).toEqual([{ a: 'here' }, {}]);
  });

  test('of a former release, which noted no times, serves as that of this one', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const { sync, here, there, write, at, tool } = await open({
      'deleted-here': 'one',
      'deleted-there': 'two',
      'edited-here': 'three',
      'edited-there': 'four',
      mark: '\uFEFFwith a byte order mark',
      same: 'five',
      secret,
    });
    await sync();
    const state = JSON.parse(await readFile(at(SYNC_STATE_FILE), 'utf8'));
    for (const file of Object.values<{ updatedAt?: string }>(state.files)) delete file.updatedAt;
    await writeFile(at(SYNC_STATE_FILE), JSON.stringify(state));
    kit.clock.advance(1);
    await rm(at('deleted-here'));
    await tool.delete({ path: '/memories/deleted-there' });
    await write('edited-here', 'three, edited');
    await tool.str_replace({ path: '/memories/edited-there', old_str: 'four', new_str: 'four, edited' });
    expect((await sync()).sort()).toEqual([
      'deleted here deleted-there',
      'deleted there deleted-here: restorable for 30 days',
      'fetched edited-there',
      'sent edited-here',
    ]);
    const all = { 'edited-here': 'three, edited', 'edited-there': 'four, edited', same: 'five' };
    expect([await here(), await there()]).toEqual([
      expect.objectContaining(all),
      expect.objectContaining(all),
    ]);
    expect(await sync()).toEqual([]);
    // The times are noted by now, so that the next sync need not read each file again.
    const noted = JSON.parse(await readFile(at(SYNC_STATE_FILE), 'utf8'));
    for (const file of Object.values(noted.files)) expect(file).toHaveProperty('updatedAt');
  });

  test('without it both sides are joined, and nothing is deleted', async () => {
    const { sync, here, there, at, tool } = await open({ a: 'one', b: 'two' });
    await sync();
    await rm(at('a'));
    await tool.delete({ path: '/memories/b' });
    await rm(at(SYNC_STATE_FILE));
    await sync();
    expect([await here(), await there()]).toEqual([
      { a: 'one', b: 'two' },
      { a: 'one', b: 'two' },
    ]);
  });
});

/** A memory whose service dies at its call of a number, before or after it has done it. */
function dying(memory: AgentMemory, at: number, after: boolean): AgentMemory {
  let calls = 0;
  const gone = new SvcError('UNAVAILABLE', 'killed');
  return new Proxy(memory, {
    get:
      (target, name: keyof AgentMemory) =>
      async (...args: unknown[]) => {
        calls += 1;
        if (calls > at || (calls === at && !after)) throw gone;
        const answer = await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args);
        if (calls === at) throw gone;
        return answer;
      },
  });
}

const edit = fc.record({
  side: fc.constantFrom('here' as const, 'there' as const),
  name: fc.constantFrom('a', 'b', 'd/e'),
  text: fc.option(fc.nat(9_999).map((number) => `text ${number}`)),
});
const round = fc.record({ edits: fc.array(edit, { maxLength: 4 }), at: fc.nat(14), after: fc.boolean() });

test('random edits on both sides, with a sync killed at any call: both become equal as a dry run says, and no text is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const { memory, root, sync, look, here, there, write, at, tool } = await open();
      for (const { edits, at: call, after } of rounds) {
        kit.clock.advance(1);
        for (const { side, name, text } of edits) {
          const path = `/memories/${name}`;
          if (side === 'here') await (text === null ? rm(at(name), { force: true }) : write(name, text));
          else if (text === null) await tool.run({ command: 'delete', path });
          else {
            const old_str = (await there())[name];
            await tool.run(
              old_str === undefined
                ? { command: 'create', path, file_text: text }
                : { command: 'str_replace', path, old_str, new_str: text },
            );
          }
        }
        const before = [...Object.values(await here()), ...Object.values(await there())];
        // Killed, it writes no state: what it has done stands.
        const state = await readFile(at(SYNC_STATE_FILE)).catch(() => undefined);
        await sync(dying(memory, call, after)).catch((error: SvcError) =>
          expect(error.message).toBe('killed'),
        );
        await (state ? writeFile(at(SYNC_STATE_FILE), state) : rm(at(SYNC_STATE_FILE), { force: true }));
        const dry = await look();
        expect(await sync()).toEqual(dry);
        await sync();
        expect(await here()).toEqual(await there());
        expect(await sync()).toEqual([]);
        const everything = JSON.stringify(await memory.export());
        for (const text of before) expect(everything).toContain(text);
      }
      await rm(root, { recursive: true });
    }),
    { numRuns: cases(8, 150) },
  );
}, 600_000);
