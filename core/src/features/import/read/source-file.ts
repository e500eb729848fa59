import { invalid } from '../../../kernel/contract/errors.ts';
import { firstCharacters } from '../../../text/truncate.ts';
import { IMPORT_LIMITS } from '../limits.ts';

/** A file to be imported, wherever it is kept. It can be read any number of times. */
export interface SourceFile {
  /** Relative path with `/`, as the source names it; it is shown, never opened. */
  readonly path: string;
  open(): AsyncIterable<Uint8Array>;
  /** Bytes, and reading a part of them; absent for a file inside an archive. */
  readonly random?: {
    readonly size: number;
    range(start: number, end: number): AsyncIterable<Uint8Array>;
  };
}

/**
 * Checks the name of a file, though none is ever written under it: what looks like an attack is one.
 *
 * @throws SvcError `VALIDATION_ERROR`.
 */
export function checkPath(path: string): string {
  const shown = shownName(path);
  if (path === '' || path.length > IMPORT_LIMITS.pathCharacters) {
    throw invalid(shown || 'file', `its path must have 1 to ${IMPORT_LIMITS.pathCharacters} characters`);
  }
  if (/[\p{Cc}\\]/u.test(path) || !path.isWellFormed()) {
    throw invalid(shown, 'its path holds a character that paths must not have');
  }
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) {
    throw invalid(shown, 'its path leads out of its folder');
  }
  return path;
}

/** A name, or what a library says of it, as an answer shows it: on one line, and only its beginning. */
export function shownName(text: string): string {
  return firstCharacters(text.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, '?'), 200);
}

/** What follows the last dot of a file's name, in lower case; empty without one. */
export function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
