import { invalid, type SvcError } from '../../kernel/contract/errors.ts';
import { escapeUnseen, hasUnseen, withoutUnseen } from '../../text/unseen.ts';
import type { ExportedMemory, ExportedVersion } from './contract.ts';
import type { ExportSection, Page } from './pages.ts';
import { type ExportHead, headFields } from './write-json.ts';

const TITLES: Readonly<Record<ExportSection, string>> = {
  core: 'Core',
  working: 'Working',
  episodic: 'Episodic',
  semantic: 'Semantic',
  archived: 'Archived',
  history: 'Former versions',
};
// A carriage return would not come back from a line.
const isShowable = (text: string) => !hasUnseen(text) && !text.includes('\r');

/**
 * Writes the export document as Markdown for people, which can be imported again: each memory's facts stand in a comment
 * before its text, and its text in a fence that it cannot end. Text with unseen characters is shown
 * without them, and kept exactly in the comment.
 */
export async function* writeMarkdown(head: ExportHead, pages: AsyncIterable<Page>): AsyncGenerator<string> {
  yield `<!-- svc export ${inComment(headFields(head))} -->\n\n# Agent memory, ${head.exportedAt.toISOString()}\n`;
  let open: ExportSection | undefined;
  for await (const { section, records } of pages) {
    let text = section === open ? '' : `\n## ${TITLES[section]}\n`;
    open = section;
    for (const record of records) text += writeRecord(record);
    yield text;
  }
}

function writeRecord(record: ExportedMemory | ExportedVersion): string {
  const { content, ...facts } = record;
  const kind = 'memory_id' in record ? 'version' : 'memory';
  const name = [record.occurred_at, record.type, record.category ?? [], `version ${record.version}`].flat();
  const kept = isShowable(content) ? facts : { ...facts, content };
  const shown = isShowable(content) ? content : withoutUnseen(content).replaceAll('\r', '');
  const fence = '`'.repeat(Math.max(4, longestRun(shown) + 1));
  return `\n### ${name.join(' · ')}\n\n<!-- svc ${kind} ${inComment(kept)} -->\n\n${fence}text\n${shown}\n${fence}\n`;
}

/** JSON that can neither end the comment around it nor reach a terminal as anything but text. */
function inComment(facts: object): string {
  const json = JSON.stringify(facts);
  return escapeUnseen(
    json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('--', '-\\u002d'),
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

/** One memory or version of a Markdown export; the fields are not checked yet. */
interface MarkdownRecord {
  readonly kind: 'memory' | 'version';
  readonly value: unknown;
}

export const MARKDOWN_MARK = '<!-- svc export ';
const HEAD = /^\uFEFF?<!-- svc export (\{.*\}) -->\s*$/;
const MARK = /^<!-- svc (memory|version) (\{.*\}) -->$/;
const FENCE = /^(`{4,})text$/;

/** What a Markdown export says of itself in its first line; nothing where that was changed. */
export function readMarkdownHead(beginning: string): { readonly user_id?: unknown } {
  const [line = ''] = beginning.split('\n', 1);
  try {
    return { ...JSON.parse(HEAD.exec(line)?.[1] ?? '{}') };
  } catch {
    return {};
  }
}

/**
 * Reads a Markdown export back, line by line.
 *
 * @throws SvcError `VALIDATION_ERROR` with the line, for one that breaks off or was changed in its frame.
 */
export async function* readMarkdownExport(
  lines: AsyncIterable<string>,
  path: string,
): AsyncGenerator<MarkdownRecord> {
  let number = 0;
  let record: { kind: MarkdownRecord['kind']; fields: Record<string, unknown> } | undefined;
  let fence: string | undefined;
  let content: string[] = [];
  const damaged = (what: string) => invalid(path, `${what} at line ${number}`);
  for await (const line of lines) {
    number += 1;
    if (fence !== undefined) {
      if (line !== fence) {
        content.push(line);
        continue;
      }
      // What could not be shown as it is stands in the mark.
      if (record) yield { kind: record.kind, value: { content: content.join('\n'), ...record.fields } };
      record = undefined;
      fence = undefined;
      content = [];
      continue;
    }
    if (record) {
      if (line.trim() === '') continue;
      fence = FENCE.exec(line)?.[1];
      if (fence === undefined) throw damaged('a memory without its text');
      continue;
    }
    const [, kind, json] = MARK.exec(line) ?? [];
    if (kind !== 'memory' && kind !== 'version') continue;
    record = { kind, fields: parseFields(json ?? '', damaged) };
  }
  if (record) throw damaged('ends in the middle of a memory');
}

function parseFields(json: string, damaged: (what: string) => SvcError): Record<string, unknown> {
  try {
    return { ...JSON.parse(json) };
  } catch {
    throw damaged('the facts of a memory are no valid JSON');
  }
}
