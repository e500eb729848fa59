import type { z } from 'zod';
import { firstCharacters } from '../../../text/truncate.ts';
import { type ExactMemory, exactMemory, exactVersion } from '../../export/exact.ts';
import { MARKDOWN_MARK, readMarkdownExport, readMarkdownHead } from '../../export/markdown.ts';
import { REDACTED } from '../../visibility/level.ts';
import { type ImportDraft, type ImportEntry, problem, skipped } from '../draft.ts';
import type { JsonRecord } from '../read/json.ts';
import type { Sample } from '../read/sample.ts';
import type { SourceFile } from '../read/source-file.ts';
import { readLines } from '../read/text.ts';
import { type FieldMapping, type Format, recordFormat } from './format.ts';

const fields: readonly FieldMapping[] = [
  { from: 'every field', to: 'the same' },
  {
    from: 'id, times, versions, history, archived memories',
    to: 'the same, where the agent has no memories yet',
  },
];

const fromJson = recordFormat({
  name: 'svc',
  title: 'Export of this service',
  fields,
  marks: [
    ['$.version', '$.exported_at', '$.memories'],
    ['$.export.version', '$.export.exported_at', '$.export.memories'],
  ],
  records: ['$', '$.export'].flatMap((document) => [
    `${document}.user_id`,
    ...['', '.users.*'].flatMap((part) => [
      `${document}${part}.memories.*.*`,
      `${document}${part}.archived.*`,
      `${document}${part}.history.*`,
    ]),
  ]),
  *toEntries({ at, value }) {
    const [section] = at[0] === 'export' ? at.slice(1) : at;
    if (section === 'user_id') yield* ownerEntries(value);
    else if (section === 'users') yield* leftOut(at);
    else yield section === 'history' ? versionEntry(value) : exactEntry(value);
  },
});

const OF_USERS =
  'memories of users; bring in the export of each with user_id (npx svc-memory export --user ID, npx svc-memory import --user ID)';

/** What is a user's in an export of all. An import brings in what is one's: who the others are, only its caller knows. */
function* leftOut(at: JsonRecord['at']): Iterable<ImportEntry> {
  yield { kind: 'owner', userId: null };
  if (!at.includes('history')) yield skipped(OF_USERS);
}

/** Whose a document is. What is no id was written by somebody else, who means some user by it all the same. */
function* ownerEntries(value: unknown): Iterable<ImportEntry> {
  if (value === null || value === undefined) return;
  yield { kind: 'owner', userId: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** An export of this service, JSON or Markdown: `GET /export`, `npx svc-memory export`, `svc_export`. */
export const svc: Format<'svc'> = {
  ...fromJson,
  detects: (file, sample) => fromJson.detects(file, sample) || isMarkdown(sample.head),
  async *read(file, sample) {
    const links = new Links();
    for await (const entry of isMarkdown(sample.head)
      ? readMarkdown(file, sample)
      : fromJson.read(file, sample)) {
      if (entry.kind === 'exact') links.add(entry.memory);
      yield entry;
    }
    yield* links.entries();
  },
};

async function* readMarkdown(file: SourceFile, sample: Sample): AsyncIterable<ImportEntry> {
  yield* ownerEntries(readMarkdownHead(sample.head).user_id);
  for await (const { kind, value } of readMarkdownExport(readLines(file), file.path)) {
    yield kind === 'version' ? versionEntry(value) : exactEntry(value);
  }
}

/** Which memories of a document supersede which. Archived ones do not come in: what they lead to takes their place. */
class Links {
  readonly #active = new Map<string, Pick<ExactMemory, 'superseded_by' | 'superseded_basis'>>();
  readonly #archived = new Map<string, string | undefined>();

  add({ id, superseded_by, superseded_basis, archived_at }: ExactMemory): void {
    if (archived_at) this.#archived.set(id, superseded_by);
    else if (superseded_by !== undefined) this.#active.set(id, { superseded_by, superseded_basis });
  }

  *entries(): Iterable<ImportEntry> {
    for (const [older, { superseded_by: by, superseded_basis: basis }] of this.#active) {
      const newer = by === undefined ? undefined : this.#firstActive(by);
      if (newer !== undefined) yield { kind: 'link', older, newer, basis };
    }
  }

  #firstActive(id: string): string | undefined {
    const passed = new Set<string>();
    let next: string | undefined = id;
    while (next !== undefined && this.#archived.has(next) && !passed.has(next)) {
      passed.add(next);
      next = this.#archived.get(next);
    }
    return next !== undefined && !passed.has(next) ? next : undefined;
  }
}

const isMarkdown = (head: string) => head.replace(/^\uFEFF/, '').startsWith(MARKDOWN_MARK);

function exactEntry(value: unknown): ImportEntry {
  const parsed = exactMemory.safeParse(value);
  if (!parsed.success) return problem(`is no memory of an export: ${issuesOf(parsed.error)}`);
  const { type, category, content } = parsed.data;
  if (content === REDACTED) return skipped('redacted in the export');
  if (type === 'core' && category === null) {
    return problem('is no memory of an export: category is required when type is core');
  }
  return { kind: 'exact', memory: parsed.data, draft: draftOf(parsed.data) };
}

function versionEntry(value: unknown): ImportEntry {
  const parsed = exactVersion.safeParse(value);
  if (!parsed.success) return problem(`is no version of an export: ${issuesOf(parsed.error)}`);
  return { kind: 'version', version: parsed.data };
}

/** An export names the beginning of each memory, also where its author named none. */
function isSame(one: Date | undefined, other: Date): boolean {
  return one?.getTime() === other.getTime();
}

function draftOf(memory: ExactMemory): ImportDraft | undefined {
  if (memory.archived_at) return undefined;
  return {
    origin: memory.id,
    type: memory.type,
    content: memory.content,
    category: memory.category ?? undefined,
    key: memory.key ?? undefined,
    tags: memory.tags,
    importance: memory.importance,
    occurredAt: memory.occurred_at,
    sessionId: memory.session_id,
    validFrom: isSame(memory.valid_from, memory.occurred_at) ? undefined : memory.valid_from,
    validTo: memory.valid_to,
    expiresAt: memory.expires_at,
    metadata: memory.metadata,
  };
}

function issuesOf(error: z.ZodError): string {
  const issues = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')} ${message}`);
  return firstCharacters(issues.join('; '), 300);
}
