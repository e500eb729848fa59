import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { Context, Services } from '../../kernel/context/context.ts';
import type { Task } from '../../kernel/queue/task.ts';
import { includesRight, noSpace } from '../../kernel/tenancy/space-rights.ts';
import { type ClaimedJob, claimJob, keepLease } from './claim.ts';
import { commitStep, LostJobError } from './commit-step.ts';
import { failAttempt, MAX_ATTEMPTS, releaseJob } from './fail-attempt.ts';
import type { JobHandler } from './job-handler.ts';

const IN_PROGRESS = 2;
/** Milliseconds after which a job is released, so that others get their turn. */
const TURN_MS = 10_000;
/** Agents that a process remembers to have served. */
const SERVED = 100;
/** Milliseconds between two progress events of a job. */
const REPORT_MS = 1_000;

/**
 * Creates the task that runs tenants' jobs, a few at a time, in turns.
 *
 * @param handlers Default: those of all features.
 * @returns the task; it returns the number of steps.
 */
export function createJobTask(handlers?: readonly JobHandler[]): Task['run'] {
  let inProgress = 0;
  const served = new Set<string>();
  const noteServed = (agentId: string) => {
    served.delete(agentId);
    served.add(agentId);
    const [first] = served;
    if (first !== undefined && served.size > SERVED) served.delete(first);
  };
  return async (services, signal) => {
    const byKind = new Map((handlers ?? services.jobHandlers).map((handler) => [handler.kind, handler]));
    if (inProgress >= IN_PROGRESS || byKind.size === 0) return 0;
    inProgress += 1;
    try {
      let steps = 0;
      const makeWay = services.foreground.makeWay();
      while (!signal.aborted) {
        const claimed = await claimJob(services, [...byKind.keys()], [...served]);
        const handler = claimed && byKind.get(claimed.job.kind);
        if (!handler) break;
        noteServed(claimed.agentId);
        steps += await workOn(services, { handler, claimed: claimed.job, makeWay, stopping: signal });
        await makeWay(signal);
      }
      return steps;
    } finally {
      inProgress -= 1;
    }
  };
}

/** What one job is worked on with, until it ends or another gets its turn. */
interface Turn {
  readonly handler: JobHandler;
  readonly claimed: ClaimedJob;
  /** Lets calls go first, after each step. */
  readonly makeWay: (signal: AbortSignal) => Promise<void>;
  readonly stopping: AbortSignal;
}

/**
 * The context of a step. Where the input of a job names a space, it works there: for as long as whoever asked for it may write
 * there, and never as one whose wish decides about protected memories.
 *
 * @throws SvcError `NOT_FOUND` where the space is gone, or the right to write to it.
 */
async function stepContext(
  services: Services,
  { tenantId, ...job }: ClaimedJob,
  actor: Actor,
): Promise<Context> {
  const { space_id: spaceId } = job.input as { readonly space_id?: string };
  if (spaceId === undefined) return systemContext(services, tenantId, actor);
  const asking: Actor = { source: job.source, credentialId: job.credentialId };
  const space = await services.spaces.find(tenantId, asking, spaceId);
  if (!space || !includesRight(space.right, 'write')) throw noSpace();
  return systemContext(services, tenantId, actor, { ...space, right: 'write' });
}

async function workOn(services: Services, { handler, claimed, makeWay, stopping }: Turn): Promise<number> {
  const { tenantId, credentialId } = claimed;
  const actor: Actor = { source: handler.source, credentialId, forHuman: claimed.source === 'human' };
  const newContext = () => systemContext(services, tenantId, actor);
  const lease = keepLease(services, claimed);
  const signal = AbortSignal.any([stopping, lease.signal]);
  const turnEnd = services.clock().getTime() + TURN_MS;
  let job = claimed;
  let steps = 0;
  let reportedAt = services.clock().getTime();
  try {
    // After so many claims without a finished step, the job probably kills its process.
    if (job.attempts > MAX_ATTEMPTS) throw new Error('The process ended each time it ran this job.');
    for (;;) {
      const context = await stepContext(services, claimed, actor);
      const write = await handler.step(context, job, signal);
      signal.throwIfAborted();
      const reports = context.now.getTime() >= reportedAt + REPORT_MS;
      job = await commitStep(context, job, write, reports);
      if (reports) reportedAt = context.now.getTime();
      steps += 1;
      if (job.finishedAt) return steps;
      if (stopping.aborted || services.clock().getTime() >= turnEnd) break;
      await makeWay(signal);
    }
    await releaseJob(await newContext(), job);
  } catch (error) {
    if (error instanceof LostJobError || lease.signal.aborted) return steps;
    if (stopping.aborted) await releaseJob(await newContext(), job);
    else await unlessErased(failAttempt(await newContext(), job, error));
  } finally {
    lease.end();
  }
  return steps;
}
