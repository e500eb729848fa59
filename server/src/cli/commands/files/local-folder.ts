import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fields, filePathProblem, foldFileName } from '@svc-memory/core/contract';
import { writeFileAtomically } from '@svc-memory/hooks';

/** A text file of the folder. */
export interface LocalFile {
  /** Below the folder, with slashes, composed (NFC). */
  readonly path: string;
  /** Where it is, as the file system writes it. */
  readonly file: string;
  readonly text: string;
  /** Of its bytes. */
  readonly hash: string;
}

/** What a folder holds. What is left out is no file here, and still there: nothing is concluded from it. */
export interface LocalFiles {
  readonly files: ReadonlyMap<string, LocalFile>;
  readonly leftOut: ReadonlyMap<string, string>;
}

const MOST_FILES = 2_000;
// A character takes four bytes at most; and a byte order mark.
const MOST_BYTES = fields.LIMITS.contentCharacters * 4 + 3;
const NO_BLOCKING = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** What an interrupted write leaves. */
const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Reads a folder's files. Hidden ones are passed over without a word; links, devices, and what is no text for one memory are
 * left out with the reason.
 *
 * @throws RangeError where they are more than an agent may have.
 */
export async function readFolder(root: string): Promise<LocalFiles> {
  const files = new Map<string, LocalFile>();
  const leftOut = new Map<string, string>();
  const folded = new Map<string, string>();
  const waiting: { readonly folder: string; readonly prefix: string }[] = [{ folder: root, prefix: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, prefix } = next;
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (prefix === '') throw error;
      leftOut.set(prefix, `cannot be read (${error.code})`);
      return [];
    });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || TEMPORARY.test(entry.name)) continue;
      const file = join(folder, entry.name);
      const path = (prefix === '' ? entry.name : `${prefix}/${entry.name}`).normalize('NFC');
      const problem = nameProblem(path, folded);
      if (problem !== undefined) leftOut.set(path, problem);
      else if (entry.isDirectory()) waiting.push({ folder: file, prefix: path });
      else {
        const read = entry.isFile() ? await readText(file) : { problem: whatIs(entry) };
        if ('problem' in read) leftOut.set(path, read.problem);
        else files.set(path, { path, file, ...read });
      }
    }
    if (files.size > MOST_FILES) throw new RangeError(`${root} holds more than ${MOST_FILES} files`);
  }
  return { files, leftOut };
}

function nameProblem(path: string, folded: Map<string, string>): string | undefined {
  if (path.includes('\uFFFD')) return 'has a name that is no UTF-8';
  const problem = filePathProblem(`/memories/${path}`);
  if (problem !== undefined && !problem.startsWith('looks like')) return `has a name that ${problem}`;
  const same = folded.get(foldFileName(path));
  if (same !== undefined) return `has a name that some systems take for ${same}`;
  folded.set(foldFileName(path), path);
  return undefined;
}

function whatIs(entry: { isSymbolicLink(): boolean }): string {
  return entry.isSymbolicLink() ? 'is a link, which is not followed' : 'is no plain file';
}

type Read = { readonly text: string; readonly hash: string } | { readonly problem: string };

/** Reads a file as text; a link that took its place meanwhile is not followed, and a pipe not waited for. */
async function readText(file: string): Promise<Read> {
  let bytes: Buffer;
  try {
    const handle = await open(file, constants.O_RDONLY | NO_BLOCKING);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return { problem: 'is no plain file' };
      if (found.size > MOST_BYTES) return { problem: TOO_LONG };
      bytes = await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  return toText(bytes);
}

const TOO_LONG = `is longer than the ${fields.LIMITS.contentCharacters.toLocaleString('en-US')} characters of a memory; split it`;

function toText(bytes: Buffer): Read {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { problem: 'is no UTF-8 text' };
  }
  if (text.includes('\0')) return { problem: 'is binary' };
  if (fields.characterCount(text) > fields.LIMITS.contentCharacters) return { problem: TOO_LONG };
  if (text.trim() === '') return { problem: 'holds no text' };
  return { text, hash: hashOf(bytes) };
}

/** The file is not what it was when the folder was read: the next pass looks at it anew. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/**
 * Puts a text in place of what was read, atomically and durably.
 *
 * @param known The file as it was read; undefined: there must be none.
 * @throws ChangedError where it is another by now, or is reached through a link.
 */
export async function writeText(
  root: string,
  path: string,
  text: string,
  known: LocalFile | undefined,
): Promise<void> {
  const file = known?.file ?? join(root, ...path.split('/'));
  await makeFolders(root, dirname(file));
  const mode = await requireUnchanged(file, known);
  writeFileAtomically(file, text, { durable: true, mode: mode ?? 0o600 });
}

/** Removes a file that is as it was read, and the folders that hold nothing then. */
export async function removeFile(root: string, known: LocalFile): Promise<void> {
  await makeFolders(root, dirname(known.file));
  await requireUnchanged(known.file, known);
  await unlink(known.file);
  for (let folder = dirname(known.file); folder !== root; folder = dirname(folder)) {
    // One that holds something is not empty, which is no failure.
    if (
      !(await rmdir(folder).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

async function requireUnchanged(file: string, known: LocalFile | undefined): Promise<number | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (!found && !known) return undefined;
  const read = found?.isFile() ? await readText(file) : undefined;
  if (found && known && read && 'hash' in read && read.hash === known.hash) return found.mode & 0o777;
  throw new ChangedError('has changed meanwhile');
}

/** Makes the folders down to one, none of which may be a link. */
async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder === root) return;
  await makeFolders(root, dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await lstat(folder)).isDirectory())
    throw new ChangedError('would be reached through a link or a file');
}
