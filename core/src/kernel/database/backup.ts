import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, lstat, mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { z } from 'zod';
import { DAY_MS } from '../runtime/durations.ts';
import { type Manifest, OTHER_FILES, readArchive, writeArchive } from './backup-archive.ts';
import { BackupError } from './backup-error.ts';
import type { BackupOptions } from './database.ts';
import { BACKUP_FOLDER, beginErasureLog, bringErasures } from './erasure-log.ts';
import { lockFolder } from './folder-lock.ts';
import { DATABASE_FOLDER, DamagedFolderError, finishFolder, STATE_FILE } from './folder-state.ts';
import { newestMigration } from './migrate.ts';
import { makeFolder, syncNames, syncTree } from './sync-folder.ts';
import { removeWhenFree, renameWhenFree } from './until-free.ts';

// The names of what `writeBackup` makes on its way.
const DRAFT_NAME = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(copy|zip)$/;

const COPY_ENDING = '.copy';

/** A backup takes minutes: a copy that is older than a day is of none that is being made. */
const LEFT_AFTER_MS = DAY_MS;

/** Bytes that the disk of the database must have free for the checkpoint of a backup: two segments of the log. */
const LEAST_ROOM = 32 * 1024 * 1024;

/** Says that the database beside it was restored from a backup, until the audit log says so. */
const RESTORED_FILE = 'restored.json';

const restoredSchema = z.object({ backup_made: z.string(), restored_at: z.coerce.date() });

/** Begins the names of folders in which a restore prepares its files. */
const RESTORE_DRAFT = 'restore-';

/** Begins them until the draft is whole: what is in the data folder is untouched so far. */
const RESTORE_UNPACKING = `${RESTORE_DRAFT}unpacking-`;

/**
 * Writes a backup of a running embedded database: its folder as of one moment, the secret and the credentials. Statements
 * wait while the folder is copied; the copy is packed and compared with what was packed beside them.
 *
 * @param dataFolder Data folder of the database.
 * @param file New file, readable by its owner only. It appears whole or not at all.
 * @throws BackupError when the file exists; the reason of `signal`, or an error that it caused, where that ends it.
 */
export async function writeBackup(
  client: PGlite,
  dataFolder: string,
  file: string,
  { onStep = () => {}, signal }: BackupOptions = {},
): Promise<void> {
  const target = resolve(file);
  if (existsSync(target)) {
    throw new BackupError(`${target} exists already.`, 'Name another file: svc backup FILE');
  }
  await makeFolder(dirname(target));
  await clearLeftCopies(dirname(target));
  const draft = `${target}.${randomUUID()}`;
  const [copy, archive] = [`${draft}${COPY_ENDING}`, `${draft}.zip`];
  try {
    onStep('copying');
    await requireDiskSpace(dataFolder);
    await beginErasureLog(join(dataFolder, BACKUP_FOLDER));
    await mkdir(copy, { mode: 0o700 });
    const migration = await copyDatabase(
      client,
      join(dataFolder, DATABASE_FOLDER),
      join(copy, DATABASE_FOLDER),
      signal,
    );
    for (const name of OTHER_FILES) {
      if (existsSync(join(dataFolder, name))) await copyFile(join(dataFolder, name), join(copy, name));
    }
    onStep('packing');
    await writeArchive(copy, archive, { made: new Date().toISOString(), migration }, signal);
    onStep('checking');
    await readArchive(archive, { signal });
    signal?.throwIfAborted();
    // A link never replaces a file.
    await link(archive, target);
  } finally {
    await removeWhenFree(copy);
    await rm(archive, { force: true });
    syncNames(dirname(target));
  }
}

/**
 * Deletes the copies that backups into a folder have left when they were killed: the secret stands in them as it is. The folder may be
 * any, in which another backup is being made or somebody has files of a like name: what is young, or holds anything else, stays.
 */
async function clearLeftCopies(folder: string): Promise<void> {
  const held = new Set([DATABASE_FOLDER, ...OTHER_FILES]);
  for (const name of await readdir(folder)) {
    if (!name.endsWith(COPY_ENDING) || !DRAFT_NAME.test(name)) continue;
    const copy = join(folder, name);
    const found = await lstat(copy).catch(() => undefined);
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < LEFT_AFTER_MS) continue;
    const names = await readdir(copy).catch(() => [folder]);
    if (!names.every((part) => held.has(part))) continue;
    // What another user left cannot be deleted, and is no reason for making no backup.
    await rm(copy, { recursive: true, force: true }).catch(() => {});
    await rm(`${copy.slice(0, -COPY_ENDING.length)}.zip`, { force: true }).catch(() => {});
  }
}

/** Postgres does not survive a checkpoint that finds no room. */
export async function requireDiskSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= LEAST_ROOM) return;
  throw Object.assign(new Error(`no room for a checkpoint in ${folder}`), { code: 'ENOSPC' });
}

/** Copies the folder of the database while nothing else happens in it. Returns the newest migration in it. */
function copyDatabase(
  client: PGlite,
  folder: string,
  copy: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  return client.transaction(async (tx) => {
    // All is in the files then, and of the log only its end is needed.
    await tx.exec('CHECKPOINT');
    const { rows } = await tx.query<{ first: string; last: string; migration: string | null }>(`
      SELECT pg_walfile_name(redo_lsn) AS first, pg_walfile_name(pg_current_wal_insert_lsn()) AS last,
        (SELECT max(created_at)::text FROM drizzle.__drizzle_migrations) AS migration
      FROM pg_control_checkpoint()`);
    const { first = '', last = '', migration = '0' } = rows[0] ?? {};
    const isNeeded = (name: string) => !/^[0-9A-F]{24}$/.test(name) || (name >= first && name <= last);
    const isCopied = (name: string) => {
      signal?.throwIfAborted();
      return name !== STATE_FILE && isNeeded(name);
    };
    await copyTree(folder, copy, isCopied);
    return Number(migration);
  });
}

async function copyTree(from: string, to: string, isCopied: (name: string) => boolean): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target, isCopied);
    // File systems that can share the blocks of both copy nothing.
    else if (isCopied(entry.name)) await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}

/**
 * Compares every file of a backup with what was written.
 *
 * @throws BackupError when it is no backup, not all of one, or of a newer release, which this one could not restore.
 */
export async function checkBackup(file: string): Promise<void> {
  refuseNewer(await readArchive(resolve(file)), file, await newestMigration());
}

/** Deletes what backups that were cut off have left in a folder of which none is being made. */
export async function clearCutOffBackups(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names) {
    if (DRAFT_NAME.test(name)) await removeWhenFree(join(folder, name));
  }
}

/** What a restore came to. */
export interface RestoreResult {
  /** Where the data that was there is now; undefined when there was none. */
  readonly aside: string | undefined;
  /** When the backup was made. */
  readonly made: string;
  /** From when on the logs of erasures, beside the backup and in the data folder, tell of all; undefined where there is none. */
  readonly erasuresSince: string | undefined;
}

/**
 * Restores a backup into a data folder that no service uses. What a log beside the backup says was erased is then in the log of the
 * data folder, too, by which the next start erases it again.
 *
 * @param replace Moves what is there aside; without it a folder with data is refused.
 * @throws BackupError, FolderInUseError
 */
export async function restoreBackup(
  file: string,
  dataFolder: string,
  { replace = false } = {},
): Promise<RestoreResult> {
  const folder = resolve(dataFolder);
  await makeFolder(folder);
  const lock = await lockFolder(folder);
  try {
    const names = await readdir(folder);
    for (const name of names) {
      if (name.startsWith(RESTORE_DRAFT)) await removeWhenFree(join(folder, name));
    }
    const present = [DATABASE_FOLDER, ...OTHER_FILES].filter((name) => names.includes(name));
    if (present.length > 0 && !replace) {
      throw new BackupError(
        `The data folder ${folder} holds data already (${present.join(', ')}).`,
        'Set SVC_DATA_DIR to an empty folder, or add --replace, which keeps what is there beside it.',
      );
    }
    const id = randomUUID();
    const unpacking = join(folder, `${RESTORE_UNPACKING}${id}`);
    const unpacked = await unpack(resolve(file), unpacking, folder);
    // Until the last name is there, a start refuses the folder: the draft says that it is being restored.
    const draft = join(folder, `${RESTORE_DRAFT}${id}`);
    renameWhenFree(unpacking, draft);
    syncNames(folder);
    const aside = present.length > 0 ? await moveAside(folder, present) : undefined;
    for (const name of (await readdir(draft)).sort()) renameWhenFree(join(draft, name), join(folder, name));
    syncNames(folder);
    await removeWhenFree(draft);
    return { aside, ...unpacked };
  } finally {
    await lock.release();
  }
}

/**
 * Unpacks a backup into a new folder, with a note for the audit log, and brings what the log beside it says was erased into the data
 * folder: where that ends before the restore does, the log names only what is nowhere there.
 */
async function unpack(
  file: string,
  unpacking: string,
  dataFolder: string,
): Promise<Pick<RestoreResult, 'made' | 'erasuresSince'>> {
  try {
    await mkdir(unpacking, { mode: 0o700 });
    const manifest = await readArchive(file, { target: unpacking });
    refuseNewer(manifest, file, await newestMigration());
    const { made } = manifest;
    const restored = { backup_made: made, restored_at: new Date().toISOString() };
    await writeFile(join(unpacking, RESTORED_FILE), JSON.stringify(restored), { mode: 0o600 });
    await finishFolder(join(unpacking, DATABASE_FOLDER), { sync: true });
    await syncTree(unpacking);
    return { made, erasuresSince: await bringErasures(dirname(file), join(dataFolder, BACKUP_FOLDER)) };
  } catch (error) {
    await removeWhenFree(unpacking);
    throw error;
  }
}

/**
 * Settles a restore that was cut off. One that had only unpacked the backup has changed nothing: its draft is deleted.
 *
 * @throws DamagedFolderError where it may have moved files, or left the folder without a database.
 */
export async function settleCutOffRestore(folder: string): Promise<void> {
  const names = await readdir(folder);
  const drafts = names.filter((name) => name.startsWith(RESTORE_DRAFT));
  if (drafts.length === 0) return;
  const isUntouched =
    names.includes(DATABASE_FOLDER) && drafts.every((name) => name.startsWith(RESTORE_UNPACKING));
  if (!isUntouched) throw new DamagedFolderError(folder, 'a restore was cut off before its end');
  for (const name of drafts) await removeWhenFree(join(folder, name));
}

/** A restore that the audit log does not tell of yet. */
export interface Restore {
  /** When the backup was made. */
  readonly made: string;
  readonly at: Date;
}

/**
 * Hands over what restored a data folder, once; where `record` fails, again at the next call.
 *
 * @param record Writes it into the audit log.
 * @throws BackupError where the note of it is damaged.
 */
export async function takeRestore(
  dataFolder: string,
  record: (restore: Restore) => Promise<void>,
): Promise<void> {
  const file = join(dataFolder, RESTORED_FILE);
  if (!existsSync(file)) return;
  const { backup_made: made, restored_at: at } = parseRestored(file, await readFile(file, 'utf8'));
  await record({ made, at });
  await rm(file);
  syncNames(dataFolder);
}

function parseRestored(file: string, text: string): z.output<typeof restoredSchema> {
  try {
    return restoredSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(
      `${file} is damaged: it is to tell the audit log of a restore.`,
      'Delete it; the audit log then has no entry of that restore.',
      { cause: error },
    );
  }
}

async function moveAside(folder: string, names: readonly string[]): Promise<string> {
  const aside = join(folder, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of names) renameWhenFree(join(folder, name), join(aside, name));
  syncNames(aside);
  return aside;
}

function refuseNewer({ migration }: Manifest, file: string, newest: number): void {
  if (migration <= newest) return;
  throw new BackupError(
    `The backup ${basename(file)} was made by a newer release of the Agent Memory Service.`,
    'Install that release, then restore it.',
  );
}
