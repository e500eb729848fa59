import { existsSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_FOLDER, checkBackup, clearCutOffBackups, renameWhenFree } from '@svc-memory/core/server';

/** Why a backup was made: by `npx svc-memory backup`, once a day, or before the database was migrated. */
export type BackupKind = 'manual' | 'daily' | 'migration';

/** A backup among those in the data folder. */
export interface KeptBackup {
  readonly file: string;
  readonly name: string;
  readonly bytes: number;
  /** When its file was written last. */
  readonly changed: Date;
  readonly kind: BackupKind;
  readonly made: Date;
}

/** Milliseconds that a clock is set back as its ordinary correction. */
export const SET_BACK_MS = 3_600_000;

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-(manual|daily|migration)(?:-pending)?\.zip$/;

/** Ends the names of backups before a migration that has not ended. */
const PENDING = '-pending.zip';

/** Writes a backup to a file. */
type BackUp = (file: string) => Promise<void>;

/** The backups in the data folder. */
export class BackupFolder {
  readonly #folder: string;
  readonly #keep: number;
  readonly #now: () => number;

  /**
   * @param keep How many of those the service makes by itself are kept, of each kind.
   * @param now Default: the clock.
   */
  constructor(dataDir: string, keep: number, now: () => number = Date.now) {
    this.#folder = join(dataDir, BACKUP_FOLDER);
    this.#keep = keep;
    this.#now = now;
  }

  /** Makes a backup. Then the daily ones that are too many are deleted. */
  async add(kind: Exclude<BackupKind, 'migration'>, backUp: BackUp): Promise<string> {
    const file = this.#fileNow(`${kind}.zip`);
    await backUp(file);
    if (kind === 'daily') await this.#prune(kind);
    return file;
  }

  /**
   * Makes the backup before a migration. Of those before earlier tries, as of a start that is killed again and again, only the
   * first is kept beside it; those before other migrations stay until `settleMigration`.
   */
  async addBeforeMigration(backUp: BackUp): Promise<string> {
    const earlier = await this.#pending();
    const file = this.#fileNow(`migration${PENDING}`);
    await backUp(file);
    for (const old of earlier.slice(0, -1)) await rm(old.file);
    return file;
  }

  /** Takes what was tried for done, where it was, and deletes the backups before the oldest migrations that are too many. */
  async settleMigration(): Promise<void> {
    const pending = await this.#pending();
    if (pending.length === 0) return;
    for (const { file } of pending) renameWhenFree(file, `${file.slice(0, -PENDING.length)}.zip`);
    await this.#prune('migration');
  }

  #fileNow(ending: string): string {
    const time = new Date(this.#now()).toISOString().replaceAll(/[:.]/g, '-');
    return join(this.#folder, `${time}-${ending}`);
  }

  /** Those before a migration that has not ended, the newest first. */
  async #pending(): Promise<KeptBackup[]> {
    return (await this.list()).filter(({ name }) => name.endsWith(PENDING));
  }

  /** Deletes the oldest of a kind that are too many. */
  async #prune(kind: Exclude<BackupKind, 'manual'>): Promise<void> {
    for (const old of (await this.past(kind)).slice(Math.max(1, this.#keep))) await rm(old.file);
  }

  /**
   * Those of a kind, the newest first, without those of a clock that ran ahead: they are no measure of what is recent, and
   * would outlast all others. When their time comes, they are as any other.
   */
  async past(kind: BackupKind): Promise<KeptBackup[]> {
    const latest = this.#now() + SET_BACK_MS;
    return (await this.list()).filter((one) => one.kind === kind && one.made.getTime() <= latest);
  }

  /** All of them, the newest first. */
  async list(): Promise<KeptBackup[]> {
    if (!existsSync(this.#folder)) return [];
    const names = (await readdir(this.#folder)).filter((name) => NAME.test(name)).sort();
    const backups = await Promise.all(
      names.reverse().map((name) => describe(join(this.#folder, name), name)),
    );
    return backups.filter((backup) => backup !== undefined);
  }

  /** Deletes what backups that were cut off have left; none may be under way. */
  clearCutOff(): Promise<void> {
    return clearCutOffBackups(this.#folder);
  }

  /** The newest one of which every file is as it was written, and that this release can restore. */
  async newestGood(): Promise<KeptBackup | undefined> {
    const all = await this.list();
    // Of a clock that ran ahead, the name of a backup tells no more which is newest.
    const latest = this.#now() + SET_BACK_MS;
    const isAhead = ({ made }: KeptBackup) => made.getTime() > latest;
    for (const backup of [...all.filter((one) => !isAhead(one)), ...all.filter(isAhead)]) {
      const isGood = await checkBackup(backup.file).then(
        () => true,
        () => false,
      );
      if (isGood) return backup;
    }
    return undefined;
  }
}

/** Undefined for what is no file, and for one that was deleted meanwhile. */
async function describe(file: string, name: string): Promise<KeptBackup | undefined> {
  const [, day, hours, minutes, seconds, milliseconds, kind] = NAME.exec(name) ?? [];
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const made = new Date(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return { file, name, kind: kind as BackupKind, made, bytes: found.size, changed: found.mtime };
}
