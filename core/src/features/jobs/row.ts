import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { REDACTED } from '../visibility/level.ts';
import { type Reader, viewOf } from '../visibility/view.ts';
import type { Job } from './contract.ts';
import type { JobRow } from './schema.ts';

/** A stored job as the API shows it. */
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
 * Jobs as the caller may see them. When the agent withholds anything from its human, numbers, results and errors are removed.
 * Only a human's own imports keep them, because these reach only what the human may see.
 */
export async function showJobs(tx: Tx, context: Reader, rows: readonly JobRow[]): Promise<Job[]> {
  const { isFull } = await viewOf(tx, context);
  const isOwn = ({ source, kind }: JobRow) => source === 'human' && kind === 'import';
  return rows.map((row) => (isFull || isOwn(row) ? toJob(row) : withhold(toJob(row))));
}

/**
 * One job as the caller may see it.
 *
 * @throws SvcError `NOT_FOUND` where there is none.
 */
export async function showJob(tx: Tx, context: Reader, row: JobRow | undefined): Promise<Job> {
  const [shown] = row ? await showJobs(tx, context, [row]) : [];
  if (!shown) throw new SvcError('NOT_FOUND', 'There is no job with this id.');
  return shown;
}

function withhold(job: Job): Job {
  return {
    ...job,
    progress: { done: 0, total: null },
    result: null,
    errors: [],
    errors_count: 0,
    ...(job.error ? { error: { ...job.error, message: REDACTED } } : {}),
  };
}
