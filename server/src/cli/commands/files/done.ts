import { SvcError } from '@svc-memory/core/contract';
import { ChangedError, type LocalFile } from './local-folder.ts';

/** What was done about a file, or is to be done. */
export interface Done {
  readonly what:
    | 'sent'
    | 'fetched'
    | 'deleted here'
    | 'deleted there'
    | 'kept both'
    | 'waits'
    | 'left out'
    | 'again';
  readonly path: string;
  readonly note?: string;
}

export const WAITS = 'for your human (Guardian); the memory says what it said until then';

export function keptBoth(local: LocalFile): Done {
  return { what: 'kept both', path: local.path, note: `what was here is ${copyName(local)}` };
}

export function deletedThere(path: string): Done {
  return { what: 'deleted there', path, note: 'restorable for 30 days' };
}

export function broughtBack(path: string): Done {
  return { what: 'left out', path, note: 'cannot be deleted, and was brought back' };
}

/** What is told of a path whose step failed; undefined where the failure is not about this path alone. */
export function failed(path: string, error: unknown): Done | undefined {
  if (error instanceof ChangedError) return { what: 'again', path, note: error.message };
  if (isNameRefused(error))
    return { what: 'left out', path, note: 'has a name that this system does not take' };
  if (!(error instanceof SvcError) || !isAboutFile(error)) return undefined;
  const waits = error.code === 'GUARDIAN_PROTECTED';
  const note = error.message.replace(/^Error: /, '');
  return { what: waits ? 'waits' : error.code === 'CONFLICT' ? 'again' : 'left out', path, note };
}

/** Whether the file system refuses the name: most take 255 bytes, and those of macOS only UTF-8 that they know. */
function isNameRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENAMETOOLONG', 'EILSEQ'].includes(String(error.code));
}

/** What concerns this file only; after any other error the pass ends. */
function isAboutFile({ code }: SvcError): boolean {
  return ['VALIDATION_ERROR', 'CONFLICT', 'NOT_FOUND', 'FORBIDDEN', 'GUARDIAN_PROTECTED'].includes(code);
}

/** Characters and bytes of a name that its copies keep: systems take names of 255 bytes, and more stands behind these. */
const KEPT = { characters: 80, bytes: 180 };

/** The name of a copy, by what it says: the same conflict again makes no second one. */
export function copyName({ path, hash }: LocalFile): string {
  const [, folder = '', stem = '', extension = ''] = /^(.*\/)?([^/]+?)(\.[^./]{1,16})?$/s.exec(path) ?? [];
  const kept = Buffer.from(stem.slice(0, KEPT.characters)).subarray(0, KEPT.bytes).toString();
  // What the cut leaves of a character is decoded as U+FFFD, which no name holds.
  return `${folder}${kept.replace(/\uFFFD+$/, '')}.conflict-${hash.slice(0, 8)}${extension}`;
}

/** Whether a path says who the agent is. */
export function isProtectedPath(path: string): boolean {
  return /^\/memories\/(?:soul|identity)\//.test(path);
}

/** A copy of what says who the agent is would ask the human to add what is there already. */
export function isProtectedCopy(path: string): boolean {
  return isProtectedPath(path) && /\.conflict-[0-9a-f]{8}(?:\.[^./]+)?$/.test(path);
}
