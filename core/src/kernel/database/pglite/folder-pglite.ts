import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { FolderFiles } from '../data-folder/folder-files.ts';
import { IO_ERROR } from '../data-folder/log-sync.ts';
import { SyncedFiles } from '../data-folder/synced-files.ts';

// By default 128 MiB, all of which a start touches. What does not fit is in the page cache of the system.
const BUFFERS = ['-c', 'shared_buffers=64MB'];
// By default recovery sets a timer for its messages, which keeps the process alive when the start fails.
const NO_PROGRESS_TIMER = ['-c', 'log_startup_progress_interval=0'];
/** How Postgres is started, but for syncs. */
export const START_PARAMS = [...PGlite.defaultStartParams, ...BUFFERS, ...NO_PROGRESS_TIMER];
// Without `-F`, which turns syncs off.
const SYNCED_START_PARAMS = [
  ...START_PARAMS.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

/**
 * Ends a call into Postgres that has panicked. PGlite catches what Postgres throws, looks at its status and calls Postgres
 * again, which then waits in a loop for locks that nobody gives back; so looking at this status throws.
 */
class Panic extends Error {
  override readonly name = 'Panic';

  get status(): never {
    throw this;
  }
}

interface FolderPgliteOptions extends PGliteOptions {
  /** Called once, within the call that Postgres panicked in. */
  readonly onPanic?: (error: Error) => void;
}

/**
 * A PGlite in a folder. It answers nothing after Postgres has panicked.
 *
 * With sync it answers when its disk holds all that the answer may rest on. Reads wait too: they may have seen a commit
 * that is not on the disk yet. The next statement need not wait, so that commits that come together share one sync.
 */
export class FolderPglite extends PGlite {
  readonly #files: FolderFiles;
  /** Why Postgres panicked. It would end its process then, to recover by the log; in here its locks stay taken for good. */
  #panic: Error | undefined;
  #isClosed = false;

  private constructor(options: PGliteOptions, files: FolderFiles) {
    const isSynced = files instanceof SyncedFiles;
    super({ ...options, fs: files, startParams: isSynced ? SYNCED_START_PARAMS : START_PARAMS });
    this.#files = files;
  }

  static async open(
    dataDir: string,
    { sync }: { sync: boolean },
    { onPanic, ...options }: FolderPgliteOptions,
  ): Promise<FolderPglite> {
    let reason = '';
    const onStderr = (line: string) => {
      reason = /PANIC: +(.*)/.exec(line)?.[1] ?? reason;
      return options.onStderr?.(line) ?? false;
    };
    const files = sync ? new SyncedFiles(dataDir) : new FolderFiles(dataDir);
    const pglite = new FolderPglite({ ...options, onStderr }, files);
    await pglite.waitReady;
    // Postgres aborts when it has told of a panic. Its published type omits the callback.
    Object.assign(pglite.Module, { onAbort: () => pglite.#stop(reason, onPanic) });
    return pglite;
  }

  // It would ask the database for them; `useBasicArrayTypes` names those in use.
  override async _initArrayTypes(): Promise<void> {}

  // All that is sent to Postgres comes through here, also the rollback of a transaction that failed.
  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.#panic) throw this.#panic;
    try {
      return super.execProtocolRawSync(message);
    } catch (error) {
      throw this.#panic ?? error;
    }
  }

  // Statements, scripts and transactions all come through here.
  override async _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T> {
    const result = await super._runExclusiveTransaction(work);
    // PGlite runs queries of its own before the constructor is done.
    await this.#files?.settled();
    return result;
  }

  /** Closes the folder. After a panic it closes the files only: Postgres would make a checkpoint, and wait for its locks. */
  override async close(): Promise<void> {
    if (!this.#panic) await super.close();
    else if (!this.#isClosed) {
      this.#isClosed = true;
      await this.fs?.closeFs();
      // Ends the timers of Postgres, which would keep the process alive; it always throws its status.
      try {
        this.Module._emscripten_force_exit(0);
      } catch {}
    }
  }

  #stop(reason: string, onPanic: FolderPgliteOptions['onPanic']): never {
    if (!this.#panic) {
      const message = `The embedded database has stopped: ${reason}. All that was acknowledged is there when it is opened again.`;
      this.#panic = Object.assign(new Error(message), { code: IO_ERROR });
      onPanic?.(this.#panic);
    }
    throw new Panic(reason);
  }
}
