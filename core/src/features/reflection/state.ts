import { z } from 'zod';
import type { JobState } from '../jobs/job-handler.ts';

/** What a reflection takes: everything that could change while it runs is settled at its start. */
export const reflectInput = z.object({
  /** Episodes up to here may be digested. */
  before: z.iso.datetime(),
  archiveSources: z.boolean(),
});
export type ReflectInput = z.output<typeof reflectInput>;

const counts = z.object({
  /** Episodes that went into digests. */
  episodes: z.int(),
  digests: z.int(),
  /** Copies archived for an older memory that says the same. */
  merged: z.int(),
  /** Memories that a newer one contradicts. */
  superseded: z.int(),
});

/** Where a reflection goes on: first the groups of episodes, then the knowledge that changed since the last time. */
export const reflectCheckpoint = z.object({
  phase: z.enum(['digest', 'compare']),
  startedAt: z.iso.datetime(),
  /** Groups known and not done yet. */
  groups: z.array(z.string()),
  /** Groups up to this name are done or known. */
  after: z.string(),
  comparedSince: z.iso.datetime().nullable(),
  /** The last memory that was compared. */
  compared: z.object({ at: z.iso.datetime(), id: z.uuid() }).nullable(),
  /** Times in a row the model was of no help; a few are enough to stop asking. */
  modelFailures: z.int(),
  counts,
});
export type ReflectCheckpoint = z.output<typeof reflectCheckpoint>;

export type RunningReflection = JobState<ReflectInput, ReflectCheckpoint> & {
  readonly checkpoint: ReflectCheckpoint;
};

/** Times in a row a model may be of no help in one reflection. */
export const MOST_MODEL_FAILURES = 3;
