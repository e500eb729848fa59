import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { REDACTED, showsAll } from '../visibility/conceal.ts';
import { loadVisibility } from '../visibility/settings.ts';
import type { Job } from './contract.ts';
import type { JobRow } from './schema.ts';

/** A stored job as answers show it. */
function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    progress: { done: row.done, total: row.total },
    result: row.result,
    errors: row.errors,
    errors_count: row.errorsCount,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    ...(row.error ? { error: row.error } : {}),
  };
}

/**
 * Jobs as the caller may see them: where the agent withholds anything from its human, what it gave to a job is not
 * named in that job's errors. A human's own jobs tell what the human gave.
 */
export async function showJobs(
  tx: Tx,
  { actor, tenantId }: Pick<Context, 'actor' | 'tenantId'>,
  rows: readonly JobRow[],
): Promise<Job[]> {
  const open = actor.source !== 'human' || showsAll(await loadVisibility(tx, tenantId));
  return rows.map((row) => (open || row.source === 'human' ? toJob(row) : withhold(toJob(row))));
}

/**
 * The same for one job.
 *
 * @throws SvcError `NOT_FOUND` where there is none.
 */
export async function showJob(
  tx: Tx,
  context: Pick<Context, 'actor' | 'tenantId'>,
  row: JobRow | undefined,
): Promise<Job> {
  const [shown] = row ? await showJobs(tx, context, [row]) : [];
  if (!shown) throw new SvcError('NOT_FOUND', 'There is no job with this id.');
  return shown;
}

function withhold(job: Job): Job {
  return {
    ...job,
    errors: job.errors.map((error) => ({ ...error, item: REDACTED, message: REDACTED })),
    ...(job.error ? { error: { ...job.error, message: REDACTED } } : {}),
  };
}
