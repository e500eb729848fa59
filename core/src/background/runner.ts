import type { Dependencies } from '../engine/context.ts';
import type { Job } from './job.ts';
import { LONGEST_BACKOFF_MS, setTurn, takeTurn } from './turn.ts';

/** The background work of one process. */
export interface Background {
  readonly jobs: readonly Pick<Job, 'name' | 'everyMs'>[];
  /**
   * Runs every job whose time has come by the engine's clock, and waits for them. Tests move the clock and call this.
   *
   * @returns what each of them did; a failed one is logged, missing here, and tried again later.
   */
  runDue(): Promise<Readonly<Record<string, number>>>;
  /** Runs one job now, whether its time has come or not. Throws what the job throws. */
  run(name: string): Promise<number>;
  /**
   * Looks for due jobs from now on.
   *
   * @param tickMs Milliseconds between two looks; default 1,000.
   */
  start(tickMs?: number): void;
  /**
   * Starts nothing more and waits for what runs.
   *
   * @param graceMs Milliseconds until what still runs is told to stop; default 5,000.
   */
  stop(graceMs?: number): Promise<void>;
}

interface State {
  nextAt: number;
  failures: number;
  running: number;
}

/** Runs jobs over all processes on one database, by the injected clock. */
export function createBackground(dependencies: Dependencies, jobs: readonly Job[]): Background {
  const { database, clock, logger } = dependencies;
  const states = new Map<Job, State>(jobs.map((job) => [job, { nextAt: 0, failures: 0, running: 0 }]));
  const stopping = new AbortController();
  const inProgress = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const isDue = (job: Job, state: State, now: number) => {
    if (state.running > 0 && !job.overlapping) return false;
    // Further ahead than any turn can be: the clock went back.
    return state.nextAt <= now || state.nextAt > now + job.everyMs + LONGEST_BACKOFF_MS;
  };

  const runJob = async (job: Job, state: State): Promise<number> => {
    state.running += 1;
    try {
      const done = await job.run(dependencies, stopping.signal);
      state.failures = 0;
      return done;
    } finally {
      state.running -= 1;
    }
  };

  const runTurn = async (job: Job, state: State, now: Date): Promise<number | undefined> => {
    state.nextAt = now.getTime() + job.everyMs;
    try {
      const later = job.overlapping ? undefined : await takeTurn(database, job, now);
      if (later) {
        state.nextAt = later.getTime();
        return undefined;
      }
      return await runJob(job, state);
    } catch (error) {
      state.failures += 1;
      const wait = Math.min(job.everyMs * 2 ** state.failures, Math.max(LONGEST_BACKOFF_MS, job.everyMs));
      state.nextAt = now.getTime() + wait;
      logger.error({ err: error, job: job.name, retry_in_ms: wait }, 'a background job failed');
      if (!job.overlapping) await setTurn(database, job, new Date(state.nextAt)).catch(() => {});
      return undefined;
    }
  };

  const follow = <T>(work: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = work.then(
      () => inProgress.delete(settled),
      () => inProgress.delete(settled),
    );
    inProgress.add(settled);
    return work;
  };

  const runDue = async () => {
    if (stopped) return {};
    const now = clock();
    const due = [...states].filter(([job, state]) => isDue(job, state, now.getTime()));
    const done = await Promise.all(
      due.map(async ([job, state]) => [job.name, await follow(runTurn(job, state, now))] as const),
    );
    return Object.fromEntries(
      done.filter((entry): entry is readonly [string, number] => entry[1] !== undefined),
    );
  };

  return {
    jobs,
    runDue,
    run: async (name) => {
      const [found] = [...states].filter(([job]) => job.name === name);
      if (!found) throw new TypeError(`There is no background job ${name}.`);
      if (stopped) return 0;
      const [job, state] = found;
      const next = new Date(clock().getTime() + job.everyMs);
      if (!job.overlapping) await setTurn(database, job, next);
      return follow(runJob(job, state));
    },
    start: (tickMs = 1_000) => {
      if (timer || stopped) return;
      timer = setInterval(() => void runDue(), tickMs);
      timer.unref();
    },
    stop: async (graceMs = 5_000) => {
      stopped = true;
      clearInterval(timer);
      const force = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(inProgress);
      clearTimeout(force);
    },
  };
}
