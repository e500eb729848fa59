import type { Dependencies } from '../engine/context.ts';

/** Work the service does by itself, again and again. */
export interface Job {
  readonly name: string;
  /** Milliseconds from one start to the next. */
  readonly everyMs: number;
  /** Runs in every process, also beside a run in progress; other jobs run in one process at a time. */
  readonly overlapping?: true;
  /**
   * Safe to run in several processes at once, and to be killed.
   *
   * @param signal Fires when the process stops.
   * @returns how much was done, for the log.
   */
  run(dependencies: Dependencies, signal: AbortSignal): Promise<number>;
}
