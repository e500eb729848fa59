import { setTimeout } from 'node:timers/promises';

declare module '../context/context.ts' {
  interface Services {
    readonly foreground: Foreground;
  }
}

/** How many times as long as a piece of background work took it rests, while calls come. */
const RESTS = 3;
/** Most milliseconds of one rest. */
const LONGEST_REST_MS = 500;

/**
 * The calls of agents and humans in this process. One event loop, and the one connection of the embedded database, serve them
 * and the background work: work of many pieces would make each call wait for a piece, so it leaves most of the time to calls.
 */
export class Foreground {
  #calls = 0;

  /** Notes a call. */
  called(): void {
    this.#calls += 1;
  }

  /**
   * Begins background work of several pieces.
   *
   * @returns what to await after each piece: it rests when a call came since the piece before ended, else goes on at once. Its signal
   *   ends the rest.
   */
  makeWay(): (signal: AbortSignal) => Promise<void> {
    let seen = this.#calls;
    let began = performance.now();
    return async (signal) => {
      const took = performance.now() - began;
      const isCalled = this.#calls !== seen;
      seen = this.#calls;
      if (isCalled) await rest(Math.min(RESTS * took, LONGEST_REST_MS), signal);
      began = performance.now();
    };
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    // The work looks at the signal itself.
  }
}
