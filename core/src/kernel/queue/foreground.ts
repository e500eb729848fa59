import { setTimeout } from 'node:timers/promises';

declare module '../context/context.ts' {
  interface Services {
    readonly foreground: Foreground;
  }
}

/** While calls come, background work rests after each piece for this many times as long as the piece took. */
const RESTS = 3;
/** Most milliseconds of one rest. */
const LONGEST_REST_MS = 500;

/**
 * The calls of agents and humans in this process. They share the event loop, and the one connection of the embedded database, with
 * background work. Each call may have to wait for a piece of that work, so it leaves most of the time to calls.
 */
export class Foreground {
  #calls = 0;

  called(): void {
    this.#calls += 1;
  }

  /**
   * Begins background work of several pieces.
   *
   * @returns a function to await after each piece. It rests where a call came since the last piece; its signal ends the rest.
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
