import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('floor-server.ts', import.meta.url));
const PAUSE_MS = 100;

/** What calls take of a process that does the same at each: how busy the machine is. */
export interface Floor {
  /** How long the calls took since this was asked last, in milliseconds. */
  take(): readonly number[];
  stop(): Promise<void>;
}

/** Starts such a process and calls it, one call after the other. */
export async function startFloor(): Promise<Floor> {
  const server = fork(SERVER, { execArgv: ['--import', 'tsx'] });
  const [port] = await once(server, 'message');
  const over = new AbortController();
  let took: number[] = [];
  const work = async () => {
    while (!over.signal.aborted) {
      const began = performance.now();
      await (await fetch(`http://127.0.0.1:${port}`)).text();
      took.push(performance.now() - began);
      await setTimeout(PAUSE_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  const working = work();
  return {
    take: () => {
      const taken = took;
      took = [];
      return taken;
    },
    stop: async () => {
      over.abort();
      await working;
      const ended = once(server, 'exit');
      server.disconnect();
      await ended;
    },
  };
}
