import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile as ReadableZip } from 'yauzl';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { DATABASE_FOLDER } from '../data-folder/folder-state.ts';
import { BackupError } from './backup-error.ts';

/** What a backup holds beside the database: without these files its keys and secrets could not be used again. */
export const OTHER_FILES = ['secret', 'credentials.json'];

const MANIFEST = 'svc-backup.json';
/** Bytes of it at most: it takes about 80 for each file of the database. */
const MOST_OF_MANIFEST = 64 * 1024 * 1024;
const NAME_A_FILE = 'Name the file of a backup: npx svc-memory restore FILE';
/** How each file in a zip archive begins. */
const ZIP_MARK = Buffer.from('PK\x03\x04', 'latin1');
const NOT_AN_EXPORT =
  'Name a file that `npx svc-memory backup` wrote. What `npx svc-memory export` wrote, `npx svc-memory import` reads.';
const TAKE_ANOTHER =
  'Take another backup; `npx svc-memory restore` changes nothing before it has read all of one.';

const manifestSchema = z.object({
  service: z.literal('svc-memory'),
  format: z.literal(1),
  made: z.iso.datetime(),
  /** The newest migration of the database in it; they are numbered by their time. */
  migration: z.number(),
  files: z.record(z.string(), z.string()),
});

/** What a backup says of itself. */
export type Manifest = z.output<typeof manifestSchema>;

interface WriteOptions {
  /** Called with the size of each part before it is written; ends it where it throws. */
  readonly requireRoom?: (bytes: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Writes a folder and what is said of it into one zip archive. */
export async function writeArchive(
  folder: string,
  archive: string,
  facts: Pick<Manifest, 'made' | 'migration'>,
  { requireRoom = async () => {}, signal }: WriteOptions = {},
): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const zip = new ZipFile();
  const files: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).replaceAll(sep, '/');
    if (entry.isDirectory()) {
      zip.addEmptyDirectory(name);
    } else {
      files[name] = await hashOf(createReadStream(path), { signal });
      // The fastest compression makes pages of a database almost as small as the best one.
      zip.addFile(path, name, { compressionLevel: 1, mode: 0o600 });
    }
  }
  const manifest: Manifest = { service: 'svc-memory', format: 1, ...facts, files };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), MANIFEST, { mode: 0o600 });
  const output = zip.outputStream as NodeJS.ReadableStream & { destroy(error: Error): void };
  zip.on('error', (error) => output.destroy(error));
  zip.end();
  const file = createWriteStream(archive, { mode: 0o600, flush: true });
  const bounded = async function* (parts: AsyncIterable<string | Buffer>) {
    for await (const part of parts) {
      await requireRoom(part.length);
      yield part;
    }
  };
  await pipeline(output, bounded, file, ...(signal ? [{ signal }] : []));
}

export interface ReadOptions {
  /** Folder for the files; without one they are only compared. */
  readonly target?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a whole archive and compares every file with its hash.
 *
 * @throws BackupError when it is no backup, or not all of one.
 */
export async function readArchive(archive: string, { target, signal }: ReadOptions = {}): Promise<Manifest> {
  const zip = await openArchive(archive);
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    const manifest = await readManifest(archive, zip, entries);
    const missing = new Map(Object.entries(manifest.files));
    if (!missing.has(`${DATABASE_FOLDER}/PG_VERSION`)) throw damaged(archive, 'it holds no database');
    for (const entry of entries) {
      const { fileName: name } = entry;
      if (name === MANIFEST) continue;
      const isFolder = name.endsWith('/');
      // Restored, it would take the place of what the data folder holds beside the database, such as its lock.
      if (!isPart(name) || !(isFolder || missing.has(name)))
        throw damaged(archive, 'it holds what is no part of a backup');
      if (isFolder) {
        if (target !== undefined) await mkdir(join(target, name), { recursive: true, mode: 0o700 });
        continue;
      }
      const stream = await zip.openReadStreamPromise(entry);
      const copy = target === undefined ? undefined : join(target, name);
      const hash = await hashOf(stream, { copy, signal });
      if (missing.get(name) !== hash) throw damaged(archive, `its file ${name} is not as it was written`);
      missing.delete(name);
    }
    if (missing.size > 0) throw damaged(archive, `it lacks ${missing.size} of its files`);
    return manifest;
  } catch (error) {
    throw asBackupError(archive, error, signal);
  } finally {
    zip.close();
  }
}

function isPart(name: string): boolean {
  return name.startsWith(`${DATABASE_FOLDER}/`) || OTHER_FILES.includes(name);
}

async function openArchive(archive: string): Promise<ReadableZip> {
  try {
    // Of a folder Windows says only that it is empty.
    if ((await stat(archive)).isDirectory()) throw new BackupError(`${archive} is a folder.`, NAME_A_FILE);
    if (!(await beginsLikeZip(archive))) throw foreign(archive);
    return await openPromise(archive, { lazyEntries: true, autoClose: false, strictFileNames: true });
  } catch (error) {
    throw asBackupError(archive, error);
  }
}

/** Whether a file is a zip archive, whole or cut off, and no other kind of file. An empty one may have been cut off. */
async function beginsLikeZip(archive: string): Promise<boolean> {
  const file = await open(archive);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP_MARK.length), 0, ZIP_MARK.length, 0);
    return ZIP_MARK.subarray(0, bytesRead).equals(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

async function readManifest(archive: string, zip: ReadableZip, entries: readonly Entry[]): Promise<Manifest> {
  const entry = entries.find(({ fileName }) => fileName === MANIFEST);
  if (!entry || entry.uncompressedSize > MOST_OF_MANIFEST) throw foreign(archive);
  const parts: Buffer[] = [];
  const stream = await zip.openReadStreamPromise(entry);
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  const parsed = manifestSchema.safeParse(JSON.parse(Buffer.concat(parts).toString()));
  if (!parsed.success) throw foreign(archive);
  return parsed.data;
}

/** The SHA-256 of a stream, which is written to a file on the way where one is named. */
async function hashOf(
  stream: AsyncIterable<unknown>,
  { copy, signal }: { readonly copy?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const hash = createHash('sha256');
  if (copy !== undefined) await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
  const file = copy === undefined ? undefined : await open(copy, 'wx', 0o600);
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      hash.update(part);
      await file?.writeFile(part);
    }
  } finally {
    await file?.close();
  }
  return hash.digest('hex');
}

/** What the disk throws has a code; what a bad archive causes has none, or zlib's. */
function asBackupError(archive: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return error;
  if (!(error instanceof Error) || error instanceof BackupError) return error;
  if ('code' in error && !String(error.code).startsWith('Z_')) {
    return error.code === 'ENOENT' ? new BackupError(`There is no file ${archive}.`, NAME_A_FILE) : error;
  }
  return damaged(archive, 'it ends too early or was changed', { cause: error });
}

function damaged(archive: string, because: string, options?: ErrorOptions): BackupError {
  return new BackupError(`The backup ${archive} is damaged: ${because}.`, TAKE_ANOTHER, options);
}

function foreign(archive: string): BackupError {
  return new BackupError(`${archive} is no backup of the Agent Memory Service.`, NOT_AN_EXPORT);
}
