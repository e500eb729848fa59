import { randomUUID } from 'node:crypto';
import { constants, existsSync, lstatSync } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { DAY_MS } from '../../runtime/durations.ts';
import { DATABASE_FOLDER, STATE_FILE } from '../data-folder/folder-state.ts';
import { makeFolder, syncNames } from '../data-folder/sync-folder.ts';
import { removeWhenFree } from '../data-folder/until-free.ts';
import type { BackupOptions } from '../database.ts';
import { BACKUP_FOLDER, beginErasureLog } from '../erasure-log.ts';
import { newestMigration } from '../migrate.ts';
import { type Manifest, OTHER_FILES, type ReadOptions, readArchive, writeArchive } from './backup-archive.ts';
import { BackupError } from './backup-error.ts';

// The names of what `writeBackup` makes on its way.
const COPY_NAME = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.copy$/;
const COPY_ENDING = '.copy';
const ARCHIVE_ENDING = '.zip';

/** A backup takes minutes: a copy that is older than a day is of none that is being made. */
const LEFT_AFTER_MS = DAY_MS;

/** Bytes that the disk of the database must have free for the checkpoint of a backup: two segments of the log. */
const LEAST_ROOM = 32 * 1024 * 1024;

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
  // A link to nothing has the name, too.
  if (lstatSync(target, { throwIfNoEntry: false })) throw exists(target);
  await makeFolder(dirname(target));
  await clearCutOffBackups(dirname(target), LEFT_AFTER_MS);
  const draft = `${target}.${randomUUID()}`;
  const [copy, archive] = [`${draft}${COPY_ENDING}`, `${draft}${ARCHIVE_ENDING}`];
  const requireRoom = await roomBeside(join(dataFolder, DATABASE_FOLDER), dirname(target));
  try {
    onStep('copying');
    await requireDiskSpace(dataFolder);
    await beginErasureLog(join(dataFolder, BACKUP_FOLDER));
    await mkdir(copy, { mode: 0o700 });
    const migration = await copyDatabase(
      client,
      join(dataFolder, DATABASE_FOLDER),
      join(copy, DATABASE_FOLDER),
      async (bytes) => {
        signal?.throwIfAborted();
        await requireRoom(bytes);
      },
    );
    for (const name of OTHER_FILES) {
      if (existsSync(join(dataFolder, name))) await copyFile(join(dataFolder, name), join(copy, name));
    }
    onStep('packing');
    const facts = { made: new Date().toISOString(), migration };
    await writeArchive(copy, archive, facts, { requireRoom, signal });
    onStep('checking');
    await readArchive(archive, { signal });
    signal?.throwIfAborted();
    await nameNew(archive, target);
  } finally {
    // The copy last: by it the archive is known as what a backup has left.
    await rm(archive, { force: true });
    await removeWhenFree(copy);
    syncNames(dirname(target));
  }
}

/**
 * Gives an archive its name, in place of no other file.
 *
 * @throws BackupError where another file has the name by now.
 */
async function nameNew(archive: string, target: string): Promise<void> {
  try {
    // A link never replaces a file.
    await link(archive, target);
  } catch (error) {
    if (isTaken(error)) throw exists(target);
    // Some file systems have no links, as those of USB sticks: an empty file of that name takes it first.
    const placeholder = await open(target, 'wx', 0o600).catch((refused: unknown) => {
      throw isTaken(refused) ? exists(target) : refused;
    });
    await placeholder.close();
    await rename(archive, target).catch(async (refused: unknown) => {
      await rm(target);
      throw refused;
    });
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function exists(file: string): BackupError {
  return new BackupError(`${file} exists already.`, 'Name another file: npx svc-memory backup FILE');
}

/**
 * Deletes what backups into a folder have left when they were killed: the secret stands in their copies as it is. The folder may be
 * any, in which another backup is being made or somebody has files of a like name: what is young, or holds anything else, stays.
 *
 * @param olderThanMs 0 where none can be under way.
 */
export async function clearCutOffBackups(folder: string, olderThanMs = 0): Promise<void> {
  const held = new Set([DATABASE_FOLDER, ...OTHER_FILES]);
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    if (!COPY_NAME.test(name)) continue;
    const copy = join(folder, name);
    const found = await lstat(copy).catch(() => undefined);
    const isYoung = olderThanMs > 0 && Date.now() - (found?.mtimeMs ?? 0) < olderThanMs;
    if (!found?.isDirectory() || isYoung) continue;
    const names = await readdir(copy).catch(() => [folder]);
    if (!names.every((part) => held.has(part))) continue;
    // What another user left cannot be deleted, and is no reason for making no backup.
    await rm(`${copy.slice(0, -COPY_ENDING.length)}${ARCHIVE_ENDING}`, { force: true }).catch(() => {});
    await removeWhenFree(copy).catch(() => {});
  }
}

/**
 * Postgres does not survive a checkpoint that finds no room.
 *
 * @param bytes What is to be written there besides.
 */
export async function requireDiskSpace(folder: string, bytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= LEAST_ROOM + bytes) return;
  throw Object.assign(new Error(`no room for a checkpoint in ${folder}`), { code: 'ENOSPC' });
}

/** Throws where so many bytes more would leave too little room. */
type RequireRoom = (bytes: number) => Promise<void>;

/** What keeps a backup that is written into `folder` from taking the room that the database needs for its next writes. */
async function roomBeside(database: string, folder: string): Promise<RequireRoom> {
  const [{ dev: its }, { dev: other }] = await Promise.all([stat(database), stat(folder)]);
  return async (bytes) => {
    if (its === other) await requireDiskSpace(database, bytes);
  };
}

/**
 * Copies the folder of the database while nothing else happens in it. Returns the newest migration in it.
 *
 * @param beforeFile Called with the size of each file before it is copied.
 */
function copyDatabase(
  client: PGlite,
  folder: string,
  copy: string,
  beforeFile: RequireRoom,
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
    const isCopied = (name: string) => name !== STATE_FILE && isNeeded(name);
    await copyTree(folder, copy, { isCopied, beforeFile });
    return Number(migration);
  });
}

interface CopyOptions {
  readonly isCopied: (name: string) => boolean;
  readonly beforeFile: RequireRoom;
}

async function copyTree(from: string, to: string, options: CopyOptions): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target, options);
    else if (options.isCopied(entry.name)) {
      await options.beforeFile((await stat(source)).size);
      // File systems that can share the blocks of both copy nothing.
      await copyFile(source, target, constants.COPYFILE_FICLONE);
    }
  }
}

/**
 * Compares every file of a backup with what was written.
 *
 * @throws BackupError when it is no backup, not all of one, or of a newer release, which this one could not restore; the reason of
 * `signal`, where that ends it.
 */
export async function checkBackup(file: string, signal?: AbortSignal): Promise<void> {
  await readRestorable(resolve(file), { signal });
}

/**
 * Reads a whole backup that this release can restore.
 *
 * @param options.target Folder for its files; without one they are only compared.
 * @throws BackupError; the reason of `signal`, where that ends it.
 */
export async function readRestorable(file: string, options: ReadOptions = {}): Promise<Manifest> {
  const manifest = await readArchive(file, options);
  if (manifest.migration <= (await newestMigration())) return manifest;
  throw new BackupError(
    `The backup ${basename(file)} was made by a newer release of the Agent Memory Service.`,
    'Install that release, then restore it.',
  );
}
