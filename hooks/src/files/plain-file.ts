import { openSync, readFileSync, statSync } from 'node:fs';

/** Thrown for what is no plain file. */
export class NotPlainError extends Error {
  override readonly name = 'NotPlainError';
  /** In words: `a folder`, `no file`. */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}`);
    this.kind = kind;
  }
}

/**
 * Opens a file to read it.
 *
 * @throws NotPlainError for what is no plain file: a pipe or a device may keep its reader waiting forever, and nothing else runs
 *   meanwhile.
 */
export function openPlainFile(path: string): number {
  requirePlain(path);
  return openSync(path, 'r');
}

/** The text of a file, where `openPlainFile` would open it. */
export function readPlainFile(path: string): string {
  requirePlain(path);
  return readFileSync(path, 'utf8');
}

/** The text of a file of our own; undefined where it cannot be read: what was put in its place may be no plain file. */
export function readOwnFile(path: string): string | undefined {
  try {
    return readPlainFile(path);
  } catch {
    return undefined;
  }
}

function requirePlain(path: string): void {
  const found = statSync(path);
  if (!found.isFile()) throw new NotPlainError(path, found.isDirectory() ? 'a folder' : 'no plain file');
}
