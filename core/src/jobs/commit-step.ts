import type { Context } from '../engine/context.ts';
import { announceStored } from '../memory/store.ts';
import { type ClaimedJob, holds, LEASE_MS } from './claim.ts';
import { emitFinished, emitProgress } from './finish.ts';
import type { WriteStep } from './runner.ts';
import { jobs } from './schema.ts';

/** Errors a job keeps; all are counted. */
const KEPT_ERRORS = 100;

/** Thrown when the job was cancelled, or another process has it: what the step would have written is not. */
export class LostJobError extends Error {
  override readonly name = 'LostJobError';
}

/**
 * Commits what a step writes, its checkpoint and the progress together, or none of it.
 *
 * @param tells Whether an event is to tell of the progress.
 * @throws LostJobError when this process holds the job no more.
 */
export async function commitStep(
  context: Context,
  job: ClaimedJob,
  write: WriteStep<unknown>,
  tells: boolean,
): Promise<ClaimedJob> {
  const { next, stored } = await context.write(async (tx) => {
    // Whoever cancels it or takes it over comes before or after, never between.
    const [held] = await tx.select().from(jobs).where(holds(job)).for('update');
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
        dueAt: new Date(context.now.getTime() + LEASE_MS),
        ...(finished ? { status: 'done', finishedAt: context.clock(), claim: null } : {}),
      })
      .where(holds(job))
      .returning();
    if (!row) throw new LostJobError();
    if (finished) await emitFinished(tx, context, row);
    else if (tells) await emitProgress(tx, context, row);
    return { next: { ...row, claim: job.claim }, stored: advance.stored ?? [] };
  });
  await announceStored(context, stored);
  return next;
}
