import type { Services } from '../context/context.ts';

/** Work that the service repeats by itself. */
export interface Task {
  readonly name: string;
  /** Milliseconds from one start to the next. */
  readonly everyMs: number;
  /** Runs in every process, and while another run is in progress. Other tasks run in one process at a time. */
  readonly overlapping?: true;
  /**
   * Deletes for good what has grown old. Its first run after a day without any is left out: the clock may have jumped ahead, and
   * gets one interval to be set right.
   */
  readonly deletesByAge?: true;
  /**
   * Must be safe to run in several processes at once, and to be killed.
   *
   * @param signal Aborted when the process stops.
   * @returns how many items were handled, for the log.
   */
  run(services: Services, signal: AbortSignal): Promise<number>;
  /**
   * When the next of what is stored falls due; undefined when nothing is. A task that has this rests after a run that
   * handled nothing, until that time or until a tenant's data is written, where the database knows of every write.
   */
  nextDue?(services: Services): Promise<Date | undefined>;
}

/** `nextDue` of a task for which nothing falls due by time: only what is written to a tenant's data makes work for it. */
export async function neverByTime(): Promise<undefined> {}

/** Repeats a task that works in batches until it finds nothing to do. */
export function untilDone(step: Task['run']): Task['run'] {
  return async (services, signal) => {
    let all = 0;
    for (;;) {
      const done = await step(services, signal);
      all += done;
      if (done === 0 || signal.aborted) return all;
    }
  };
}

/** The waits of work that fails again and again, in milliseconds. */
interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Milliseconds to wait after the given number of failures in a row, from 1 on: doubles each time, up to the longest wait. */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
