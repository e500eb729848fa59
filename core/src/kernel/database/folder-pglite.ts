import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { DrizzleQueryError } from 'drizzle-orm';
import { IO_ERROR } from './log-sync.ts';
import { SyncedFiles } from './synced-files.ts';

// By default 128 MiB, all of which a start touches. What does not fit is in the page cache of the system.
const BUFFERS = ['-c', 'shared_buffers=64MB'];
// By default recovery sets a timer for its messages, which keeps the process alive when the start fails.
const NO_PROGRESS_TIMER = ['-c', 'log_startup_progress_interval=0'];
const START_PARAMS = [...PGlite.defaultStartParams, ...BUFFERS, ...NO_PROGRESS_TIMER];
// Without `-F`, which turns syncs off.
const SYNCED_START_PARAMS = [
  ...START_PARAMS.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

/**
 * A PGlite in a folder. It answers nothing after Postgres has panicked.
 *
 * With sync it answers when its disk holds all that the answer may rest on. Reads wait too: they may have seen a commit
 * that is not on the disk yet. The next statement need not wait, so that commits that come together share one sync.
 */
export class FolderPglite extends PGlite {
  readonly #files: SyncedFiles | undefined;
  /** What Postgres panicked of. It would end its process then, to recover by the log; in here it goes on, and answers wrongly. */
  #panic: unknown;

  private constructor(options: PGliteOptions, files?: SyncedFiles) {
    super({
      ...options,
      ...(files ? { fs: files, startParams: SYNCED_START_PARAMS } : { startParams: START_PARAMS }),
    });
    this.#files = files;
  }

  /** Opens a folder. */
  static async open(
    dataDir: string,
    { sync }: { sync: boolean },
    options: PGliteOptions,
  ): Promise<FolderPglite> {
    const pglite = sync
      ? new FolderPglite(options, new SyncedFiles(dataDir))
      : new FolderPglite({ ...options, dataDir });
    await pglite.waitReady;
    return pglite;
  }

  // It would ask the database for them; `useBasicArrayTypes` names those in use.
  override async _initArrayTypes(): Promise<void> {}

  // Statements, scripts and transactions all come through here.
  override async _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#panic) throw this.#stopped();
    const result = await super._runExclusiveTransaction(work).catch((error: unknown) => {
      if (!isPanic(error)) throw error;
      this.#panic = error;
      throw this.#stopped();
    });
    // PGlite runs queries of its own before the constructor is done.
    await this.#files?.settled();
    return result;
  }

  #stopped(): Error {
    const reason = this.#panic instanceof Error ? this.#panic.message : '';
    const message = `The embedded database has stopped: ${reason}. The next start has all that was acknowledged.`;
    return Object.assign(new Error(message, { cause: this.#panic }), { code: IO_ERROR });
  }
}

function isPanic(error: unknown): boolean {
  // Drizzle wraps what it did not cause.
  if (error instanceof DrizzleQueryError) return isPanic(error.cause);
  return error instanceof Error && 'severity' in error && error.severity === 'PANIC';
}
