import { invalid, type SvcError } from '../../kernel/contract/errors.ts';
import type { RedactionOptions } from '../../secrets/redact.ts';
import { firstCharacters } from '../../text/truncate.ts';
import type { FormatName, ImportPreview } from './contract.ts';
import { FORMATS } from './formats/all.ts';
import { PreviewBuilder } from './preview-builder.ts';
import { readJson } from './read/json.ts';
import type { SourceFile } from './read/source-file.ts';
import { walk } from './walk.ts';

/** Characters of an id that an error shows: no id of a user is longer. */
const MOST_SHOWN = 128;
/** Users that an error names. */
const MOST_USERS = 3;

/** What reading all files of an import once came to. */
interface Scan {
  readonly preview: Omit<ImportPreview, 'restores'>;
  /** Everything found, in the unit of `Finding.ordinal`. */
  readonly findings: number;
  /** Whose memories of several users are taken, as for `walk`. */
  readonly only: string | null | undefined;
  /** Whether it is an export of a space: what several agents wrote does not come back as one agent's own words. */
  readonly isShared: boolean;
}

interface ScanOptions {
  /** Which secrets are taken out. */
  readonly secrets: RedactionOptions;
  /** The user whose the memories become; undefined: they become the agent's own. */
  readonly userId: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads every file of an import from beginning to end and keeps only numbers, so that what is hostile or damaged is
 * refused before anything is written. Of files with memories of several users only what is of the one that they become is
 * taken: together, each would read what is of the others.
 *
 * @throws SvcError `VALIDATION_ERROR` naming the file and the place in it.
 */
export async function scan(
  files: readonly SourceFile[],
  format: FormatName | undefined,
  options: ScanOptions,
): Promise<Scan> {
  const all = await scanOnce(files, format, options, undefined);
  const { userId = null } = options;
  if (all.users.length < 2) return { ...all, only: undefined };
  const own = await scanOnce(files, format, options, userId);
  if (own.preview.counts.memories === 0) throw ofNone(files, userId, all.users);
  return { ...own, only: userId };
}

async function scanOnce(
  files: readonly SourceFile[],
  format: FormatName | undefined,
  { secrets, userId: forUser, signal }: ScanOptions,
  only: string | null | undefined,
) {
  const preview = new PreviewBuilder();
  let isEmpty = true;
  let isShared = false;
  const users = new Set<string>();
  const found = walk(
    files,
    format,
    { secrets, only },
    {
      onFile: (file) => {
        signal?.throwIfAborted();
        isEmpty &&= file.sample.kind === 'empty';
        preview.addFile(file);
      },
      onOwner: ({ path }, userId) => {
        if (userId === null && forUser !== undefined) throw ofAgentAndUsers(path, forUser);
        if (userId !== null && forUser === undefined) throw ofAUser(path, userId);
      },
    },
  );
  let findings = 0;
  for await (const finding of found) {
    signal?.throwIfAborted();
    findings += 1;
    isShared ||= finding.kind === 'exact' && finding.memory.source.agent_id !== undefined;
    const userId = finding.kind === 'memory' ? finding.userId : undefined;
    if (userId !== undefined && users.size < MOST_USERS) users.add(userId);
    preview.addFinding(finding);
  }
  if (findings === 0) throw await explainNothing(files, preview.files, isEmpty);
  return { findings, preview: preview.build(), users: [...users], isShared };
}

/** Of several users, where nothing is of the one whose memories they would become. */
function ofNone(files: readonly SourceFile[], userId: string | null, users: readonly string[]): SvcError {
  const shown = users.map((id) => JSON.stringify(firstCharacters(id, MOST_SHOWN))).join(', ');
  const fix =
    userId === null
      ? '; import it for each of them by user_id (npx svc-memory import: --user), which takes what is of that one'
      : ` and nothing of user ${JSON.stringify(userId)}; name one of them by user_id (npx svc-memory import: --user)`;
  return invalid(files[0]?.path ?? 'files', `holds what is of several users (such as ${shown})${fix}`);
}

/** Without a user the memories would become the agent's own, which it reads beside what is of any user. */
function ofAUser(path: string, userId: string): SvcError {
  const shown = JSON.stringify(firstCharacters(userId, MOST_SHOWN));
  return invalid(
    path,
    `holds what is of user ${shown}; name that user, or the one whose memories they become, by user_id (npx svc-memory import: --user)`,
  );
}

/** What the agent itself remembers would become one user's, and what is that user's would stay out. */
function ofAgentAndUsers(path: string, userId: string): SvcError {
  const shown = JSON.stringify(firstCharacters(userId, MOST_SHOWN));
  return invalid(
    path,
    `holds what is of an agent and of its users; for user ${shown} import the export of one user (npx svc-memory export --user ID), or leave user_id out, which takes what is the agent’s own`,
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
      `is of no known format; name one with format (npx svc-memory import: --format): ${formats}`,
    );
  }
  return invalid(file.path, 'holds nothing to import');
}
