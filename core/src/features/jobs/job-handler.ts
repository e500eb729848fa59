import type { z } from 'zod';
import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { Stored } from '../records/contract.ts';
import type { JobError } from './contract.ts';

declare module '../../kernel/feature.ts' {
  interface FeatureParts {
    /** The kinds of jobs that it does. */
    readonly jobs?: readonly JobHandler[];
  }
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly jobHandlers: readonly JobHandler[];
  }
}

/** A job between two of its steps. */
export interface JobState<Input, Checkpoint> {
  readonly id: string;
  readonly input: Input;
  /** Where the last step ended; null before the first. */
  readonly checkpoint: Checkpoint | null;
  readonly done: number;
  readonly total: number | null;
  /** The result of the steps so far. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

export interface Advance<Checkpoint> {
  /** Where the next step continues; must be JSON. */
  readonly checkpoint: Checkpoint;
  /** Items done since the start of the job. */
  readonly done: number;
  /** Items of the whole job; default: unchanged. */
  readonly total?: number | null;
  /** Items of this step that failed. Neither `item` nor `message` may quote a content. */
  readonly errors?: readonly JobError[];
  /** Numbers and ids for the caller; default: unchanged. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** The result of `storePrepared`. Plugins are notified of it after the commit. */
  readonly stored?: readonly Stored[];
  /** True for the last step. */
  readonly finished?: boolean;
}

/**
 * The second half of a step: its writes, in the transaction that also stores the checkpoint. May run again after a
 * serialization failure.
 */
export type WriteStep<Checkpoint> = (tx: Tx) => Promise<Advance<Checkpoint>>;

/**
 * Handles jobs of one kind, in steps of a few seconds at most. A step reads and prepares outside any transaction (files,
 * models, `prepareMemories`), then returns its writes. A killed job continues from its last checkpoint, and writes nothing
 * twice.
 *
 * A failed step is retried with growing waits, up to 8 attempts; then the job fails. An `SvcError` of status 400 to 428 fails
 * the job immediately, with its message.
 */
interface JobHandlerDefinition<Input, Checkpoint> {
  readonly kind: string;
  /** The source that the writes are recorded under. */
  readonly source: Source;
  readonly input: z.ZodType<Input>;
  readonly checkpoint: z.ZodType<Checkpoint>;
  /** @param signal Aborted when the job is cancelled or taken over by another process, and when this process stops. */
  step(
    context: Context,
    job: JobState<Input, Checkpoint>,
    signal: AbortSignal,
  ): Promise<WriteStep<Checkpoint>>;
}

/** A handler of any input and checkpoint. */
export interface JobHandler {
  readonly kind: string;
  readonly source: Source;
  step(context: Context, job: JobState<unknown, unknown>, signal: AbortSignal): Promise<WriteStep<unknown>>;
}

/** Defines a handler. Its schemas parse the input and the checkpoint as they are read from the database. */
export function defineJobHandler<Input, Checkpoint>(
  definition: JobHandlerDefinition<Input, Checkpoint>,
): JobHandler {
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
