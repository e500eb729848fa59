import { zipOf } from './archives.ts';
import { MIB, note, outcomeOf, range, type StallCase, upload } from './case.ts';

const tinyNotes = (count: number) =>
  zipOf(range(count, (n) => ({ name: `notes/n${n}.md`, content: note(n) })));
const overlapping = () =>
  zipOf([
    { name: 'a.txt', content: 'a'.repeat(MIB) },
    ...range(1_999, (n) => ({ name: `b${n}.txt`, at: 0 })),
  ]);
const list = (count: number, item: string) => () => `[${Array(count).fill(item).join(',')}]`;
const lines = (count: number, line: (n: number) => string) => () => range(count, line).join('\n');

/** Files that look small, and what is in them. */
export const IMPORTS: readonly StallCase[] = [
  upload('zip of 500 tiny notes, dry run', 'notes.zip', () => tinyNotes(500), '&dry_run=true'),
  upload('zip of 500 tiny notes', 'notes.zip', () => tinyNotes(500)),
  upload('zip of 5,000 tiny notes, dry run', 'notes.zip', () => tinyNotes(5_000), '&dry_run=true'),
  upload('zip of 2,000 overlapping entries', 'overlap.zip', overlapping),
  upload('zip bomb of 64 MiB', 'bomb.zip', () =>
    zipOf([{ name: 'bomb.txt', content: Buffer.alloc(64 * MIB) }]),
  ),
  upload('zip of 20,000 empty names', 'names.zip', () =>
    zipOf(range(20_000, (n) => ({ name: `folder/${'long-name-'.repeat(8)}${n}.md`, content: '' }))),
  ),
  upload('zip with 65,535 names in its directory', 'names.zip', () =>
    zipOf([{ name: 'a.md', content: '' }, ...range(65_534, (n) => ({ name: `${n}`, at: 0 }))]),
  ),
  upload('JSON list of 300,000 numbers', 'x.json', list(300_000, '1')),
  upload('JSON list of 300,000 nulls', 'x.json', list(300_000, 'null')),
  upload('JSON list of 300,000 empty objects', 'x.json', list(300_000, '{}')),
  upload('JSON list of 300,000 empty texts', 'x.json', list(300_000, '""')),
  upload(
    'JSON list of a text and 300,000 numbers',
    'x.json',
    () => `["a text",${list(300_000, '1')().slice(1)}`,
  ),
  upload('JSON list of 20,000 one-letter texts', 'x.json', () =>
    JSON.stringify(range(20_000, (n) => `t${n}`)),
  ),
  upload('JSON list in 50,000 lists', 'x.json', () => '['.repeat(50_000) + ']'.repeat(50_000)),
  upload('JSON object of 100,000 keys', 'x.json', () =>
    JSON.stringify(Object.fromEntries(range(100_000, (n) => [`k${n}`, 1]))),
  ),
  upload(
    '500,000 lines of {}',
    'x.jsonl',
    lines(500_000, () => '{}'),
  ),
  upload(
    '200,000 lines of garbage',
    'x.jsonl',
    lines(200_000, () => '%%%'),
  ),
  upload(
    '200,000 records of broken fields',
    'x.jsonl',
    lines(200_000, (n) => `{"text":"a","type":"core","id":${n}}`),
  ),
  upload('one line of 20 MB', 'x.jsonl', () => `{"text":"${'a'.repeat(20_000_000)}"}`),
  upload('one JSON text of 20 MB', 'x.json', () => `["${'ab '.repeat(6_700_000)}"]`),
  upload('one word of 5 MB as text', 'x.txt', () => 'a'.repeat(5_000_000)),
  upload('document of 5 MB of newlines', 'x.md', () => '\n'.repeat(5_000_000)),
  upload('document of 5 MB of headings', 'x.md', () => '# a\n'.repeat(1_250_000)),
  upload('2,000 soul memories', 'soul.json', () =>
    JSON.stringify(range(2_000, (n) => ({ type: 'core', category: 'soul', content: `I value thing ${n}.` }))),
  ),
  upload('2,000 soul memories with keys', 'soul.json', () =>
    JSON.stringify(
      range(2_000, (n) => ({ type: 'core', category: 'soul', key: `s${n}`, content: `I like thing ${n}.` })),
    ),
  ),
  upload('the same 2,000 keys again, changed', 'soul.json', () =>
    JSON.stringify(
      range(2_000, (n) => ({ type: 'core', category: 'soul', key: `s${n}`, content: `I love thing ${n}.` })),
    ),
  ),
  upload('5,000 memories with keys', 'keys.json', () =>
    JSON.stringify(range(5_000, (n) => ({ key: `k${n}`, content: `Thing ${n} stands in room ${n % 50}.` }))),
  ),
  {
    name: 'zip of 500 tiny notes, client left',
    site: 'fresh',
    run: async (site) => [
      await outcomeOf(
        site,
        await site.call({
          path: '/import?name=n.zip&dry_run=true',
          bytes: tinyNotes(500),
          leaveAfterMs: 300,
        }),
      ),
    ],
  },
];
