import { write, writeSync } from 'node:fs';

/** Bytes of lines that wait for their reader at most; further ones are lost, lest a reader that has stopped stop the service. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Milliseconds until a reader that takes nothing at the moment is tried again. */
const AGAIN_MS = 100;
/** Milliseconds that a process which ends waits for such a reader. */
const LAST_MS = 500;
const LAST_AGAIN_MS = 10;

/**
 * Writes lines to an open file, pipe or terminal beside the work of the process, and never keeps it from its end. Pino's own
 * destination does: at the end it tries for ever where a disk is full or a reader has stopped, and ignores signals meanwhile.
 */
export class LogWriter {
  readonly #fd: number;
  #lines: string[] = [];
  /** What was taken of the lines and is not written yet. */
  #rest = Buffer.alloc(0);
  #bytes = 0;
  #isWriting = false;
  #isClosed = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Has a line wait for the next flush. */
  add(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#isClosed || this.#bytes + bytes > MOST_BYTES) return;
    this.#lines.push(line);
    this.#bytes += bytes;
  }

  /** Begins to write what waits. After a failure, as on a full disk, the next call tries again. */
  flush(): void {
    if (this.#isWriting || this.#bytes === 0) return;
    this.#isWriting = true;
    write(this.#fd, this.#take(), (error, written) => {
      this.#isWriting = false;
      if (error) this.#fail(error);
      else {
        this.#took(written);
        this.flush();
      }
    });
  }

  /** Writes what waits before it returns, as far as the reader takes it: for the end of the process. */
  finish(): void {
    // What another thread is writing would be written twice.
    if (this.#isWriting) this.#took(this.#rest.length);
    const until = performance.now() + LAST_MS;
    while (this.#bytes > 0) {
      try {
        this.#took(writeSync(this.#fd, this.#take()));
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_AGAIN_MS);
      }
    }
  }

  #take(): Buffer {
    if (this.#rest.length === 0) {
      this.#rest = Buffer.from(this.#lines.join(''));
      this.#lines = [];
    }
    return this.#rest;
  }

  #took(bytes: number): void {
    this.#rest = this.#rest.subarray(bytes);
    this.#bytes -= bytes;
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (isBusy(error)) setTimeout(() => this.flush(), AGAIN_MS).unref();
    if (error.code !== 'EPIPE') return;
    // The reader is gone and does not come back.
    this.#isClosed = true;
    this.#lines = [];
    this.#took(this.#bytes);
  }
}

function isBusy(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
