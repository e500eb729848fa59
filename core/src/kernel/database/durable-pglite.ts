import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
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
    const result = await super._runExclusiveTransaction(work);
    // PGlite runs queries of its own before the constructor is done.
    await this.#files?.settled();
    return result;
  }
}
