import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ExportFormat, SvcError } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { CliError, EXIT } from '../../control/cli-error.ts';
import { explainFolder } from '../access/database.ts';
import { callRaw } from '../access/raw-call.ts';
import { type Reached, reach } from '../access/reach.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { readField } from '../console/read-field.ts';

export default defineCommand({
  name: 'export',
  description: 'Print all memories, or write them to a file',
  options: [
    option('--format <format>', 'Format of the document').choices(['json', 'markdown']).default('json'),
    option('--user <id>', 'What is one user’s only; * for the agent and all its users, as json').argParser(
      readField('--user', fields.userOrAll),
    ),
    option('--out <file>', 'File to write (mode 0600) in place of stdout'),
  ],
  examples: [
    'svc export --out memories.json',
    'svc export | jq .memories.core',
    'svc export --user u1 --out u1.json',
  ],
  run: writeExport,
});

/** Writes the export document to a file (a new one with mode 0600) or to stdout, as it streams in. */
async function writeExport(
  context: CommandContext,
  { format, out, user }: { format: ExportFormat; out?: string; user?: string },
): Promise<number> {
  return reach(context, async (reached) => {
    const text = exportOf(reached, format, user);
    if (out === undefined) {
      for await (const part of text) await context.terminal.write(part);
      context.terminal.out('');
      return EXIT.ok;
    }
    const file = resolve(out);
    await writeStream(file, text);
    context.terminal.err(`Exported all memories to ${file}.`);
    return EXIT.ok;
  });
}

function exportOf(reached: Reached, format: ExportFormat, userId: string | undefined): AsyncIterable<string> {
  if (reached.kind === 'engine') return reached.engine.streams(reached.tenantId).export(format, { userId });
  return download(reached, format, userId);
}

const FRAME = '{"success":true,"export":';

async function* download(
  { credentials }: Extract<Reached, { kind: 'service' }>,
  format: ExportFormat,
  userId: string | undefined,
): AsyncGenerator<string> {
  const query = new URLSearchParams({ format, ...(userId !== undefined && { user_id: userId }) });
  const response = await callRaw(credentials, { method: 'GET', path: `/export?${query}` });
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

/** The document without the frame of the answer around it: `{"success":true,"export":` and a last `}`. */
async function* unwrap(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  let begun = false;
  for await (const part of text) {
    held += part;
    if (!begun) {
      if (held.length < FRAME.length) continue;
      if (!held.startsWith(FRAME)) throw new SvcError('UNAVAILABLE', 'The service answered no export.');
      held = held.slice(FRAME.length);
      begun = true;
    }
    yield held.slice(0, -1);
    held = held.slice(-1);
  }
  if (held !== '}') throw new SvcError('UNAVAILABLE', 'The export broke off.');
}

/** Writes a regular file whole or not at all, and into what is none, such as a pipe, as the text comes. */
async function writeStream(file: string, text: AsyncIterable<string>): Promise<void> {
  try {
    const found = await stat(file).catch(() => undefined);
    if (found && !found.isFile()) await writeText(await open(file, 'w'), text);
    else await replaceFile(await targetOf(file), text);
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
  const candidate = `${file}.${randomUUID()}.tmp`;
  try {
    await writeText(await open(candidate, 'wx', 0o600), text, { sync: true });
    await rename(candidate, file);
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
