import { invalid, type SvcError } from '../../kernel/contract/errors.ts';

/** One memory or version of a Markdown export; the fields are not checked yet. */
export interface MarkdownRecord {
  readonly kind: 'memory' | 'version';
  readonly value: unknown;
}

/** Begins a Markdown export. */
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
