import type { Dependencies } from '../engine/context.ts';
import { serviceContext } from '../engine/service-context.ts';
import { type ClaimedJob, claimJob, keepLease } from './claim.ts';
import { commitStep, LostJobError } from './commit-step.ts';
import type { JobRunner } from './runner.ts';
import { MOST_ATTEMPTS, releaseJob, settleFailure } from './settle.ts';

/** Jobs in progress in one process. */
const IN_PROGRESS = 2;
/** Milliseconds after which a job lets others have their turn. */
const TURN_MS = 10_000;
/** Milliseconds between two events that tell how far a job is. */
const TELL_MS = 1_000;

/**
 * Makes the background job that does the jobs tenants ask for, a few at a time, each in turns.
 *
 * @returns the job; it answers how many steps it made.
 */
export function createWorkJob(
  runners: readonly JobRunner[],
): (dependencies: Dependencies, signal: AbortSignal) => Promise<number> {
  const byKind = new Map(runners.map((runner) => [runner.kind, runner]));
  let inProgress = 0;
  return async (dependencies, signal) => {
    if (inProgress >= IN_PROGRESS || byKind.size === 0) return 0;
    inProgress += 1;
    try {
      let steps = 0;
      while (!signal.aborted) {
        const job = await claimJob(dependencies, [...byKind.keys()]);
        const runner = job && byKind.get(job.kind);
        if (!runner) break;
        steps += await workOn(dependencies, runner, job, signal);
      }
      return steps;
    } finally {
      inProgress -= 1;
    }
  };
}

async function workOn(
  dependencies: Dependencies,
  runner: JobRunner,
  claimed: ClaimedJob,
  stopping: AbortSignal,
): Promise<number> {
  const { tenantId, credentialId } = claimed;
  const newContext = () => serviceContext(dependencies, tenantId, { source: runner.source, credentialId });
  const lease = keepLease(dependencies, claimed);
  const signal = AbortSignal.any([stopping, lease.signal]);
  const turnEnd = dependencies.clock().getTime() + TURN_MS;
  let job = claimed;
  let steps = 0;
  let told = dependencies.clock().getTime();
  try {
    // Claimed that often without a step being finished, it kills whoever runs it.
    if (job.attempts > MOST_ATTEMPTS) throw new Error('The process ended each time it ran this job.');
    for (;;) {
      const context = newContext();
      const write = await runner.step(context, job, signal);
      signal.throwIfAborted();
      const tells = context.now.getTime() >= told + TELL_MS;
      job = await commitStep(context, job, write, tells);
      if (tells) told = context.now.getTime();
      steps += 1;
      if (job.finishedAt) return steps;
      if (stopping.aborted || dependencies.clock().getTime() >= turnEnd) break;
    }
    await releaseJob(newContext(), job);
  } catch (error) {
    if (error instanceof LostJobError || lease.signal.aborted) return steps;
    if (stopping.aborted) await releaseJob(newContext(), job);
    else await settleFailure(newContext(), job, error);
  } finally {
    lease.end();
  }
  return steps;
}
