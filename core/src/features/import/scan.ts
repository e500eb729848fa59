import type { SvcError } from '../../kernel/contract/errors.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import type { RedactionOptions } from '../../secrets/redact.ts';
import { firstCharacters } from '../../text/first-characters.ts';
import type { FormatName, ImportPreview } from './contract.ts';
import { FORMATS } from './formats/all.ts';
import { PreviewBuilder } from './preview-builder.ts';
import { readJson } from './read/json.ts';
import type { SourceFile } from './read/source-file.ts';
import { walk } from './walk.ts';

/** Characters of an id that an error shows: no id of a user is longer. */
const MOST_SHOWN = 128;

/** What reading all files of an import once came to. */
export interface Scan {
  readonly preview: Omit<ImportPreview, 'restores'>;
  /** Everything found, in the unit of `Finding.ordinal`. */
  readonly findings: number;
}

/** How the files are read. */
interface ScanOptions {
  /** Which secrets are taken out. */
  readonly secrets: RedactionOptions;
  /** Whether the memories become those of one user. */
  readonly isForUser: boolean;
  readonly signal?: AbortSignal | undefined;
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
  { secrets, isForUser, signal }: ScanOptions,
): Promise<Scan> {
  const preview = new PreviewBuilder();
  let isEmpty = true;
  const found = walk(files, format, secrets, {
    onFile: (file) => {
      signal?.throwIfAborted();
      isEmpty &&= file.sample.kind === 'empty';
      preview.addFile(file);
    },
    onOwner: ({ path }, userId) => {
      if (!isForUser) throw ofAUser(path, userId);
    },
  });
  let findings = 0;
  for await (const finding of found) {
    signal?.throwIfAborted();
    findings += 1;
    preview.addFinding(finding);
  }
  if (findings === 0) throw await explainNothing(files, preview.files, isEmpty);
  return { findings, preview: preview.build() };
}

/** Without a user the memories would become the agent's own, which it reads beside what is of any user. */
function ofAUser(path: string, userId: string): SvcError {
  const shown = JSON.stringify(firstCharacters(userId, MOST_SHOWN));
  return invalid(
    path,
    `holds what is of user ${shown}; name that user, or the one whose memories they become, by user_id (svc import: --user)`,
  );
}

/** Why there is nothing in the files: for one that means to be JSON, where it is not. */
async function explainNothing(
  files: readonly SourceFile[],
  known: readonly { readonly path: string; readonly format: FormatName | null }[],
  isEmpty: boolean,
): Promise<unknown> {
  const [file, ...others] = files;
  if (!file) return invalid('files', 'there are none');
  if (isEmpty) return invalid(file.path, 'is empty');
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
    return invalid(
      file.path,
      `is of no known format; name one with format (svc import: --format): ${formats}`,
    );
  }
  return invalid(file.path, 'holds nothing to import');
}
