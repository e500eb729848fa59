import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { DrizzleQueryError } from 'drizzle-orm';
import { IO_ERROR } from './log-sync.ts';
import { SyncedFiles } from './synced-files.ts';

// PGlite's own, without `-F`, which turns syncs off.
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

/**
 * A PGlite that answers when its disk holds all that the answer may rest on. Reads wait too: they may have seen a commit
 * that is not on the disk yet. The next statement need not wait, so that commits that come together share one sync.
 */
export class DurablePglite extends PGlite {
  readonly #files: SyncedFiles;
  /** What Postgres panicked of. It would end its process then, to recover by the log; in here it goes on, and answers wrongly. */
  #panic: unknown;

  private constructor(files: SyncedFiles, options: PGliteOptions) {
    super({ ...options, fs: files, startParams: START_PARAMS });
    this.#files = files;
  }

  /** Opens a folder. */
  static async open(dataDir: string, options: PGliteOptions): Promise<DurablePglite> {
    const pglite = new DurablePglite(new SyncedFiles(dataDir), options);
    await pglite.waitReady;
    return pglite;
  }

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
