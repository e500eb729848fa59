import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../../adapter/memory-files.ts';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

const HUMAN = { source: 'human', credentialId: null } as const;
const LISTED = (folder: string) =>
  `Here're the files and directories up to 2 levels deep in ${folder}, excluding hidden items and node_modules:`;
const WAITS = 'waits for your human';

async function open(files: Readonly<Record<string, string>> = {}) {
  const tenant = await kit.tenant();
  const memory = tenant.agent();
  const tool = memoryFiles(memory);
  for (const [path, file_text] of Object.entries(files)) await tool.create({ path, file_text });
  const textOf = async (path: string) => {
    const { files } = await memory.files();
    const id = files.find((file) => file.path === path)?.id;
    return id && (await memory.get({ id })).memory.content;
  };
  return { ...tenant, memory, tool, textOf, human: tenant.agent(HUMAN) };
}

const pathsOf = async (memory: AgentMemory) => (await memory.files()).files.map(({ path }) => path);

describe('the commands answer as the documentation of the memory tool says', () => {
  test('view of the folder when there is nothing yet', async () => {
    const { tool } = await open();
    const empty = `${LISTED('/memories')}\n0B\t/memories`;
    expect(await tool.view({ path: '/memories' })).toBe(empty);
    expect(await tool.view({ path: '/memories/' })).toBe(empty);
  });

  test('view of a folder lists two levels with sizes', async () => {
    const { tool } = await open({
      '/memories/notes.md': 'x'.repeat(1_536),
      '/memories/projects/a.md': 'äb',
      '/memories/projects/deep/one.md': 'x'.repeat(1_024),
      '/memories/projects/deep/er/two.md': 'x',
      '/memories/projects.md': 'x',
    });
    expect(await tool.view({ path: '/memories' })).toBe(
      [
        LISTED('/memories'),
        '2.5K\t/memories',
        '1.5K\t/memories/notes.md',
        '1.0K\t/memories/projects/',
        '3B\t/memories/projects/a.md',
        '1.0K\t/memories/projects/deep/',
        '1B\t/memories/projects.md',
      ].join('\n'),
    );
    expect(await tool.view({ path: '/memories/projects/deep/' })).toBe(
      [
        LISTED('/memories/projects/deep'),
        '1.0K\t/memories/projects/deep',
        '1B\t/memories/projects/deep/er/',
        '1B\t/memories/projects/deep/er/two.md',
        '1K\t/memories/projects/deep/one.md',
      ].join('\n'),
    );
  });

  test('view of a file numbers its lines, all or a range of them', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
    const { tool } = await open({ '/memories/a.md': lines.join('\n'), '/memories/b.md': 'one\r\ntwo\n' });
    const head = "Here's the content of /memories/a.md with line numbers:";
    const shown = lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
    expect(await tool.view({ path: '/memories/a.md' })).toBe([head, ...shown].join('\n'));
    expect(await tool.view({ path: '/memories/a.md', view_range: [9, 10] })).toBe(
      [head, ...shown.slice(8, 10)].join('\n'),
    );
    expect(await tool.view({ path: '/memories/a.md', view_range: [11, -1] })).toBe(
      [head, ...shown.slice(10)].join('\n'),
    );
    expect(await tool.view({ path: '/memories/a.md', view_range: [12, 99] })).toBe(
      [head, shown[11]].join('\n'),
    );
    expect(await tool.view({ path: '/memories/b.md' })).toMatch(/: *\n {5}1\tone\r\n {5}2\ttwo\n {5}3\t$/);
    for (const view_range of [
      [0, 2],
      [13, 14],
      [5, 4],
      [1, -2],
    ] as [number, number][]) {
      await expect(tool.view({ path: '/memories/a.md', view_range })).rejects.toThrow(
        `Error: Invalid \`view_range\` parameter: [${view_range.join(', ')}]`,
      );
    }
  });

  test('create', async () => {
    const { tool } = await open();
    const path = '/memories/a/b.md';
    expect(await tool.create({ path, file_text: 'x' })).toBe(`File created successfully at: ${path}`);
    expect(await tool.run({ command: 'create', path, file_text: 'y' })).toBe(
      `Error: File ${path} already exists`,
    );
    expect(await tool.run({ command: 'create', path: '/memories/a', file_text: 'y' })).toBe(
      'Error: File /memories/a already exists',
    );
  });

  test('str_replace', async () => {
    const path = '/memories/a.md';
    const { tool, textOf } = await open({ [path]: 'one\ntwo\nthree\nfour\nfive\nsix\none more $& $1' });
    const edit = (old_str: string, new_str?: string) =>
      tool.run({ command: 'str_replace', path, old_str, ...(new_str === undefined ? {} : { new_str }) });
    expect(await edit('four', "4 $& $` $' $$\n4b")).toBe(
      [
        'The memory file has been edited. Here is the snippet showing the change (with line numbers):',
        '     2\ttwo',
        '     3\tthree',
        "     4\t4 $& $` $' $$",
        '     5\t4b',
        '     6\tfive',
        '     7\tsix',
      ].join('\n'),
    );
    expect(await edit('nine', '9')).toBe(
      `No replacement was performed, old_str \`nine\` did not appear verbatim in ${path}.`,
    );
    expect(await edit('one', '1')).toBe(
      'No replacement was performed. Multiple occurrences of old_str `one` in lines: 1, 8. Please ensure it is unique',
    );
    expect(await edit('three\n4')).toContain('The memory file has been edited.');
    expect(await textOf(path)).toBe("one\ntwo\n $& $` $' $$\n4b\nfive\nsix\none more $& $1");
    expect(
      await tool.run({ command: 'str_replace', path: '/memories/none.md', old_str: 'a', new_str: 'b' }),
    ).toBe('Error: The path /memories/none.md does not exist. Please provide a valid path.');
    expect(await tool.run({ command: 'str_replace', path: '/memories', old_str: 'a', new_str: 'b' })).toBe(
      'Error: The path /memories does not exist. Please provide a valid path.',
    );
  });

  test('insert', async () => {
    const path = '/memories/a.md';
    const { tool, textOf } = await open({ [path]: 'one\ntwo\n' });
    const insert = (insert_line: number, insert_text: string) =>
      tool.run({ command: 'insert', path, insert_line, insert_text });
    expect(await insert(0, 'zero\n')).toBe(`The file ${path} has been edited.`);
    expect(await insert(2, 'one and a half')).toBe(`The file ${path} has been edited.`);
    expect(await insert(5, 'end')).toBe(`The file ${path} has been edited.`);
    expect(await textOf(path)).toBe('zero\none\none and a half\ntwo\n\nend');
    for (const line of [-1, 7]) {
      expect(await insert(line, 'x')).toBe(
        `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, 6]`,
      );
    }
    expect(await tool.run({ command: 'insert', path: '/memories/b', insert_line: 0, insert_text: 'x' })).toBe(
      'Error: The path /memories/b does not exist',
    );
  });

  test('delete, of a file and of a folder with all it holds', async () => {
    const { tool, memory } = await open({
      '/memories/a/b.md': 'x',
      '/memories/a/c/d.md': 'y',
      '/memories/ab.md': 'z',
    });
    expect(await tool.delete({ path: '/memories/a' })).toBe('Successfully deleted /memories/a');
    expect(await pathsOf(memory)).toEqual(['/memories/ab.md']);
    expect(await tool.run({ command: 'delete', path: '/memories/a' })).toBe(
      'Error: The path /memories/a does not exist',
    );
    expect(await tool.run({ command: 'delete', path: '/memories/ab.md/' })).toBe(
      'Error: The path /memories/ab.md/ does not exist',
    );
    expect(await tool.run({ command: 'delete', path: '/memories/' })).toBe(
      'Error: Cannot delete the /memories directory itself',
    );
    expect(await tool.run({ command: 'view', path: '/memories/a' })).toBe(
      'The path /memories/a does not exist. Please provide a valid path.',
    );
  });

  test('rename, of a file and of a folder', async () => {
    const { tool, memory, textOf } = await open({
      '/memories/a/b.md': 'x',
      '/memories/a/c/d.md': 'y',
      '/memories/e.md': 'z',
    });
    const rename = (old_path: string, new_path: string) =>
      tool.run({ command: 'rename', old_path, new_path });
    expect(await rename('/memories/a', '/memories/f/g')).toBe(
      'Successfully renamed /memories/a to /memories/f/g',
    );
    expect(await rename('/memories/e.md', '/memories/E.md')).toBe(
      'Successfully renamed /memories/e.md to /memories/E.md',
    );
    expect(await pathsOf(memory)).toEqual(['/memories/E.md', '/memories/f/g/b.md', '/memories/f/g/c/d.md']);
    expect(await textOf('/memories/f/g/c/d.md')).toBe('y');
    expect(await rename('/memories/a', '/memories/h')).toBe('Error: The path /memories/a does not exist');
    expect(await rename('/memories/E.md', '/memories/f/g/b.md')).toBe(
      'Error: The destination /memories/f/g/b.md already exists',
    );
    expect(await rename('/memories/E.md', '/memories/f')).toBe(
      'Error: The destination /memories/f already exists',
    );
    expect(await rename('/memories/E.md', '/memories/E.md')).toBe(
      'Error: The destination /memories/E.md already exists',
    );
    expect(await rename('/memories/f', '/memories/f/g/h')).toBe(
      'Error: /memories/f cannot be moved into itself',
    );
    expect(await rename('/memories', '/memories/x')).toBe(
      'Error: Cannot rename the /memories directory itself',
    );
    expect(await rename('/memories/E.md', '/memories/f/g/b.md/E.md')).toBe(
      'Error: /memories/f/g/b.md is a file, not a folder: /memories/f/g/b.md/E.md cannot be in it',
    );
    expect(await rename('/memories/E.md', '/memories/F/E.md')).toContain(
      '/memories/f exists, and names that differ',
    );
  });
});

describe('what is refused, with nothing changed', () => {
  test.each([
    [{ command: 'create', path: '/memories/../x', file_text: 'x' }, 'Error: path: must not lead elsewhere'],
    [{ command: 'create', path: '/memories/new/', file_text: 'x' }, 'Error: /memories/new/ names a folder'],
    [
      { command: 'create', path: '/memories/a.md/b.md', file_text: 'x' },
      'Error: /memories/a.md is a file, not a folder',
    ],
    [
      { command: 'create', path: '/memories/A.md', file_text: 'x' },
      'Error: /memories/a.md exists, and names that',
    ],
    [
      { command: 'create', path: '/memories/b.md', file_text: ' \n' },
      'Error: /memories/b.md would hold no text',
    ],
    [
      { command: 'create', path: '/memories/b.md', file_text: '' },
      'Error: /memories/b.md would hold no text',
    ],
    [
      { command: 'create', path: '/memories/b.md', file_text: 'x'.repeat(32_769) },
      'Error: /memories/b.md would hold 32,769 characters; a file holds at most 32,768. Split it into several files',
    ],
    [
      { command: 'create', path: '/memories/b.md', file_text: 'a\u0000b' },
      'Error: file_text: must not contain NUL',
    ],
    [{ command: 'create', path: '/memories/b.md', file_text: '\ud800' }, 'unpaired surrogates'],
    [
      { command: 'insert', path: '/memories/a.md', insert_line: 0, insert_text: 'x'.repeat(32_768) },
      'a file holds at most',
    ],
    [{ command: 'str_replace', path: '/memories/a.md', old_str: 'text', new_str: '' }, 'would hold no text'],
    [
      { command: 'str_replace', path: '/memories/a.md', old_str: '', new_str: 'x' },
      'Error: old_str: must not be empty',
    ],
    [
      { command: 'rename', old_path: '/memories/a.md', new_path: '/tmp/a.md' },
      'Error: new_path: must be /memories',
    ],
    [
      { command: 'rename', old_path: '/memories/a.md', new_path: '/memories/b/' },
      'Error: /memories/a.md is a file',
    ],
    [{ command: 'create', file_text: 'x' }, 'Error: path: is required when command is create'],
    [
      { command: 'view', path: '/memories', file_text: 'x' },
      'Error: file_text: is not used when command is view',
    ],
    [{ command: 'undo_edit', path: '/memories/a.md' }, 'Error: command: must be one of view, create'],
    [{ path: '/memories/a.md' }, 'Error: command: must be one of view, create'],
    ['view', 'Error: must be an object'],
    [{ command: 'view', path: ['/memories'] }, 'Error: path: must be a string'],
  ])('%j', async (command, text) => {
    const { tool, memory, textOf } = await open({ '/memories/a.md': 'text' });
    expect(await tool.run(command)).toContain(text);
    expect(await pathsOf(memory)).toEqual(['/memories/a.md']);
    expect(await textOf('/memories/a.md')).toBe('text');
  });

  test('a folder of many files is not taken at once', async () => {
    const { tool, memory } = await open();
    const drafts = Array.from({ length: 201 }, (_, index) => ({
      type: 'semantic' as const,
      content: `Note ${index}`,
      key: `files/many/${index}.md`,
    }));
    await memory.rememberBatch({ memories: drafts });
    expect(await tool.run({ command: 'delete', path: '/memories/many' })).toContain(
      'At most 200 files are deleted at once',
    );
    expect(
      await tool.run({ command: 'rename', old_path: '/memories/many', new_path: '/memories/few' }),
    ).toContain('At most 200 files are renamed at once');
    expect((await memory.files()).files).toHaveLength(201);
  });
});

describe('a file is a memory', () => {
  test('found by recall, in the passage that says it', async () => {
    const filler = 'Nothing of interest happened on that day at all. '.repeat(300);
    const { memory } = await open({
      '/memories/log.md': `# Log\n\n${filler}\n\n## Office\n\nThe spare key hangs behind the blue shed.\n\n${filler}`,
    });
    const { results } = await memory.recall({ query: 'where does the spare key hang?' });
    expect(results[0]).toMatchObject({ key: 'files/log.md', type: 'semantic' });
  });

  test('each edit is a version, and an undo takes edits back', async () => {
    const { memory, tool, textOf, human } = await open({ '/memories/a.md': 'one' });
    kit.clock.advance(60_000);
    const since = kit.clock().toISOString();
    await tool.str_replace({ path: '/memories/a.md', old_str: 'one', new_str: 'two' });
    await tool.rename({ old_path: '/memories/a.md', new_path: '/memories/working/a.md' });
    const [file] = (await memory.files()).files;
    expect(file).toMatchObject({ path: '/memories/working/a.md', version: 3, bytes: 3 });
    const { versions } = await memory.history({ id: file?.id ?? '' });
    expect(versions.map(({ content, key, type }) => [content, key, type])).toEqual([
      ['two', 'files/working/a.md', 'working'],
      ['two', 'files/a.md', 'semantic'],
      ['one', 'files/a.md', 'semantic'],
    ]);
    await human.undo({ source: 'agent', since });
    expect(await pathsOf(memory)).toEqual(['/memories/a.md']);
    expect(await textOf('/memories/a.md')).toBe('one');
  });

  test('a deleted one is restored by its id', async () => {
    const { memory, tool, textOf } = await open({ '/memories/a.md': 'text' });
    const [file] = (await memory.files()).files;
    await tool.delete({ path: '/memories/a.md' });
    await memory.restore({ id: file?.id ?? '' });
    expect(await textOf('/memories/a.md')).toBe('text');
  });

  test('secrets are taken out, and the answer says so', async () => {
    const { tool, textOf } = await open();
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const text = await tool.create({ path: '/memories/a.md', file_text: `token ${token}` });
    expect(text).toContain('File created successfully at: /memories/a.md\nSecrets are not kept:');
    expect(await textOf('/memories/a.md')).not.toContain(token);
    expect(await tool.run({ command: 'create', path: `/memories/${token}.md`, file_text: 'x' })).toContain(
      'Error: path: must not hold a secret',
    );
  });

  test('what hides in a text is shown, and its host is not imitated', async () => {
    const { tool } = await open({ '/memories/a.md': 'a\u202eb\n</system-reminder>\n' });
    expect(await tool.view({ path: '/memories/a.md' })).toContain(
      '     1\ta\\u{202E}b\n     2\t\\u{3C}/system-reminder>',
    );
  });

  test('other memories with such keys are no files, and are not overwritten', async () => {
    const { tool, memory } = await open();
    await memory.remember({ type: 'semantic', content: 'I am Mallory.', key: 'files/identity/me.md' });
    await memory.remember({ type: 'semantic', content: 'Out.', key: 'files/../out.md' });
    expect(await tool.view({ path: '/memories' })).toBe(`${LISTED('/memories')}\n0B\t/memories`);
    expect(
      await tool.run({ command: 'create', path: '/memories/identity/me.md', file_text: 'I am Ada.' }),
    ).toContain('Error: Another memory has the key "files/identity/me.md"');
  });

  test('of another agent nothing is seen', async () => {
    await open({ '/memories/a.md': 'text' });
    const other = await open();
    expect(await pathsOf(other.memory)).toEqual([]);
    expect(await other.tool.run({ command: 'view', path: '/memories/a.md' })).toContain('does not exist');
  });

  test('a version that is named must be the one there is', async () => {
    const { memory, textOf } = await open({ '/memories/a.md': 'one' });
    const edit = { command: 'str_replace', path: '/memories/a.md', old_str: 'one', new_str: 'two' } as const;
    const refused = { code: 'CONFLICT', details: { version: 1 } };
    await expect(memory.fileCommand(edit, { ifMatch: 2 })).rejects.toMatchObject(refused);
    await expect(
      memory.fileCommand({ command: 'delete', path: edit.path }, { ifMatch: 2 }),
    ).rejects.toMatchObject(refused);
    expect(await textOf(edit.path)).toBe('one');
    await memory.fileCommand(edit, { ifMatch: 1 });
    expect(await textOf(edit.path)).toBe('two');
  });

  test('a repeated call is answered as the first', async () => {
    const { memory, textOf } = await open({ '/memories/a.md': 'one' });
    const insert = {
      command: 'insert',
      path: '/memories/a.md',
      insert_line: 0,
      insert_text: 'zero',
    } as const;
    const first = await memory.fileCommand(insert, { idempotencyKey: 'once' });
    expect(await memory.fileCommand(insert, { idempotencyKey: 'once' })).toEqual(first);
    expect(await textOf('/memories/a.md')).toBe('zero\none');
  });

  test('of many edits at once none is lost', async () => {
    const { memory, textOf } = await open({ '/memories/a.md': 'start' });
    const lines = Array.from({ length: 6 }, (_, index) => `line ${index}`);
    const keys = lines.map((line) => ({ idempotencyKey: line.replace(' ', '-') }));
    const insert = (line: string, at: number) =>
      memory.fileCommand(
        { command: 'insert', path: '/memories/a.md', insert_line: 0, insert_text: line },
        keys[at],
      );
    await Promise.all(lines.map(insert));
    // What had to be made again keeps its key, too.
    await Promise.all(lines.map(insert));
    expect((await textOf('/memories/a.md'))?.split('\n').sort()).toEqual([...lines, 'start'].sort());
  });

  test('of many creations of one path one wins', async () => {
    const { tool, memory, textOf } = await open();
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        tool.run({ command: 'create', path: '/memories/a.md', file_text: `text ${index}` }),
      ),
    );
    expect(made.filter((text) => text.startsWith('File created'))).toHaveLength(1);
    expect(await pathsOf(memory)).toEqual(['/memories/a.md']);
    expect(await textOf('/memories/a.md')).toBe(
      `text ${made.findIndex((text) => text.startsWith('File created'))}`,
    );
  });
});

describe('who the agent is', () => {
  const me = '/memories/identity/me.md';
  const create = { command: 'create', path: me, file_text: 'I am Ada.' } as const;

  async function withIdentity() {
    const opened = await open();
    const { entry } = await opened.memory.fileCommand(create);
    await opened.human.approveChange({ id: entry?.id ?? '' });
    return opened;
  }

  test('a new file waits for the human, who then finds it', async () => {
    const { memory, human, tool, textOf } = await open();
    const { outcome, text, entry } = await memory.fileCommand(create);
    expect(outcome).toBe('queued');
    expect(text).toContain(`The new file ${me} ${WAITS}`);
    expect(await tool.run({ command: 'view', path: me })).toContain('does not exist');
    await human.approveChange({ id: entry?.id ?? '' });
    expect(await textOf(me)).toBe('I am Ada.');
    expect((await memory.boot()).injection).toContain('I am Ada.');
  });

  test('the same text that was rejected is told so', async () => {
    const { memory, human, tool } = await open();
    const { entry } = await memory.fileCommand(create);
    await human.rejectChange({ id: entry?.id ?? '' });
    expect(await tool.run(create)).toContain('rejected this text');
    expect(await pathsOf(memory)).toEqual([]);
  });

  test('an edit waits, and the file says what it said', async () => {
    const { tool, textOf, human, memory } = await withIdentity();
    const edit = { command: 'str_replace', path: me, old_str: 'Ada', new_str: 'Mallory' } as const;
    expect(await tool.run(edit)).toContain(`The change to ${me} ${WAITS}`);
    expect(await textOf(me)).toBe('I am Ada.');
    expect(await tool.run(edit)).toContain('A change to the memory');
    const { entries } = await memory.guardianQueue({ status: 'cooling' });
    await human.approveChange({ id: entries[0]?.id ?? '' });
    expect(await textOf(me)).toBe('I am Mallory.');
  });

  test('it cannot be deleted, nor moved out or in at once', async () => {
    const { tool, textOf, memory } = await withIdentity();
    expect(await tool.run({ command: 'delete', path: me })).toBe(
      'Error: Memories of category identity cannot be deleted.',
    );
    expect(await tool.run({ command: 'delete', path: '/memories/identity' })).toContain('cannot be deleted');
    expect(await tool.run({ command: 'rename', old_path: me, new_path: '/memories/me.md' })).toContain(WAITS);
    await tool.create({ path: '/memories/new.md', file_text: 'I am Mallory.' });
    expect(
      await tool.run({ command: 'rename', old_path: '/memories/new.md', new_path: '/memories/soul/new.md' }),
    ).toContain(WAITS);
    await tool.create({ path: '/memories/more/a.md', file_text: 'I am Eve.' });
    await tool.create({ path: '/memories/more/b.md', file_text: 'I am Eve too.' });
    expect(
      await tool.run({ command: 'rename', old_path: '/memories/more', new_path: '/memories/soul/more' }),
    ).toContain('nothing was changed');
    expect(await pathsOf(memory)).toEqual([
      me,
      '/memories/more/a.md',
      '/memories/more/b.md',
      '/memories/new.md',
    ]);
    expect(await textOf(me)).toBe('I am Ada.');
  });

  test('core memories that are no files are shown under their id, and edited the same way', async () => {
    const { memory, tool } = await open();
    const soul = await memory.remember({ type: 'core', category: 'soul', content: 'I am kind.' });
    const routine = await memory.remember({
      type: 'core',
      category: 'routine',
      content: 'Check the weather.',
    });
    const [soulPath, routinePath] = [
      `/memories/soul/${soul.memory.id}.md`,
      `/memories/routine/${routine.memory.id}.md`,
    ];
    expect(await tool.view({ path: '/memories' })).toContain(`10B\t${soulPath}`);
    expect(await tool.view({ path: soulPath })).toContain('     1\tI am kind.');
    expect(
      await tool.run({ command: 'str_replace', path: soulPath, old_str: 'kind', new_str: 'cruel' }),
    ).toContain(WAITS);
    await tool.insert({ path: routinePath, insert_line: 1, insert_text: 'Then the news.' });
    expect((await memory.get({ id: routine.memory.id })).memory.content).toBe(
      'Check the weather.\nThen the news.',
    );
    expect(
      await tool.run({ command: 'rename', old_path: routinePath, new_path: '/memories/x.md' }),
    ).toContain('its name stays');
    expect(await pathsOf(memory)).toEqual([]);
  });
});

describe('what the human may see', () => {
  test('files are listed as visibility allows, and no command tells more', async () => {
    const { memory, human, tool } = await open({
      '/memories/a.md': 'text',
      '/memories/working/b.md': 'hidden',
    });
    const command = { command: 'view', path: '/memories' } as const;
    expect((await human.fileCommand(command)).text).toContain('/memories/working/b.md');
    const { session_key: sessionKey } = await memory.sessionKey();
    await memory.setVisibility({ types: { working: 'hidden' } }, { sessionKey });
    expect(await pathsOf(human)).toEqual(['/memories/a.md']);
    await expect(human.fileCommand(command)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await tool.view({ path: '/memories' })).toContain('/memories/working/b.md');
  });
});
