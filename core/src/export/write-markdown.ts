import type { ExportedMemory, ExportedVersion } from './contract.ts';
import type { Page, Section } from './pages.ts';
import type { ExportHead } from './write-json.ts';

const TITLES: Readonly<Record<Section, string>> = {
  core: 'Core',
  working: 'Working',
  episodic: 'Episodic',
  semantic: 'Semantic',
  archived: 'Archived',
  history: 'Former versions',
};
// What a terminal or an editor might obey: control and format characters but for line feed and tab.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const isShowable = (text: string) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replaceAll(/[\n\t]/g, ''));

/**
 * Writes the export document as Markdown for people, which can be imported again: each memory's facts stand in a comment
 * before its text, and its text in a fence that it cannot end. Text that could act on a terminal is shown without
 * those characters, and kept exactly in the comment.
 */
export async function* writeMarkdown(
  { exportedAt, tenantId }: ExportHead,
  pages: AsyncIterable<Page>,
): AsyncGenerator<string> {
  const head = { version: '1', exported_at: exportedAt.toISOString(), tenant_id: tenantId };
  yield `<!-- svc export ${inComment(head)} -->\n\n# Agent memory, ${exportedAt.toISOString()}\n`;
  let open: Section | undefined;
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
  const shown = isShowable(content)
    ? content
    : content.replace(UNSAFE, (found) => (/[\n\t]/.test(found) ? found : ''));
  const fence = '`'.repeat(Math.max(4, longestRun(shown) + 1));
  return `\n### ${name.join(' · ')}\n\n<!-- svc ${kind} ${inComment(kept)} -->\n\n${fence}text\n${shown}\n${fence}\n`;
}

/** JSON that can neither end the comment around it nor reach a terminal as anything but text. */
function inComment(facts: object): string {
  return JSON.stringify(facts)
    .replaceAll(/[<>]/g, escapeJson)
    .replaceAll('--', '-\\u002d')
    .replace(UNSAFE, escapeJson);
}

function escapeJson(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
