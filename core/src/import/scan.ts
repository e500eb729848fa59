import type { NewMemory } from '../memory/contract.ts';
import type { FormatName, ImportPreview } from './contract.ts';
import { FORMATS } from './formats/all.ts';
import { readJson } from './read/json.ts';
import { refuse, type SourceFile } from './read/source-file.ts';
import { type Finding, type KnownFile, walk } from './walk.ts';

const SHOWN_FILES = 100;
const SHOWN_SAMPLES = 5;
const SHOWN_ERRORS = 20;
const SAMPLE_CHARACTERS = 300;

/** What reading all files of an import once came to. */
export interface Scan {
  readonly preview: Omit<ImportPreview, 'restores'>;
  /** Everything found, in the unit of `Finding.ordinal`. */
  readonly findings: number;
}

/**
 * Reads every file of an import from beginning to end and keeps only numbers, so that what is hostile or damaged is
 * refused before anything is written.
 *
 * @throws SvcError `VALIDATION_ERROR` naming the file and the place in it.
 */
export async function scan(
  files: readonly SourceFile[],
  format: FormatName | undefined,
  signal?: AbortSignal,
): Promise<Scan> {
  const preview = {
    files: [] as { path: string; format: FormatName | null; memories: number }[],
    samples: [] as ImportPreview['samples'],
    errors: [] as ImportPreview['errors'],
  };
  const counts = {
    ...{ files: 0, memories: 0, history: 0, archived: 0, skipped: 0, errors: 0 },
    ...{ core: 0, working: 0, episodic: 0, semantic: 0 },
  };
  const formats = new Set<FormatName>();
  const skipped = new Map<string, number>();
  const skip = (reason: string) => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    counts.skipped += 1;
  };
  let current: (typeof preview.files)[number] | undefined;
  const onFile = ({ file, sample, format: own }: KnownFile) => {
    counts.files += 1;
    current = { path: file.path, format: own?.name ?? null, memories: 0 };
    if (preview.files.length < SHOWN_FILES) preview.files.push(current);
    if (own) formats.add(own.name);
    else skip(REASONS[sample.kind] ?? 'files of no known format');
  };
  let findings = 0;
  for await (const finding of walk(files, format, onFile)) {
    if (findings % 500 === 0) signal?.throwIfAborted();
    findings += 1;
    const draft = draftOf(finding);
    if (draft) {
      counts.memories += 1;
      counts[draft.type] += 1;
      if (current) current.memories += 1;
      if (preview.samples.length < SHOWN_SAMPLES) preview.samples.push(toSample(draft));
    } else if (finding.kind === 'exact') counts.archived += 1;
    else if (finding.kind === 'version') counts.history += 1;
    else if (finding.kind === 'skipped') skip(finding.reason);
    else if (finding.kind === 'problem') {
      counts.errors += 1;
      const { path, item, message } = finding;
      if (preview.errors.length < SHOWN_ERRORS) preview.errors.push({ path, item, message });
    }
  }
  if (findings === 0) throw await explainNothing(files, preview.files);
  const [only, ...others] = formats;
  return {
    findings,
    preview: {
      format: only !== undefined && others.length === 0 ? only : 'mixed',
      ...preview,
      mapping: [...formats].map((name) => {
        const { title, fields } = FORMATS[name];
        return { format: name, title, fields: [...fields] };
      }),
      counts,
      skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
    },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  empty: 'empty files',
  binary: 'binary files',
  zip: 'archives within archives',
};

function draftOf(finding: Finding): NewMemory | undefined {
  if (finding.kind === 'memory') return finding.draft;
  if (finding.kind !== 'exact' || !finding.draft) return undefined;
  const { content, type, category, key, tags = [], importance = 0.5, occurredAt, sessionId } = finding.draft;
  return {
    ...{ type, content, tags: [...tags], importance },
    ...(category === undefined ? {} : { category }),
    ...(key === undefined ? {} : { key }),
    ...(occurredAt === undefined ? {} : { occurred_at: occurredAt }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
}

function toSample({ content, ...draft }: NewMemory): ImportPreview['samples'][number] {
  const { type, category = null, tags, key = null, importance, occurred_at, session_id = null } = draft;
  return {
    type,
    content: content.length <= SAMPLE_CHARACTERS ? content : `${cut(content)}…`,
    category,
    tags,
    key,
    importance,
    occurred_at: occurred_at?.toISOString() ?? null,
    session_id,
  };
}

function cut(text: string): string {
  return text.slice(0, SAMPLE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}

/** Why there is nothing in the files: for one that means to be JSON, where it is not. */
async function explainNothing(
  files: readonly SourceFile[],
  known: readonly { readonly path: string; readonly format: FormatName | null }[],
): Promise<unknown> {
  const [file, ...others] = files;
  if (!file) return refuse('files', 'there are none');
  const single = others.length === 0 && known.length === 1 && known[0]?.format === null;
  if (single && /\.(json|jsonl|ndjson|af)$/i.test(file.path)) {
    try {
      for await (const _ of readJson(file, ['$.*.*.*']));
    } catch (error) {
      return error;
    }
  }
  const formats = Object.keys(FORMATS).join(', ');
  if (known.every(({ format }) => format === null)) {
    return refuse(file.path, `is of no known format; name one with format: ${formats}`);
  }
  return refuse(file.path, 'holds nothing to import');
}
