import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { renameWhenFree } from '@svc-memory/core/files';
import { firstCharacters } from '@svc-memory/core/text';

/** Milliseconds that a rename waits for a file in use: a hook, which writes several, has seconds for all it does. */
const RENAME_PATIENCE_MS = 200;

/** Characters of a file's name in that of the temporary one. */
const KEPT_OF_NAME = 40;

/** A new name beside a file, for what is to replace it. */
export function temporaryBeside(file: string): string {
  // Only the beginning of the name: systems take names of 255 bytes, and the file's own may have as many.
  const begins = firstCharacters(basename(file), KEPT_OF_NAME);
  return join(dirname(file), `${begins}.${randomUUID()}.tmp`);
}

/**
 * Writes a file atomically: a reader sees the old content or the new content, whole, at any time and after any crash.
 * The npm package write-file-atomic replaces a good file by a truncated one on a full disk: it ignores short writes.
 *
 * @param options.durable Whether the content is on the disk before it replaces the old file (`fsync`).
 * @param options.mode Default 0600: only the owner may read it.
 */
export function writeFileAtomically(
  file: string,
  content: string,
  { durable, mode = 0o600 }: { readonly durable: boolean; readonly mode?: number },
): void {
  const temporary = temporaryBeside(file);
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      // The umask does not apply to it.
      fchmodSync(descriptor, mode);
      writeFileSync(descriptor, content);
      if (durable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameWhenFree(temporary, file, RENAME_PATIENCE_MS);
    if (durable) syncFolder(dirname(file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Some systems cannot open a folder. The content of the file is on the disk all the same.
  }
}

/**
 * Makes a folder with those above it. `mkdirSync` with `recursive` never returns where a parent takes no folder, as /proc.
 *
 * @param mode default 0700: only the owner may read it
 */
export function makeFolders(folder: string, mode = 0o700): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    // Of a link to nothing the link is there; this throws that what it leads to is not.
    if (isCode(error, 'EEXIST')) statSync(folder);
    const parent = dirname(folder);
    // A drive of Windows that is not there is its own parent.
    if (!isCode(error, 'ENOENT') || parent === folder || existsSync(parent)) throw error;
    makeFolders(parent, mode);
    makeFolders(folder, mode);
  }
}

/** Makes a folder that only its owner can read, and that version control ignores. */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
