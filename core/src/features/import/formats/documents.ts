import { splitDocument } from '../../sync/split-document.ts';
import { categoryOfFile } from '../../sync/sync-core-sections.ts';
import { type ImportDraft, type ImportEntry, memoryEntry, skipped } from '../draft.ts';
import { extensionOf, type SourceFile } from '../read/source-file.ts';
import { readDocument } from '../read/text.ts';
import type { Format } from './format.ts';

const DATE_IN_NAME = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/;

/**
 * Markdown: each section under a heading becomes a memory. A file named after a category in capitals, such as `SOUL.md`
 * or `USER.md`, holds core memories; one with a date in its name, such as `memory/2026-02-01.md`, episodes of that day;
 * every other knowledge.
 */
export const markdown: Format<'markdown'> = {
  name: 'markdown',
  title: 'Markdown',
  fields: [
    { from: 'section under a heading', to: 'content (semantic)' },
    { from: 'file name of a category (SOUL.md, USER.md …)', to: 'core, that category' },
    { from: 'date in the file name', to: 'episodic, occurred_at' },
    { from: 'front matter (between --- at the beginning)', to: '(left out)' },
  ],
  detects: (file, { kind }) => kind === 'text' && ['md', 'markdown', 'mdx'].includes(extensionOf(file.path)),
  async *read(file) {
    const document = await readDocument(file);
    const kind = kindOf(file);
    const text = withoutFrontMatter(document);
    if (text !== document) yield skipped('front matter');
    for (const section of await splitDocument(text)) yield sectionEntry(section.text, kind);
  },
};

/** Plain text: one memory, or as many as its length needs. */
export const plainText: Format<'text'> = {
  name: 'text',
  title: 'Plain text',
  fields: [
    { from: 'text', to: 'content (semantic)' },
    { from: 'date in the file name', to: 'episodic, occurred_at' },
  ],
  detects: (file, { kind }) => kind === 'text' && ['txt', 'text', 'log', ''].includes(extensionOf(file.path)),
  async *read(file) {
    yield memoryEntry({ ...kindOf(file), content: await readDocument(file) });
  },
};

type Kind = Pick<ImportDraft, 'type' | 'category' | 'occurredAt'>;

function kindOf({ path }: SourceFile): Kind {
  // In capitals, as agents name such files: the `tools.md` of some project's documentation is none.
  const category = /(^|\/)[A-Z]+\.[A-Za-z]+$/.test(path) ? categoryOfFile(path) : undefined;
  if (category) return { type: 'core', category };
  const [date] = DATE_IN_NAME.exec(path.split('/').at(-1) ?? '') ?? [];
  const day = date === undefined ? undefined : new Date(`${date}T00:00:00Z`);
  if (!day || Number.isNaN(day.getTime())) return { type: 'semantic' };
  return { type: 'episodic', occurredAt: day };
}

function sectionEntry(text: string, kind: Kind): ImportEntry {
  const rest = text.replace(/^ {0,3}#{1,6}[^\r\n]*/, '');
  // A title over its sections says nothing that they do not.
  return rest.trim() === '' ? skipped('headings without text') : memoryEntry({ ...kind, content: text });
}

const FRONT_MATTER = /^---[ \t]*\r?\n((?:[^\r\n]*\r?\n){0,200}?)---[ \t]*(?:\r?\n|$)/;
/** A line of YAML as settings have it: empty, a comment, `name: value`, an item, or what goes on from the line before. */
const SETTING = /^(?:[ \t]*|#.*|[^\s:#-][^:]*:(?:[ \t].*)?|[ \t]+\S.*|-(?:[ \t].*)?|[\]}],?)$/;

/**
 * Without the settings some tools keep before a document; they are no memory. What stands between two rules and is not settings
 * from end to end is text.
 */
function withoutFrontMatter(document: string): string {
  const [whole = '', inner = ''] = FRONT_MATTER.exec(document) ?? [];
  const lines = inner.split(/\r?\n/);
  const isSettings = lines.every((line) => SETTING.test(line)) && lines.some((line) => /^[^\s#-]/.test(line));
  return isSettings ? document.slice(whole.length) : document;
}
