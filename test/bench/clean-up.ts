import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pending = new Set<() => Promise<void>>();

/**
 * Notes what must not outlive the run: a process, a folder, a database.
 *
 * @returns Removes it now; once.
 */
export function removedAtEnd(remove: () => unknown): () => Promise<void> {
  const once = async () => {
    if (pending.delete(once)) await remove();
  };
  pending.add(once);
  return once;
}

/** A folder of the run's own. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a folder that is gone at the end of the run. */
export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `svc-bench-${name}-`));
  return { path, remove: removedAtEnd(() => rm(path, { recursive: true, force: true, maxRetries: 5 })) };
}

/** Removes all that is still there, the newest first: a process before the folder that it writes to. */
export async function cleanUp(): Promise<void> {
  for (const remove of [...pending].reverse()) {
    await remove().catch((error: unknown) => process.stderr.write(`bench: not removed: ${error}\n`));
  }
}

/** For Chromium, whose driver would end the run itself on a signal, before all is removed. */
export const LEAVE_SIGNALS = { handleSIGINT: false, handleSIGTERM: false } as const;

/** Leaves nothing behind either where the run fails, or is interrupted. */
export function cleanUpWhenCutOff(): void {
  const end = async (code: number) => {
    // What is under way fails now, as its processes end: that tells nothing.
    process.removeAllListeners('uncaughtException').on('uncaughtException', () => {});
    await cleanUp();
    process.exit(code);
  };
  process.once('SIGINT', () => void end(130));
  process.once('SIGTERM', () => void end(143));
  process.once('uncaughtException', (error) => {
    process.stderr.write(`${error.stack ?? error}\n`);
    void end(1);
  });
}
