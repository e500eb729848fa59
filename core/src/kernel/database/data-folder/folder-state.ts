import { lstatSync } from 'node:fs';
import { access, chmod, constants, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncNames, syncTree } from './sync-folder.ts';
import { removeWhenFree, renameWhenFree } from './until-free.ts';

/** Name of the database's own folder inside the data folder. */
export const DATABASE_FOLDER = 'pg';

/** Name of the file in the database's folder that says what the disk holds of it. */
export const STATE_FILE = 'svc.state';
const STATE_DRAFT = `${STATE_FILE}.new`;

/**
 * What the disk holds of a database's folder:
 * - `making`: a part of a new database, in which nothing was ever acknowledged.
 * - `unsynced`: all as far as the system wrote it by itself, as after a run without sync or of an older release.
 * - `synced`: all that was acknowledged.
 */
type FolderState = 'making' | 'unsynced' | 'synced';

/** Thrown when the files of a database cannot be what the service left there. */
export class DamagedFolderError extends Error {
  override readonly name = 'DamagedFolderError';
  constructor(folder: string, because: string, options?: ErrorOptions) {
    super(`The database in ${folder} is damaged: ${because}.`, options);
  }
}

/** Thrown when the files of a database are of another major version of PostgreSQL, which their format follows. */
export class OtherPostgresError extends Error {
  override readonly name = 'OtherPostgresError';
  constructor(folder: string, theirs: string, ours: string, options?: ErrorOptions) {
    super(`The database in ${folder} is of PostgreSQL ${theirs}, and this release has ${ours}.`, options);
  }
}

// The detail that Postgres gives of files it cannot read.
const OTHER_POSTGRES =
  /initialized by PostgreSQL version (\S+), which is not compatible with this version (\S+?)\.?$/m;

// What Postgres writes when it is the disk that fails, and the system's name of it.
const DISK_FAILURES = [
  ['No space left on device', 'ENOSPC'],
  ['Read-only file system', 'EROFS'],
  ['Permission denied', 'EACCES'],
  ['I/O error', 'EIO'],
] as const;

// The numbers that the file system of the embedded database has for the same: those of WebAssembly's system interface.
const WASI_ERRNO: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  51: 'ENOSPC',
  69: 'EROFS',
};

/**
 * Says why Postgres could not start on a folder.
 *
 * @param said What it wrote to stderr.
 */
export function explainFailedStart(folder: string, error: unknown, said: readonly string[]): unknown {
  // Errors of Node, such as that of a folder that may not be read.
  if (error instanceof Error && 'code' in error) return error;
  // Its own errors are no `Error`, and have a number only.
  const code = WASI_ERRNO[Number(Object(error).errno)];
  if (code)
    return Object.assign(new Error(`${folder} cannot be written (${code})`, { cause: error }), { code });
  const [, theirs, ours] = OTHER_POSTGRES.exec(said.join('\n')) ?? [];
  if (theirs && ours) return new OtherPostgresError(folder, theirs, ours, { cause: error });
  const line = said.findLast((text) => /(PANIC|FATAL): /.test(text)) ?? said.at(-1) ?? String(error);
  const reason = line.replace(/^.*(PANIC|FATAL): +/, '').replace(/\.$/, '');
  const failure = DISK_FAILURES.find(([text]) => reason.includes(text));
  if (failure) return Object.assign(new Error(reason, { cause: error }), { code: failure[1] });
  return new DamagedFolderError(folder, reason, { cause: error });
}

/**
 * Readies the folder of a database for opening: notes what the run may leave behind, and clears what a first start that was
 * cut off has left.
 *
 * @returns its state before; `finishFolder` must follow unless that is `synced`.
 */
export async function prepareFolder(folder: string, { sync }: { sync: boolean }): Promise<FolderState> {
  const state = await readState(folder);
  if (state === 'making') await clearFolder(folder);
  else if (!sync && state === 'synced') {
    await writeState(folder, 'unsynced');
    return 'unsynced';
  }
  return state;
}

/** Readies a folder for a new database. The folder itself stays: it may be a link to another disk, or have one mounted there. */
async function clearFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  // Files of the database are closed to others by this alone.
  await chmod(folder, 0o700);
  // First, as it tells what else is there from a whole database until all of that is gone.
  await writeState(folder, 'making');
  for (const name of await readdir(folder)) {
    if (name !== STATE_FILE) await removeWhenFree(join(folder, name));
  }
}

/** Brings a folder that was made or opened just now to the disk, or notes that it is not there. */
export async function finishFolder(folder: string, { sync }: { sync: boolean }): Promise<void> {
  if (sync) await syncTree(folder);
  await writeState(folder, sync ? 'synced' : 'unsynced');
}

async function readState(folder: string): Promise<FolderState> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    // A link to nothing is there: what it leads to may be on a disk that is not mounted.
    if (error.code === 'ENOENT' && !lstatSync(folder, { throwIfNoEntry: false })) return [];
    throw error;
  });
  // A first start may have been cut off while it noted that it makes the folder.
  if (names.every((name) => name === STATE_DRAFT)) return 'making';
  // Of a folder that it may not write Postgres says that a file is there already.
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const state = names.includes(STATE_FILE) ? await readFile(join(folder, STATE_FILE), 'utf8') : '';
  if (state === 'making') return state;
  // PGlite would make a new database over what is left of this one.
  if (!names.includes('PG_VERSION')) throw new DamagedFolderError(folder, 'its file PG_VERSION is missing');
  // A folder of an older release has no state.
  return state === 'synced' ? state : 'unsynced';
}

async function writeState(folder: string, state: FolderState): Promise<void> {
  const file = join(folder, STATE_FILE);
  const draftFile = join(folder, STATE_DRAFT);
  const draft = await open(draftFile, 'w', 0o600);
  try {
    await draft.writeFile(state);
    await draft.sync();
  } finally {
    await draft.close();
  }
  renameWhenFree(draftFile, file);
  syncNames(folder);
}
