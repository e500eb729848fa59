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
