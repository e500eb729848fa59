import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { IncomingFile } from '@svc-memory/core';
import { CliError, EXIT } from '../../../control/cli-error.ts';
import { createImportSources } from '../../../import/sources.ts';
import type { CommandContext } from '../../console/command.ts';
import { oneLine } from '../../console/terminal.ts';
import { readUntilStopped } from '../../console/until-stopped.ts';

/** Where a command line says the memories are. */
export interface SourceOptions {
  readonly ref?: string | undefined;
  readonly path?: string | undefined;
}

/**
 * The files a source names: a file, a folder (without hidden files and links), `https://…` for a Git repository,
 * `s3://bucket/prefix`. Repositories and buckets are fetched here, with this person's own access.
 */
export async function filesOf(
  context: CommandContext,
  source: string,
  options: SourceOptions,
): Promise<AsyncIterable<IncomingFile>> {
  // The command runs as this user, who can reach private addresses anyway.
  const sources = createImportSources({ allowPrivate: true });
  if (source.trim() === '') throw wrong('The source is an empty name.');
  const isRepository = /^https?:\/\//i.test(source);
  if (!isRepository) refuseRepositoryOptions(source, options);
  // A Ctrl-C of the terminal does not reach git.
  const fetched = (open: (signal: AbortSignal) => AsyncIterable<IncomingFile>) =>
    withUsableNames(readUntilStopped('Stopped: nothing was imported.', open));
  if (isRepository) return fetched((signal) => sources.git({ url: source, ...options }, signal));
  if (source.startsWith('s3://')) {
    const bucket = bucketOf(context, source);
    return fetched((signal) => sources.s3(bucket, signal));
  }
  if (/^[a-z][a-z0-9+.-]*:(\/\/|:)/i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source)) {
    throw wrong(`${source} is no source of memories.`);
  }
  return localFiles(context, resolve(source));
}

/** Left out in silence, more would come in than was asked for. */
function refuseRepositoryOptions(source: string, options: SourceOptions): void {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw new CliError(`--${name} is for Git repositories, and ${source} is none.`, {
    fix: `Leave out --${name}, or name https://… of a Git repository.`,
    exitCode: EXIT.usage,
  });
}

function bucketOf({ env }: CommandContext, source: string) {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(source) ?? [];
  if (bucket === '') throw wrong(`${source} names no bucket.`);
  const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region = 'us-east-1' } = env;
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = env;
  return {
    bucket,
    region,
    ...(prefix === '' ? {} : { prefix }),
    ...(endpoint ? { endpoint } : {}),
    ...(id ? { access_key_id: id } : {}),
    ...(secret ? { secret_access_key: secret } : {}),
    ...(token ? { session_token: token } : {}),
  };
}

async function localFiles({ terminal }: CommandContext, place: string): Promise<AsyncIterable<IncomingFile>> {
  const found = await lstat(place).catch(() => undefined);
  if (!found) throw wrong(`There is no file or folder ${place}.`);
  if (found.isFile()) {
    requireName(basename(place), place);
    return read([{ path: basename(place), file: place }]);
  }
  if (found.isSymbolicLink()) throw wrong(`${place} is a link, which is not followed.`);
  if (!found.isDirectory()) throw wrong(`${place} is neither a file nor a folder.`);
  const entries = (await readdir(place, { recursive: true, withFileTypes: true }).catch(explainUnread))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
    .map(({ entry, file }) => ({ entry, file, path: relative(place, file).split(sep).join('/') }))
    .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const files = entries.filter(({ entry }) => entry.isFile());
  for (const { entry, path } of entries) {
    if (entry.isSymbolicLink()) terminal.err(oneLine(`Left out: ${path} is a link, which is not followed.`));
    else if (!entry.isFile()) terminal.err(oneLine(`Left out: ${path} is no plain file.`));
  }
  if (files.length === 0) throw wrong(`${place} holds no files.`);
  for (const { path, file } of files) requireName(path, file);
  return read(files);
}

/**
 * The service refuses such a name, and in a form some of these characters would break the upload off, so that nobody could tell
 * which file it was. It is refused before anything is sent.
 */
function requireName(path: string, file: string): void {
  const [character] = /[\p{Cc}\\]/u.exec(path) ?? [];
  if (character === undefined) return;
  const what = character === '\\' ? 'a backslash' : `a control character (${codePoint(character)})`;
  throw new CliError(oneLine(`${file} has a name with ${what}.`), {
    fix: 'Nothing was imported. Rename it, or import the others by themselves.',
  });
}

async function* withUsableNames(files: AsyncIterable<IncomingFile>): AsyncGenerator<IncomingFile> {
  for await (const file of files) {
    requireName(file.path, file.path);
    yield file;
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

async function* read(files: readonly { path: string; file: string }[]): AsyncGenerator<IncomingFile> {
  for (const { path, file } of files) yield { path, bytes: bytesOf(file) };
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    explainUnread(error, file);
  }
}

/** A part left out unasked might be missed only much later: so nothing is imported then. */
function explainUnread(error: unknown, file?: string): never {
  const { code, path = file } = Object(error) as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  // A name that is not UTF-8 is read with U+FFFD in it, under which there is no file.
  if (code === 'ENOENT' && path?.includes('\uFFFD')) {
    throw new CliError(`${path} has a name that is not UTF-8.`, {
      fix: 'Nothing was imported. Rename it, or import the others by themselves.',
      cause: error,
    });
  }
  throw new CliError(`${path} cannot be read (${code}).`, {
    fix: 'Nothing was imported. Let this user read it, or import the others by themselves.',
    cause: error,
  });
}

function wrong(message: string): CliError {
  return new CliError(message, {
    fix: 'Name a file, a folder, https://… of a Git repository, or s3://bucket/prefix.',
    exitCode: EXIT.usage,
  });
}
