import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

// Looked up at each call, as tests let it fail.
const sync = promisify((file: number, done: (error: Error | null) => void) => fdatasync(file, done));

/** Postgres's code for a disk that fails. */
export const IO_ERROR = '58030';

/**
 * Syncs the write-ahead log to the disk, once for all commits that asked meanwhile (group commit). A sync runs beside other
 * statements, in a thread: a commit may be answered when `settled` resolves.
 */
export class LogSync {
  #segment: { readonly path: string; readonly file: number } | undefined;
  // How many syncs were asked for, and how many of these are done.
  #asked = 0;
  #done = 0;
  #running: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** Whether anything asked for is not on the disk yet. */
  get isPending(): boolean {
    return this.#done < this.#asked;
  }

  /** Asks for a sync of what was written to this segment of the log. */
  ask(path: string): void {
    if (this.#segment?.path !== path) {
      this.flush();
      this.#closeSegment();
      this.#segment = { path, file: openSync(path, 'r+') };
    }
    this.#asked += 1;
  }

  /** Syncs what was asked for before it returns, and so blocks the process meanwhile. */
  flush(): void {
    this.#throwFailure();
    if (!this.#segment || !this.isPending) return;
    try {
      fdatasyncSync(this.#segment.file);
      this.#done = this.#asked;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /**
   * Resolves when what was asked for until now is on the disk.
   *
   * @throws the error of the first sync that failed, from then on always: the system may have dropped what it could not
   * write, so that a later success would say nothing.
   */
  async settled(): Promise<void> {
    const goal = this.#asked;
    while (this.#done < goal) {
      this.#refuseAfterFailure();
      this.#running ??= this.#run();
      await this.#running;
    }
    this.#refuseAfterFailure();
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#closeSegment();
    }
  }

  async #run(): Promise<void> {
    const goal = this.#asked;
    try {
      if (this.#segment) await sync(this.#segment.file);
      this.#done = Math.max(this.#done, goal);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = undefined;
    }
  }

  #closeSegment(): void {
    const file = this.#segment?.file;
    this.#segment = undefined;
    if (file === undefined) return;
    if (this.#running) void this.#running.then(() => closeSync(file));
    else closeSync(file);
  }

  #fail(error: unknown): unknown {
    this.#failure ??= { error };
    return this.#failure.error;
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #refuseAfterFailure(): void {
    if (!this.#failure) return;
    const { error: cause } = this.#failure;
    const message = 'The disk failed to take the write-ahead log. Nothing is written before the next start.';
    throw Object.assign(new Error(message, { cause }), { code: IO_ERROR });
  }
}
