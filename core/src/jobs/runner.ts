import type { z } from 'zod';
import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { Stored } from '../memory/contract.ts';
import type { JobError, JobKind } from './contract.ts';

/** A job between two of its steps. */
export interface JobState<Input, Checkpoint> {
  readonly id: string;
  readonly input: Input;
  /** Where the last step ended; null before the first. */
  readonly checkpoint: Checkpoint | null;
  readonly done: number;
  readonly total: number | null;
  /** What the steps so far have told. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** What a step leaves behind. */
export interface Advance<Checkpoint> {
  /** Where the next step goes on; must be JSON. */
  readonly checkpoint: Checkpoint;
  /** Items done since the start of the job. */
  readonly done: number;
  /** Items of the whole job; default: as it was. */
  readonly total?: number | null;
  /** Items of this step that went wrong. `item` says which, `message` why; neither may quote a content. */
  readonly errors?: readonly JobError[];
  /** Numbers and ids for the caller; default: as it was. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** What `storePrepared` answered; plugins are told of it once it is committed. */
  readonly stored?: readonly Stored[];
  /** True for the last step. */
  readonly finished?: boolean;
}

/**
 * The second half of a step: writes to the memory, in the one transaction that also keeps the checkpoint. It may run
 * again after a serialization failure.
 */
export type WriteStep<Checkpoint> = (tx: Tx) => Promise<Advance<Checkpoint>>;

/**
 * How jobs of one kind are done, in steps of a few seconds at most. A step reads and prepares outside any transaction
 * (files, models, `prepareMemories`), then answers what to write. Killed at any moment, the job goes on from its last
 * checkpoint, and nothing is written twice.
 *
 * What a step throws is tried again after growing waits, up to 8 times, then the job fails; an `SvcError` of status
 * 400 to 428 fails it at once, with its message.
 */
export interface RunnerDefinition<Input, Checkpoint> {
  readonly kind: JobKind;
  /** Who the writes of the steps are recorded under. */
  readonly source: Source;
  readonly input: z.ZodType<Input>;
  readonly checkpoint: z.ZodType<Checkpoint>;
  /** @param signal Fires when the job is cancelled or lost to another process, and when this one stops. */
  step(
    context: Context,
    job: JobState<Input, Checkpoint>,
    signal: AbortSignal,
  ): Promise<WriteStep<Checkpoint>>;
}

/** A runner whatever its input and checkpoint. */
export interface JobRunner {
  readonly kind: JobKind;
  readonly source: Source;
  step(context: Context, job: JobState<unknown, unknown>, signal: AbortSignal): Promise<WriteStep<unknown>>;
}

/** Declares a runner; its input and checkpoint come out of the database through their schemas. */
export function defineRunner<Input, Checkpoint>(definition: RunnerDefinition<Input, Checkpoint>): JobRunner {
  const { kind, source, input, checkpoint, step } = definition;
  return {
    kind,
    source,
    step: (context, job, signal) => {
      const known = job.checkpoint === null ? null : checkpoint.parse(job.checkpoint);
      return step(context, { ...job, input: input.parse(job.input), checkpoint: known }, signal);
    },
  };
}
