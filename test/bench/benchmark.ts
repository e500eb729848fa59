import type { Effort } from './measure.ts';
import type { Figure, Progress } from './report.ts';
import type { World } from './world.ts';

/** What a benchmark gets. */
export interface Bench {
  readonly progress: Progress;
  /** Fewer and shorter rounds, for a look rather than a statement. */
  readonly quick: boolean;
  /** Memories that a store is to have. */
  readonly memories: number;
  /** The shared data; made when first asked for. */
  world(): Promise<World>;
  /** A new tenant without memories; removed by the caller. */
  emptyWorld(): Promise<World>;
  /** Scales rounds and calls down when in a hurry. */
  effort(full: Effort): Effort;
}

/** One thing to measure. */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  run(bench: Bench): Promise<Figure[]>;
}
