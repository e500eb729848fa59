import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FileCommand, memoryFiles } from '../../adapter/memory-files.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';

const kit = useTestEngine();

/** A file system as naive as can be: texts by path. It answers whether a command was done, and what is there then. */
class NaiveFiles {
  readonly texts = new Map<string, string>();

  under(path: string): string[] {
    return [...this.texts.keys()].filter((one) => one === path || one.startsWith(`${path}/`));
  }

  do(command: FileCommand): boolean {
    const { path = '', old_path = '', new_path = '' } = command;
    const text = this.texts.get(path);
    switch (command.command) {
      case 'view':
        return path === '/memories' || this.under(path).length > 0;
      case 'create':
        return this.put(path, command.file_text ?? '');
      case 'str_replace': {
        const parts = text?.split(command.old_str ?? '') ?? [];
        return parts.length === 2 && this.change(path, parts.join(command.new_str));
      }
      case 'insert': {
        const lines = text?.split('\n') ?? [];
        const at = command.insert_line ?? 0;
        if (text === undefined || at > lines.length) return false;
        const inserted = command.insert_text?.replace(/\n$/, '') ?? '';
        return this.change(path, [...lines.slice(0, at), inserted, ...lines.slice(at)].join('\n'));
      }
      case 'delete': {
        const found = path === '/memories' ? [] : this.under(path);
        for (const one of found) this.texts.delete(one);
        return found.length > 0;
      }
      case 'rename':
        return this.move(old_path, new_path);
    }
  }

  private change(path: string, text: string): boolean {
    if (text.trim() === '') return false;
    this.texts.set(path, text);
    return true;
  }

  private put(path: string, text: string): boolean {
    return this.isFree(path) && this.change(path, text);
  }

  private isFree(path: string): boolean {
    const folders = path.split('/').map((_, index, names) => names.slice(0, index).join('/'));
    return (
      path !== '/memories' &&
      this.under(path).length === 0 &&
      !folders.some((folder) => this.texts.has(folder))
    );
  }

  private move(from: string, to: string): boolean {
    const found = from === '/memories' ? [] : this.under(from);
    if (found.length === 0 || to === '/memories' || `${to}/`.startsWith(`${from}/`)) return false;
    if (this.under(to).length > 0) return false;
    const moved = found.map((path) => [path, this.texts.get(path) ?? ''] as const);
    for (const path of found) this.texts.delete(path);
    const isFree = this.isFree(to);
    for (const [path, text] of moved) this.texts.set(isFree ? to + path.slice(from.length) : path, text);
    return isFree;
  }
}

const name = fc.constantFrom('a', 'b', 'c.md');
const path = fc.array(name, { maxLength: 3 }).map((names) => ['/memories', ...names].join('/'));
const text = fc
  .array(fc.constantFrom('one', 'two', ' ', '\n', 'ä', '$&', '日'), { maxLength: 6 })
  .map((words) => words.join(''));
const command: fc.Arbitrary<FileCommand> = fc.oneof(
  fc.record({ command: fc.constant('view' as const), path }),
  { weight: 4, arbitrary: fc.record({ command: fc.constant('create' as const), path, file_text: text }) },
  fc.record({
    command: fc.constant('str_replace' as const),
    path,
    old_str: fc.constantFrom('one', 'two', '\n', 'one\ntwo', '日'),
    new_str: text,
  }),
  fc.record({
    command: fc.constant('insert' as const),
    path,
    insert_line: fc.nat(4),
    insert_text: text,
  }),
  fc.record({ command: fc.constant('delete' as const), path }),
  fc.record({ command: fc.constant('rename' as const), old_path: path, new_path: path }),
);

const DONE =
  /^(?:Here're the files|Here's the content|File created|The memory file has been edited|The file .* has been edited|Successfully)/;

async function open() {
  const memory = (await kit.tenant()).agent();
  const texts = async () => {
    const { files } = await memory.files();
    const found = files.map(
      async ({ path, id }) => [path, (await memory.get({ id })).memory.content] as const,
    );
    return inOrder(await Promise.all(found));
  };
  return { tool: memoryFiles(memory), texts };
}

test('random commands do what they would do to files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
      const { tool, texts } = await open();
      const naive = new NaiveFiles();
      for (const one of commands) {
        const answer = await tool.run(one);
        expect([one, DONE.test(answer), answer]).toEqual([one, naive.do(one), answer]);
      }
      expect(await texts()).toEqual(inOrder([...naive.texts]));
    }),
    { numRuns: cases(12, 200) },
  );
}, 600_000);

test('two clients at once leave what some order of their commands leaves', async () => {
  const some = fc.array(command, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 6 }), some, some, async (first, one, other) => {
      const { tool, texts } = await open();
      const naive = new NaiveFiles();
      for (const each of first) {
        await tool.run(each);
        naive.do(each);
      }
      const before = [...naive.texts];
      const answers = await Promise.all(
        [one, other].map(async (commands) => {
          const done: boolean[] = [];
          for (const each of commands) done.push(DONE.test(await tool.run(each)));
          return done;
        }),
      );
      const after = JSON.stringify([answers, await texts()]);
      expect([...outcomes(before, one, other)]).toContain(after);
    }),
    { numRuns: cases(10, 150) },
  );
}, 600_000);

function inOrder(texts: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([...texts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What each order of two lists of commands comes to. */
function outcomes(
  before: readonly (readonly [string, string])[],
  one: readonly FileCommand[],
  other: readonly FileCommand[],
): Set<string> {
  const found = new Set<string>();
  for (const order of interleavings(one.length, other.length)) {
    const naive = new NaiveFiles();
    for (const [path, text] of before) naive.texts.set(path, text);
    const [left, right] = [[...one], [...other]];
    const done: [boolean[], boolean[]] = [[], []];
    for (const side of order) {
      const next = (side === 0 ? left : right).shift();
      if (next) done[side].push(naive.do(next));
    }
    found.add(JSON.stringify([done, inOrder([...naive.texts])]));
  }
  return found;
}

function interleavings(left: number, right: number): (0 | 1)[][] {
  if (left === 0 && right === 0) return [[]];
  const begin = (side: 0 | 1, rest: (0 | 1)[][]) => rest.map((order) => [side, ...order]);
  return [
    ...(left > 0 ? begin(0, interleavings(left - 1, right)) : []),
    ...(right > 0 ? begin(1, interleavings(left, right - 1)) : []),
  ];
}
