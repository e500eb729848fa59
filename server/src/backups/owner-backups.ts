import type { BackupStep, Database } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import { checkBackup } from '@svc-memory/core/server';
import type { Logger } from 'pino';
import type { BackupFolder, KeptBackup } from './backup-folder.ts';
import { whyUnwritable } from './why-unwritable.ts';

type Check = 'pending' | 'good' | 'damaged';

/** What the owner of an embedded service sees of its backups, and asks for. */
export class OwnerBackups {
  readonly #folder: BackupFolder;
  readonly #backUp: NonNullable<Database['backUp']>;
  readonly #logger: Pick<Logger, 'error' | 'info'>;
  readonly #checks = new Map<string, Check>();
  readonly #closing = new AbortController();
  #checking: Promise<void> | undefined;
  #making: Promise<void> | undefined;
  /** How far the backup is that is being made. */
  progress: { readonly step: BackupStep; readonly since: Date } | undefined;
  /** Why the last one was not made. */
  failure: string | undefined;

  constructor(
    folder: BackupFolder,
    backUp: NonNullable<Database['backUp']>,
    logger: Pick<Logger, 'error' | 'info'>,
  ) {
    this.#folder = folder;
    this.#backUp = backUp;
    this.#logger = logger;
  }

  /** All backups, the newest first. Begins to check those that were not checked yet. */
  async list(): Promise<(KeptBackup & { readonly check: Check })[]> {
    const backups = await this.#folder.list();
    this.#checking ??= this.#check(backups).finally(() => {
      this.#checking = undefined;
    });
    return backups.map((backup) => ({ ...backup, check: this.#checks.get(keyOf(backup)) ?? 'pending' }));
  }

  /**
   * Starts a backup.
   *
   * @throws SvcError CONFLICT while one is being made.
   */
  make(): void {
    if (this.#making) throw new SvcError('CONFLICT', 'A backup is being made already.');
    const since = new Date();
    this.failure = undefined;
    this.progress = { step: 'copying', since };
    const onStep = (step: BackupStep) => {
      this.progress = { step, since };
    };
    this.#making = this.#folder
      .add('manual', (file) => this.#backUp(file, { onStep, signal: this.#closing.signal }))
      .then(
        (file) => this.#logger.info({ file }, 'a backup is made, as the owner asked'),
        (error: unknown) => {
          if (this.#closing.signal.aborted) {
            this.#logger.info({}, 'the backup that the owner asked for was not made, as the service stops');
            return;
          }
          this.failure = whyUnwritable(error) ?? 'see the log of the service';
          this.#logger.error({ err: error }, 'the backup that the owner asked for failed');
        },
      )
      .finally(() => {
        this.progress = undefined;
        this.#making = undefined;
      });
  }

  /** The backup of that name; undefined where there is none. Names of other files are unknown. */
  async find(name: string): Promise<KeptBackup | undefined> {
    return (await this.#folder.list()).find((backup) => backup.name === name);
  }

  /** Ends what is under way; resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#making;
    await this.#checking;
  }

  /** One after the other, so that the disk is left to the memories. */
  async #check(backups: readonly KeptBackup[]): Promise<void> {
    for (const backup of backups) {
      const key = keyOf(backup);
      if (this.#checks.has(key)) continue;
      const isGood = await checkBackup(backup.file, this.#closing.signal).then(
        () => true,
        () => false,
      );
      if (this.#closing.signal.aborted) return;
      this.#checks.set(key, isGood ? 'good' : 'damaged');
    }
  }
}

/** A file that was changed is another one. */
function keyOf({ name, bytes, changed }: KeptBackup): string {
  return `${name} ${bytes} ${changed.getTime()}`;
}
