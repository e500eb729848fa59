import type { Context } from '../../kernel/context/context.ts';
import { isHeld, leaseEnd } from '../../kernel/queue/claim.ts';
import { notifyStored } from '../memory/store.ts';
import type { ClaimedJob } from './claim.ts';
import type { WriteStep } from './job-handler.ts';
import { requireStillAllowed } from './require-still-allowed.ts';
import { jobs } from './schema.ts';
import { emitFinished, emitProgress } from './start.ts';

/** Errors that a job stores; all are counted. */
const KEPT_ERRORS = 100;

/** Thrown when the job was cancelled, or another process took it over. Nothing of the step is written. */
export class LostJobError extends Error {
  override readonly name = 'LostJobError';
}

/**
 * Commits the writes, the checkpoint and the progress of a step in one transaction.
 *
 * @param reports Whether to emit a progress event.
 * @throws LostJobError when this process no longer holds the job; SvcError `FORBIDDEN` when the right of its caller was taken.
 */
export async function commitStep(
  context: Context,
  job: ClaimedJob,
  write: WriteStep<unknown>,
  reports: boolean,
): Promise<ClaimedJob> {
  const { next, stored } = await context.write(async (tx) => {
    await requireStillAllowed(tx, context.agentId, job);
    // The lock keeps cancellations and takeovers out until the commit.
    const [held] = await tx.select().from(jobs).where(isHeld(jobs, job)).for('update');
    if (!held) throw new LostJobError();
    const advance = await write(tx);
    const { errors = [], finished = false } = advance;
    const [row] = await tx
      .update(jobs)
      .set({
        checkpoint: advance.checkpoint,
        done: advance.done,
        total: advance.total === undefined ? held.total : advance.total,
        result: advance.result ?? held.result,
        errors: [...held.errors, ...errors].slice(0, KEPT_ERRORS),
        errorsCount: held.errorsCount + errors.length,
        error: null,
        attempts: 1,
        dueAt: leaseEnd(context.now),
        ...(finished ? { status: 'done', finishedAt: context.clock(), claim: null } : {}),
      })
      .where(isHeld(jobs, job))
      .returning();
    if (!row) throw new LostJobError();
    if (finished) await emitFinished(tx, context, row);
    else if (reports) await emitProgress(tx, context, row);
    return { next: { ...row, claim: job.claim }, stored: advance.stored ?? [] };
  });
  await notifyStored(context, stored);
  return next;
}
