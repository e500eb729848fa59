import { renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';

// What is said of a file that another program has open: Node's names, and the numbers that the file system of the embedded database
// has for the same. Windows also says that it is not permitted, as of a new file that a virus scanner has for a moment; elsewhere
// that does not pass by waiting.
const IN_USE: readonly unknown[] = [
  ...['EBUSY', 10],
  ...(process.platform === 'win32' ? ['EPERM', 63, 'EACCES', 2] : []),
];
// PostgreSQL itself tries it for ten seconds on Windows.
const PATIENCE_MS = 2_000;
const PAUSE_MS = 10;

/**
 * Does a step with a file, and again for a while where the system says that the file is in use. The process waits meanwhile.
 *
 * @param patienceMs Default: two seconds.
 * @throws what the step threw last.
 */
export function untilFree<T>(step: () => T, patienceMs = PATIENCE_MS): T {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return step();
    } catch (error) {
      const { code, errno } = error as NodeJS.ErrnoException;
      if (performance.now() >= end || !IN_USE.includes(code ?? errno)) throw error;
    }
    pause();
  }
}

/** Renames a file or folder as soon as it is free. Default patience: two seconds. */
export function renameWhenFree(from: string, to: string, patienceMs?: number): void {
  untilFree(() => renameSync(from, to), patienceMs);
}

/** Deletes a folder with everything in it, where it is there, as soon as all of it is free. */
export function removeWhenFree(folder: string): Promise<void> {
  // Node waits 100 ms longer after each try: two seconds in all.
  return rm(folder, { recursive: true, force: true, maxRetries: 6 });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
