import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, lstat, mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { DAY_MS } from '../runtime/durations.ts';
import { type Manifest, OTHER_FILES, readArchive, writeArchive } from './backup-archive.ts';
import { BackupError } from './backup-error.ts';
import type { BackupOptions } from './database.ts';
import { BACKUP_FOLDER, beginErasureLog } from './erasure-log.ts';
import { DATABASE_FOLDER, STATE_FILE } from './folder-state.ts';
import { newestMigration } from './migrate.ts';
import { makeFolder, syncNames } from './sync-folder.ts';
import { removeWhenFree } from './until-free.ts';

// The names of what `writeBackup` makes on its way.
const DRAFT_NAME = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(copy|zip)$/;

const COPY_ENDING = '.copy';

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
  await readRestorable(resolve(file));
}

/** Deletes what backups that were cut off have left in a folder of which none is being made. */
export async function clearCutOffBackups(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names) {
    if (DRAFT_NAME.test(name)) await removeWhenFree(join(folder, name));
  }
}

/**
 * Reads a whole backup that this release can restore.
 *
 * @param target Folder for its files; without one they are only compared.
 * @throws BackupError
 */
export async function readRestorable(file: string, target?: string): Promise<Manifest> {
  const manifest = await readArchive(file, target === undefined ? {} : { target });
  if (manifest.migration <= (await newestMigration())) return manifest;
  throw new BackupError(
    `The backup ${basename(file)} was made by a newer release of the Agent Memory Service.`,
    'Install that release, then restore it.',
  );
}
