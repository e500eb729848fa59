import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Samples } from './health-probe.ts';

/** Calls `/health` all the while, from a process of its own. */
export interface HealthWatch {
  /** Runs some work; answers what `/health` took meanwhile. */
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly samples: Samples }>;
  stop(): void;
}

/** Starts the process that calls the service's `/health`. */
export async function watchHealth(url: string): Promise<HealthWatch> {
  const child = fork(fileURLToPath(new URL('health-probe.ts', import.meta.url)), [url], {
    execArgv: ['--import', 'tsx'],
  });
  const stop = () => void child.kill();
  process.once('exit', stop);
  await once(child, 'message');
  return {
    during: async (work) => {
      child.send('begin');
      const result = await work();
      const told = once(child, 'message');
      child.send('end');
      const [samples] = (await told) as [Samples];
      return { result, samples };
    },
    stop: () => {
      process.removeListener('exit', stop);
      stop();
    },
  };
}
