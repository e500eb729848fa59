import { type FileHandle, open, readlink, realpath, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ExportFormat, SvcError } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { renameWhenFree } from '@svc-memory/core/server';
import { temporaryBeside } from '@svc-memory/hooks';
import { CliError } from '../../control/cli-error.ts';
import { explainFolder } from '../access/database.ts';
import { callRaw } from '../access/raw-call.ts';
import { type Reached, reach } from '../access/reach.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { readField, readFileName } from '../console/read-field.ts';
import { untilStopped } from '../console/until-stopped.ts';

export default defineCommand({
  name: 'export',
  description: 'Print the agent’s own memories, or write them to a file',
  options: [
    option('--format <format>', 'Format of the document').choices(['json', 'markdown']).default('json'),
    option('--user <id>', 'What is one user’s only; * for the agent and all its users, as json').argParser(
      readField('--user', fields.userOrAll),
    ),
    option('--out <file>', 'File to write (mode 0600) in place of stdout').argParser(readFileName('--out')),
  ],
  examples: [
    'npx svc-memory export --out memories.json',
    'npx svc-memory export | jq .memories.core',
    'npx svc-memory export --user u1 --out u1.json',
  ],
  run: writeExport,
});

/** Writes the export document to a file (a new one with mode 0600) or to stdout, as it streams in. */
async function writeExport(
  context: CommandContext,
  { format, out, user }: { format: ExportFormat; out?: string; user?: string },
): Promise<void> {
  const { terminal } = context;
  return reach(context, async (reached) => {
    const records = watchRecords(format);
    const text: OpenText = (signal) => records.watch(exportOf(reached, format, { userId: user, signal }));
    const file = out === undefined ? undefined : resolve(out);
    if (file !== undefined) await writeStream(file, text);
    else {
      for await (const part of text()) await terminal.write(part);
      terminal.out('');
    }
    for (const line of told({ user, file, isEmpty: !records.found() })) terminal.err(line);
    // An export without memories is whole, too: who exports many users must not fail at one of whom nothing is stored yet.
  });
}

interface Written {
  readonly user: string | undefined;
  readonly file: string | undefined;
  readonly isEmpty: boolean;
}

/** What is said of an export that is written. */
function told({ user, file, isEmpty }: Written): string[] {
  const isOne = user !== undefined && user !== fields.ALL_USERS;
  const all = user === undefined ? 'the memories' : 'the memories of the agent and its users';
  const what = isOne ? `what is of user ${user}` : all;
  return [
    ...(file === undefined ? [] : [`Exported ${what} to ${file}.`]),
    ...(file !== undefined && user === undefined
      ? ['Not in it: what is of users (add --user "*"), spaces, schedules, keys and settings.']
      : []),
    // The id may be mistyped: ids of users are not checked against a list.
    ...(isOne && isEmpty ? [`No memory is stored about user ${user}: the export holds none.`] : []),
  ];
}

/** What begins each memory in an export, and is in none that holds no memory. */
const BEGINS_RECORD = { json: '\n', markdown: '\n### ' } as const;

/** Hands an export on, and knows at its end whether a memory was in it. */
function watchRecords(format: ExportFormat) {
  const mark = BEGINS_RECORD[format];
  let found = false;
  const watch = async function* (text: AsyncIterable<string>) {
    let end = '';
    for await (const part of text) {
      // The mark may be cut by the end of a part.
      const shown = end + part;
      found ||= shown.includes(mark);
      end = shown.slice(-mark.length);
      yield part;
    }
  };
  return { watch, found: () => found };
}

interface ExportOptions {
  readonly userId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Begins an export, which its signal ends. */
type OpenText = (signal?: AbortSignal) => AsyncIterable<string>;

function exportOf(reached: Reached, format: ExportFormat, options: ExportOptions): AsyncIterable<string> {
  if (reached.kind === 'service') return download(reached, format, options);
  const { engine, tenantId } = reached;
  const { userId, signal } = options;
  return engine.streams(tenantId, undefined, { signal }).export(format, { userId });
}

const FRAME = '{"success":true,"export":';

async function* download(
  { credentials }: Extract<Reached, { kind: 'service' }>,
  format: ExportFormat,
  { userId, signal }: ExportOptions,
): AsyncGenerator<string> {
  const query = new URLSearchParams({ format, ...(userId !== undefined && { user_id: userId }) });
  const response = await callRaw(credentials, { method: 'GET', path: `/export?${query}`, signal });
  const text = decode(response);
  yield* format === 'json' ? unwrap(text) : text;
}

async function* decode(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new SvcError('UNAVAILABLE', 'The export broke off.', { cause: error });
  }
}

/**
 * The document without the frame of the answer around it: `{"success":true,"export":` and a last `}`. Parts are handed on whole:
 * without its last unit, one that ends in an emoji would be written with half of it.
 */
async function* unwrap(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  let begun = false;
  for await (const part of text) {
    if (begun && part !== '') {
      yield held;
      held = part;
    } else held += part;
    if (begun || held.length < FRAME.length) continue;
    if (!held.startsWith(FRAME)) throw new SvcError('UNAVAILABLE', 'The service answered no export.');
    held = held.slice(FRAME.length);
    begun = true;
  }
  if (!begun || !held.endsWith('}')) throw new SvcError('UNAVAILABLE', 'The export broke off.');
  yield held.slice(0, -1);
}

/** Writes a regular file whole or not at all, and into what is none, such as a pipe, as the text comes. */
async function writeStream(file: string, text: OpenText): Promise<void> {
  try {
    const found = await stat(file).catch(() => undefined);
    if (found && !found.isFile()) await writeText(await open(file, 'w'), text());
    else {
      const target = await targetOf(file);
      const said = `Stopped: nothing was written to ${file}.`;
      await untilStopped(said, (signal) => replaceFile(target, text(signal)));
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const code = 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(`${file} cannot be written${code}.`, {
      fix: 'Choose another file with --out.',
      cause: explainFolder(file, error),
    });
  }
}

/** The file that a path leads to through links, which may not be there yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const link = await readlink(path).catch(() => undefined);
    if (link !== undefined && Object(error).code === 'ENOENT') return targetOf(resolve(dirname(path), link));
    return path;
  }
}

async function replaceFile(file: string, text: AsyncIterable<string>): Promise<void> {
  const candidate = temporaryBeside(file);
  try {
    await writeText(await open(candidate, 'wx', 0o600), text, { sync: true });
    renameWhenFree(candidate, file);
  } catch (error) {
    await rm(candidate, { force: true });
    throw error;
  }
}

async function writeText(
  handle: FileHandle,
  text: AsyncIterable<string>,
  { sync = false } = {},
): Promise<void> {
  try {
    // Unlike `write`, it writes all of a part, also where the disk takes less of it at once.
    for await (const part of text) await handle.writeFile(part);
    await handle.writeFile('\n');
    if (sync) await handle.sync();
  } finally {
    await handle.close();
  }
}
