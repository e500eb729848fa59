import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { removedAtEnd } from '../clean-up.ts';
import { killed } from '../service.ts';

const PROGRAM = fileURLToPath(new URL('bare-pglite.mjs', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../../core/migrations', import.meta.url));

/** A process that does nothing but open PGlite on a folder. */
export interface BarePglite {
  readonly pid: number;
  /** Milliseconds from the start of the process until it had answered a query. */
  readonly startedAfter: number;
  stop(): Promise<void>;
}

/** Starts bare PGlite on a folder, which it makes where there is none. */
export async function startBarePglite(folder: string): Promise<BarePglite> {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, folder, MIGRATIONS], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = removedAtEnd(() => killed(child));
  const ended = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('bare PGlite ended'))),
  ]);
  const startedAfter = performance.now() - began;
  return {
    pid: child.pid ?? 0,
    startedAfter,
    stop: async () => {
      child.stdin.end();
      await ended;
      await kill();
    },
  };
}
