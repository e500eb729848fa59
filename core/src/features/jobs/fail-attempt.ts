import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { ERROR_TABLE, SvcError } from '../../kernel/contract/errors.ts';
import { isHeld, released } from '../../kernel/queue/claim.ts';
import { backoffMs } from '../../kernel/queue/task.ts';
import { type ClaimedJob, STEP_BACKOFF } from './claim.ts';
import { jobs } from './schema.ts';
import { emitFinished } from './start.ts';

/** Attempts of a step before its job fails. An attempt that was killed counts. */
export const MAX_ATTEMPTS = 8;

/** Releases an unfinished job, so that any process may claim it. */
export async function releaseJob({ database, clock, tenantId }: Context, job: ClaimedJob): Promise<void> {
  const attempts = sql`greatest(0, ${jobs.attempts} - 1)`;
  await database.transaction(tenantId, (tx) =>
    tx
      .update(jobs)
      .set({ ...released(clock()), attempts })
      .where(isHeld(jobs, job)),
  );
}

/** Records a failed step: schedules another attempt, or fails the job. */
export async function failAttempt(context: Context, job: ClaimedJob, error: unknown): Promise<void> {
  const final = job.attempts >= MAX_ATTEMPTS || isFinal(error);
  const wait = backoffMs(STEP_BACKOFF, job.attempts);
  const facts = { err: error, job: job.id, kind: job.kind, attempts: job.attempts };
  if (final) context.logger.error(facts, 'a job failed');
  else context.logger.warn({ ...facts, retry_in_ms: wait }, 'a step of a job failed');
  await context.write(async (tx) => {
    const [row] = await tx
      .update(jobs)
      .set({
        error: describe(error, job),
        claim: null,
        ...(final
          ? { status: 'failed', finishedAt: context.now }
          : { dueAt: new Date(context.now.getTime() + wait) }),
      })
      .where(isHeld(jobs, job))
      .returning();
    if (final && row) await emitFinished(tx, context, row);
  });
}

/** Whether another attempt would fail in the same way. */
function isFinal(error: unknown): boolean {
  return error instanceof SvcError && error.code !== 'CONFLICT' && error.status < 429;
}

/** The error as callers see it. Other messages may contain anything, so they are only in the log. */
function describe(error: unknown, { id }: ClaimedJob): { code: string; message: string } {
  if (error instanceof SvcError) return { code: error.code, message: error.message };
  const message = `A step failed for a reason that the service's log tells under job ${id}.`;
  return { code: 'INTERNAL', message: `${message} ${ERROR_TABLE.UNAVAILABLE.fix}` };
}
