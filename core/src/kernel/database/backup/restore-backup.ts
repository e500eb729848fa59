import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { lockFolder } from '../data-folder/folder-lock.ts';
import { DATABASE_FOLDER, DamagedFolderError, finishFolder } from '../data-folder/folder-state.ts';
import { makeFolder, syncNames, syncTree } from '../data-folder/sync-folder.ts';
import { removeWhenFree, renameWhenFree } from '../data-folder/until-free.ts';
import { BACKUP_FOLDER, bringErasures } from '../erasure-log.ts';
import { readRestorable } from './backup.ts';
import { OTHER_FILES } from './backup-archive.ts';
import { BackupError } from './backup-error.ts';

/** Says that the database beside it was restored from a backup, until the audit log says so. */
const RESTORED_FILE = 'restored.json';

const restoredSchema = z.object({ backup_made: z.string(), restored_at: z.coerce.date() });

/** Begins the name of the folder from which a restore moves its files, which is whole. */
const RESTORE_DRAFT = 'restore-';

/** Begins it until the draft is whole: what is in the data folder is untouched so far. */
const RESTORE_UNPACKING = `${RESTORE_DRAFT}unpacking-`;

// People keep backups in a data folder too, by names such as restore-me.zip.
const DRAFT_NAME = /^restore-(unpacking-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a restore puts into a data folder, and moves aside: a note of an earlier one is about the database beside it. */
const RESTORED_NAMES = [DATABASE_FOLDER, ...OTHER_FILES, RESTORED_FILE];

interface RestoreResult {
  /** Where the data that was there is now; undefined when there was none. */
  readonly aside: string | undefined;
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
    const left = names.filter((name) => DRAFT_NAME.test(name));
    const present = RESTORED_NAMES.filter((name) => names.includes(name));
    if (present.length > 0 && !replace) {
      throw new BackupError(
        `The data folder ${folder} holds data already (${present.join(', ')}).`,
        'Set SVC_DATA_DIR to an empty folder, or add --replace, which keeps what is there beside it.',
      );
    }
    // They hold nothing that is not in their backup, and take the room of this one.
    for (const name of left.filter(isUnpacking)) await removeWhenFree(join(folder, name));
    const id = randomUUID();
    const unpacking = join(folder, `${RESTORE_UNPACKING}${id}`);
    const unpacked = await unpack(resolve(file), unpacking, folder);
    // Until the last name is there, a start refuses the folder: the draft says that it is being restored.
    const draft = join(folder, `${RESTORE_DRAFT}${id}`);
    renameWhenFree(unpacking, draft);
    syncNames(folder);
    const aside = await putInPlace(draft, folder, present);
    // Only now: that one was cut off is all that tells what it has left in the folder from a whole database.
    for (const name of left) await removeWhenFree(join(folder, name));
    return { aside, ...unpacked };
  } finally {
    await lock.release();
  }
}

function isUnpacking(name: string): boolean {
  return name.startsWith(RESTORE_UNPACKING);
}

/**
 * Moves what is present aside and all of a draft into the data folder, or nothing: where the system refuses one of the renames, as
 * of a file that is mounted, the others are taken back.
 *
 * @returns where the data that was there is now; undefined when there was none.
 */
async function putInPlace(
  draft: string,
  folder: string,
  present: readonly string[],
): Promise<string | undefined> {
  const aside = join(folder, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  const move = (names: readonly string[], from: string, to: string) =>
    names.map((name) => [join(from, name), join(to, name)] as const);
  const drafted = (await readdir(draft)).sort();
  if (present.length > 0) await mkdir(aside, { mode: 0o700 });
  try {
    renameAll([...move(present, folder, aside), ...move(drafted, draft, folder)]);
  } catch (error) {
    if (present.length > 0) await rmdir(aside);
    await removeWhenFree(draft);
    throw error;
  }
  if (present.length > 0) syncNames(aside);
  syncNames(folder);
  await removeWhenFree(draft);
  return present.length > 0 ? aside : undefined;
}

/** Renames all or none. */
function renameAll(renames: readonly (readonly [from: string, to: string])[]): void {
  const done: (readonly [from: string, to: string])[] = [];
  try {
    for (const [from, to] of renames) {
      renameWhenFree(from, to);
      done.unshift([from, to]);
    }
  } catch (error) {
    for (const [from, to] of done) renameWhenFree(to, from);
    throw error;
  }
}

/**
 * Unpacks a backup into a new folder, with a note for the audit log, and brings what the log beside it says was erased into the
 * data folder: where that ends before the restore does, the log names only what is nowhere there.
 */
async function unpack(
  file: string,
  unpacking: string,
  dataFolder: string,
): Promise<Pick<RestoreResult, 'made' | 'erasuresSince'>> {
  try {
    await mkdir(unpacking, { mode: 0o700 });
    const { made } = await readRestorable(file, { target: unpacking });
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
  const drafts = names.filter((name) => DRAFT_NAME.test(name));
  if (drafts.length === 0) return;
  const isUntouched = names.includes(DATABASE_FOLDER) && drafts.every(isUnpacking);
  if (!isUntouched) throw new DamagedFolderError(folder, 'a restore was cut off before its end');
  for (const name of drafts) await removeWhenFree(join(folder, name));
}

/** A restore that the audit log does not tell of yet. */
export interface Restore {
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
