import { sql } from 'drizzle-orm';
import { ERROR_TABLE, SvcError } from '../contract/errors.ts';
import type { Context } from '../engine/context.ts';
import { type ClaimedJob, holds, LONGEST_WAIT_MS } from './claim.ts';
import { emitFinished } from './finish.ts';
import { jobs } from './schema.ts';

/** Times a step is tried before its job fails; being killed counts. */
export const MOST_ATTEMPTS = 8;
const FIRST_WAIT_MS = 5_000;

/** Lets go of a job that is not finished, for whoever comes first. */
export async function releaseJob({ database, clock, tenantId }: Context, job: ClaimedJob): Promise<void> {
  const attempts = sql`greatest(0, ${jobs.attempts} - 1)`;
  await database.transaction(tenantId, (tx) =>
    tx.update(jobs).set({ claim: null, dueAt: clock(), attempts }).where(holds(job)),
  );
}

/** After a step that failed: another try later, or the end of the job. */
export async function settleFailure(context: Context, job: ClaimedJob, error: unknown): Promise<void> {
  const final = job.attempts >= MOST_ATTEMPTS || isFinal(error);
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (job.attempts - 1), LONGEST_WAIT_MS);
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
      .where(holds(job))
      .returning();
    if (final && row) await emitFinished(tx, context, row);
  });
}

/** Trying again would meet the same mistake. */
function isFinal(error: unknown): boolean {
  return error instanceof SvcError && error.code !== 'CONFLICT' && error.status < 429;
}

/** Only messages meant for callers are shown; others may hold anything, and are in the log. */
function describe(error: unknown, { id }: ClaimedJob): { code: string; message: string } {
  if (error instanceof SvcError) return { code: error.code, message: error.message };
  const message = `A step failed for a reason that the service's log tells under job ${id}.`;
  return { code: 'INTERNAL', message: `${message} ${ERROR_TABLE.UNAVAILABLE.fix}` };
}
