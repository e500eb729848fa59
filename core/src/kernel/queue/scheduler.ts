import { setMaxListeners } from 'node:events';
import type { Services } from '../context/context.ts';
import { SvcError } from '../contract/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import { endsWithin } from '../runtime/waiting.ts';
import { setLease, takeLease } from './lease.ts';
import { backoffMs, type Task } from './task.ts';

/** The background work of one process. */
export interface Scheduler {
  readonly tasks: readonly Pick<Task, 'name' | 'everyMs' | 'deletesByAge'>[];
  /**
   * Runs every task that is due by the engine's clock, and waits for them. Tests move the clock and call this.
   *
   * @returns the number of items that each task handled. A failed task is logged, left out, and tried again later.
   */
  runDue(): Promise<Readonly<Record<string, number>>>;
  /** Runs one task now, whether it is due or not. Throws what the task throws. */
  run(name: string): Promise<number>;
  /**
   * Looks for due tasks from now on.
   *
   * @param tickMs Milliseconds between two looks; default 1,000.
   */
  start(tickMs?: number): void;
  /**
   * Starts no further task and waits for those in progress.
   *
   * @param graceMs Milliseconds until tasks in progress are aborted, and again until the rest are left; default 5,000.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Longest wait of a failing task, in milliseconds. */
const MAX_BACKOFF_MS = HOUR_MS;
/** Longest wait while what all tasks need is away, as the database: when it is back, the work goes on soon. */
const MAX_AWAY_MS = MINUTE_MS;

/** Milliseconds after which a resting task runs again in any case. */
const LONGEST_REST_MS = 10 * MINUTE_MS;

interface TaskState {
  /** When it was due last. */
  from: number;
  nextAt: number;
  failures: number;
  running: number;
  rest?: Rest | undefined;
}

/** A time in which a task has nothing to do unless something is written. */
interface Rest {
  readonly writes: number;
  readonly from: number;
  readonly until: number;
}

/** Runs tasks over all processes on one database, by the injected clock. */
export function createScheduler(services: Services, tasks: readonly Task[]): Scheduler {
  return new TaskScheduler(services, tasks);
}

class TaskScheduler implements Scheduler {
  readonly tasks: readonly Task[];
  readonly #services: Services;
  readonly #states: ReadonlyMap<Task, TaskState>;
  readonly #stopping = new AbortController();
  readonly #inProgress = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(services: Services, tasks: readonly Task[]) {
    this.tasks = tasks;
    this.#services = services;
    // Each attempt in progress listens to it.
    setMaxListeners(0, this.#stopping.signal);
    this.#states = new Map(tasks.map((task) => [task, { from: 0, nextAt: 0, failures: 0, running: 0 }]));
  }

  async runDue(): Promise<Readonly<Record<string, number>>> {
    if (this.#stopped) return {};
    const now = this.#services.clock();
    const due = [...this.#states].filter(
      ([task, state]) => isDue(task, state, now.getTime()) && !this.#rests(state, now.getTime()),
    );
    const done = await Promise.all(
      due.map(async ([task, state]) => {
        const handled = await this.#track(this.#runLeased(task, state, now));
        return [task.name, handled] as const;
      }),
    );
    return Object.fromEntries(
      done.filter((entry): entry is readonly [string, number] => entry[1] !== undefined),
    );
  }

  async run(name: string): Promise<number> {
    const [found] = [...this.#states].filter(([task]) => task.name === name);
    if (!found) throw new TypeError(`There is no background task ${name}.`);
    if (this.#stopped) return 0;
    const [task, state] = found;
    const { clock, database } = this.#services;
    if (!task.overlapping) await setLease(database, task, new Date(clock().getTime() + task.everyMs));
    return this.#track(this.#runTask(task, state));
  }

  start(tickMs = 1_000): void {
    if (this.#timer || this.#stopped) return;
    this.#timer = setInterval(() => void this.runDue(), tickMs);
    this.#timer.unref();
  }

  async stop(graceMs = 5_000): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    const ended = Promise.all(this.#inProgress);
    if (await endsWithin(ended, graceMs)) return;
    this.#stopping.abort();
    if (await endsWithin(ended, graceMs)) return;
    this.#services.logger.warn({}, 'background work did not end when it was told to; it is left');
  }

  /**
   * Runs a task if this process gets its lease. A failure is logged, and doubles the wait. Overlapping runs that fail together, as
   * when the database goes away, count as one failure.
   */
  async #runLeased(task: Task, state: TaskState, now: Date): Promise<number | undefined> {
    const { database, logger } = this.#services;
    const failuresBefore = state.failures;
    state.from = now.getTime();
    state.nextAt = state.from + task.everyMs;
    try {
      const askAgainAt = task.overlapping ? undefined : await takeLease(database, task, now);
      if (askAgainAt) {
        state.nextAt = askAgainAt.getTime();
        return undefined;
      }
      return await this.#runTask(task, state);
    } catch (error) {
      const isCounted = state.failures !== failuresBefore;
      if (!isCounted) state.failures += 1;
      const wait = backoffOf(task, state.failures, error);
      if (!isCounted) state.nextAt = now.getTime() + wait;
      logger.error({ err: error, job: task.name, retry_in_ms: wait }, 'a background job failed');
      return undefined;
    }
  }

  async #runTask(task: Task, state: TaskState): Promise<number> {
    state.running += 1;
    try {
      const writes = this.#services.database.writes?.();
      const handled = await task.run(this.#services, this.#stopping.signal);
      state.rest = handled === 0 && writes !== undefined ? await this.#restOf(task, writes) : undefined;
      state.failures = 0;
      return handled;
    } finally {
      state.running -= 1;
    }
  }

  async #restOf(task: Task, writes: number): Promise<Rest | undefined> {
    if (!task.nextDue) return undefined;
    const from = this.#services.clock().getTime();
    const due = (await task.nextDue(this.#services))?.getTime() ?? Number.POSITIVE_INFINITY;
    return { writes, from, until: Math.min(due, from + LONGEST_REST_MS) };
  }

  #rests({ rest }: TaskState, now: number): boolean {
    return rest !== undefined && rest.writes === this.#services.database.writes?.() && isWithin(rest, now);
  }

  /** Keeps work in `#inProgress` until it is settled, so that `stop` waits for it. */
  #track<T>(work: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = work.then(
      () => this.#inProgress.delete(settled),
      () => this.#inProgress.delete(settled),
    );
    this.#inProgress.add(settled);
    return work;
  }
}

function isDue(task: Task, state: TaskState, now: number): boolean {
  if (state.running > 0 && !task.overlapping) return false;
  // A clock that was set back ends a wait.
  return state.nextAt <= now || now < state.from;
}

/** A clock that was set back ends a rest, too. */
function isWithin({ from, until }: Rest, now: number): boolean {
  return from <= now && now < until;
}

function backoffOf({ everyMs }: Task, failures: number, error: unknown): number {
  const isAway = error instanceof SvcError && error.code === 'UNAVAILABLE';
  const longestMs = Math.max(isAway ? MAX_AWAY_MS : MAX_BACKOFF_MS, everyMs);
  return backoffMs({ firstMs: 2 * everyMs, longestMs }, failures);
}
