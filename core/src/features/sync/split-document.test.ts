import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitDocument } from './split-document.ts';

const FILLER = `${'Some words to make this long enough. '.repeat(20)}\n`;

async function slugsOf(document: string): Promise<(string | undefined)[]> {
  return (await splitDocument(document)).map(({ slug }) => slug);
}

/** Processor time since then: what the work costs, however busy the machine is. */
function cpuMilliseconds(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

describe('splitting a document', () => {
  test('a short one stays whole, whatever headings it has', async () => {
    expect(await splitDocument('# A\n\n## B\ntext\n')).toEqual([{ text: '# A\n\n## B\ntext\n' }]);
  });

  test('a long one without headings stays whole', async () => {
    expect(await splitDocument(FILLER.repeat(3))).toEqual([{ text: FILLER.repeat(3) }]);
  });

  test('each heading begins a part, and what comes first has no slug', async () => {
    expect(await splitDocument(`intro\n\n# One\n${FILLER}## Two & ½ things ##\nb\n`)).toEqual([
      { text: 'intro\n\n' },
      { slug: 'one', text: `# One\n${FILLER}` },
      { slug: 'two-½-things', text: '## Two & ½ things ##\nb\n' },
    ]);
    expect(await slugsOf(`\n\n# One\n${FILLER}# Two\n`)).toEqual([undefined, 'two']);
  });

  test('equal headings get numbers, and taken slugs are avoided', async () => {
    const document = `x\n# A\n# A\n# a!\n# A 2\n#\n${FILLER}`;
    expect(await slugsOf(document)).toEqual([undefined, 'a', 'a-2', 'a-3', 'a-2-2', 'section']);
    expect((await splitDocument(document, ['a'])).map(({ slug }) => slug)).toContain('a-4');
  });

  test('editing one section renames no other', async () => {
    const before = await slugsOf(`x\n# One\n${FILLER}# Two\n${FILLER}# Three\n`);
    expect(await slugsOf(`x\n# One\nnew\n${FILLER}# Two\nshorter, ${FILLER}# Three\nmore\n`)).toEqual(before);
  });

  test.each([
    ['fences', '```sh\n# no\n```\n'],
    ['longer fences', '~~~~\n```\n# no\n~~~\n# no\n~~~~\n'],
    ['fences in a list item', '- ```sh\n  # no\n    ```\n'],
    ['an unclosed fence', '````\n# no\n```\n# no\n'],
    ['indented code', '    # no\n\t# no\n'],
    ['comments', '<!--\n# no\n-->\n'],
    ['words that only look like it', '#no\n####### no\n\\# no\ntext # no\n'],
  ])('headings do not count in %s', async (_name, block) => {
    expect(await slugsOf(`${FILLER}${block}`)).toEqual([undefined]);
  });

  test('a heading after a closed fence counts again', async () => {
    expect(await slugsOf(`${FILLER}\`\`\`\n# no\n\`\`\`\n# yes\n`)).toEqual([undefined, 'yes']);
    expect(await slugsOf(`${FILLER}\`\`\` a \`b\`\n# yes\n`)).toEqual([undefined, 'yes']);
    expect(await slugsOf(`${FILLER}a\r\n# yes\r\nb\r# too\rc`)).toEqual([undefined, 'yes', 'too']);
  });

  test('a section too long for one memory is split further', async () => {
    const parts = await splitDocument(`x\n# Long\n${'word '.repeat(15_000)}\n# Next\n`);
    expect(parts.map(({ slug }) => slug)).toEqual([undefined, 'long', 'long~2', 'long~3', 'next']);
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(32_768);
  });

  test('very many headings make no more than 400 parts', async () => {
    expect(await slugsOf(`# A\n${'## x\n'.repeat(2_000)}# B\n`)).toEqual([undefined, 'b']);
    expect(await slugsOf('# x\n'.repeat(2_000))).toEqual([undefined]);
  });

  test('no character is lost, no slug used twice', async () => {
    const line = fc.oneof(
      fc.constantFrom(
        '# A',
        '## B',
        '   # C  ',
        '```',
        '~~~',
        '- ```',
        '    # x',
        '<!--',
        '-->',
        '',
        ' ',
        FILLER,
      ),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    const document = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '', '\u2028')), { maxLength: 40 })
      .map((lines) => lines.flat().join(''));
    await fc.assert(
      fc.asyncProperty(document, async (text) => {
        const parts = await splitDocument(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(new Set(parts.map(({ slug }) => slug)).size).toBe(parts.length);
        expect(parts.filter(({ slug }) => slug === undefined)).toHaveLength(text === '' ? 0 : 1);
      }),
      { numRuns: 500 },
    );
  });

  test('hostile lines take no time', async () => {
    const started = process.cpuUsage();
    for (const line of [
      `# a${' '.repeat(400_000)}b`,
      '-   '.repeat(100_000),
      '# '.repeat(200_000),
      '`'.repeat(400_000),
    ]) {
      await splitDocument(line);
    }
    expect(cpuMilliseconds(started)).toBeLessThan(3_000);
  });
});
