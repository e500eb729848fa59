import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A name nobody else takes at this time. */
export function uniqueName(): string {
  return `${process.pid.toString(36)}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}

/**
 * Puts a file in place at once: whoever reads it, at any time and after any crash, sees the old file or
 * the new one, whole.
 *
 * @param durable Whether it must be on the disk before the old one goes, should the power fail.
 * @param mode Who may read it; default 0600, its owner alone.
 */
export function writeWhole(
  file: string,
  body: string,
  { durable, mode }: { readonly durable: boolean; readonly mode?: number },
): void {
  const candidate = `${file}.${uniqueName()}.tmp`;
  try {
    const descriptor = openSync(candidate, 'wx', 0o600);
    try {
      if (mode !== undefined) fchmodSync(descriptor, mode);
      writeAll(descriptor, body);
      if (durable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    replace(candidate, file);
    if (durable) syncFolder(dirname(file));
  } catch (error) {
    rmSync(candidate, { force: true });
    throw error;
  }
}

function writeAll(descriptor: number, body: string): void {
  const bytes = Buffer.from(body);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

/** Windows refuses to replace a file that somebody reads at this moment. */
function replace(candidate: string, file: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(candidate, file);
      return;
    } catch (error) {
      if (attempt >= 20 || !isCode(error, 'EPERM', 'EACCES', 'EBUSY')) throw error;
    }
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
    // Not every system can open a folder; the file itself is safe.
  }
}

/** Whether an error is one of the system's with one of these codes. */
function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Makes a folder that its owner alone can read, and that no version control picks up. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}
