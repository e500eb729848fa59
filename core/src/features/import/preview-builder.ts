import type { SvcError } from '../../kernel/contract/errors.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { NewMemory } from '../memory/contract.ts';
import { DEFAULT_IMPORTANCE } from '../records/row.ts';
import type { FormatName, ImportPreview } from './contract.ts';
import { FORMATS } from './formats/all.ts';
import { shownName } from './read/source-file.ts';
import type { Finding, KnownFile } from './walk.ts';

const SHOWN_FILES = 100;
const SHOWN_SAMPLES = 5;
const SHOWN_ERRORS = 20;
/** Of what is left out for one reason. */
const SHOWN_NAMES = 5;
const SAMPLE_CHARACTERS = 300;
/** Records that cannot be imported, from which on an import is given up where they are more than the others. */
const MOST_ERRORS = 1_000;

/** Counts what the files of an import hold, and keeps the first of each kind to show. */
export class PreviewBuilder {
  readonly files: { path: string; format: FormatName | null; memories: number }[] = [];
  readonly #samples: ImportPreview['samples'] = [];
  readonly #errors: ImportPreview['errors'] = [];
  readonly #counts = {
    ...{ files: 0, memories: 0, history: 0, archived: 0, skipped: 0, errors: 0 },
    ...{ core: 0, working: 0, episodic: 0, semantic: 0 },
  };
  readonly #formats = new Set<FormatName>();
  readonly #skipped = new Map<string, { count: number; readonly names: Map<string, number> }>();
  #current: (typeof this.files)[number] | undefined;

  addFile({ file, sample, format }: KnownFile): void {
    this.#counts.files += 1;
    this.#current = { path: file.path, format: format?.name ?? null, memories: 0 };
    if (this.files.length < SHOWN_FILES) this.files.push(this.#current);
    if (format) this.#formats.add(format.name);
    else this.#skip(REASONS[sample.kind] ?? 'files of no known format', file.path);
  }

  /** @throws SvcError `VALIDATION_ERROR` once most of many records cannot be imported */
  addFinding(finding: Finding): void {
    const draft = draftOf(finding);
    if (draft) this.#addMemory(draft);
    else if (finding.kind === 'exact') this.#counts.archived += 1;
    else if (finding.kind === 'version') this.#counts.history += 1;
    else if (finding.kind === 'skipped') this.#skip(finding.reason, finding.name);
    else if (finding.kind === 'problem') this.#addError(finding);
  }

  build(): Omit<ImportPreview, 'restores'> {
    const [only, ...others] = this.#formats;
    return {
      format: only !== undefined && others.length === 0 ? only : 'mixed',
      files: this.files,
      samples: this.#samples,
      errors: this.#errors,
      mapping: [...this.#formats].map((name) => {
        const { title, fields } = FORMATS[name];
        return { format: name, title, fields: [...fields] };
      }),
      counts: this.#counts,
      skipped: [...this.#skipped].map(([reason, { count, names }]) => ({
        reason,
        count,
        names: [...names].map(([name, times]) => ({ name, count: times })),
      })),
    };
  }

  #addMemory(draft: NewMemory): void {
    this.#counts.memories += 1;
    this.#counts[draft.type] += 1;
    if (this.#current) this.#current.memories += 1;
    if (this.#samples.length < SHOWN_SAMPLES) this.#samples.push(toSample(draft));
  }

  #skip(reason: string, name?: string): void {
    const found = this.#skipped.get(reason) ?? { count: 0, names: new Map<string, number>() };
    this.#skipped.set(reason, found);
    found.count += 1;
    this.#counts.skipped += 1;
    const shown = name === undefined ? '' : shownName(name);
    const isShown = found.names.has(shown) || found.names.size < SHOWN_NAMES;
    if (shown !== '' && isShown) found.names.set(shown, (found.names.get(shown) ?? 0) + 1);
  }

  #addError({ path, item, message }: ImportPreview['errors'][number]): void {
    this.#counts.errors += 1;
    if (this.#errors.length < SHOWN_ERRORS) this.#errors.push({ path, item, message });
    const { errors, memories, history, archived, skipped } = this.#counts;
    const others = memories + history + archived + skipped;
    if (errors > MOST_ERRORS && errors > others) throw mostlyBroken(this.#errors);
  }
}

/** Names the first: the others are mostly broken in the same way. */
function mostlyBroken([first]: ImportPreview['errors']): SvcError {
  const more = `and so it is with most of the first ${MOST_ERRORS} records and more: nothing is imported`;
  return invalid(
    first?.path ?? 'files',
    `record ${first?.item ?? 1} ${first?.message ?? 'is not valid'}, ${more}`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  empty: 'empty files',
  binary: 'binary files',
  zip: 'archives within archives',
  'lfs-pointer': 'pointers of Git LFS, whose files are kept elsewhere',
};

function draftOf(finding: Finding): NewMemory | undefined {
  if (finding.kind === 'memory') return finding.draft;
  if (finding.kind !== 'exact' || !finding.draft) return undefined;
  const { content, type, category, key, tags, importance, occurredAt, sessionId } = finding.draft;
  return {
    ...{ type, content },
    ...withoutUndefined({
      tags: tags && [...tags],
      importance,
      category,
      key,
      occurred_at: occurredAt,
      session_id: sessionId,
    }),
  };
}

function toSample({ content, ...draft }: NewMemory): ImportPreview['samples'][number] {
  const { type, category = null, tags = [], key = null, occurred_at, session_id = null } = draft;
  return {
    type,
    content: content.length <= SAMPLE_CHARACTERS ? content : `${cut(content)}…`,
    category,
    tags,
    key,
    importance: draft.importance ?? DEFAULT_IMPORTANCE,
    occurred_at: occurred_at?.toISOString() ?? null,
    session_id,
  };
}

function cut(text: string): string {
  return text.slice(0, SAMPLE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}
