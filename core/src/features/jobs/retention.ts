import type { Services } from '../../kernel/context/context.ts';
import { deleteOldest } from '../../kernel/database/delete-oldest.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { jobs } from './schema.ts';

/** Days that a job can be read after its end. */
const KEPT_DAYS = 30;

/**
 * Deletes jobs that ended 30 days ago.
 *
 * @returns the number of jobs; call again while it is not 0.
 */
export function forgetOldJobs({ database, clock }: Services): Promise<number> {
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
  // Index jobs_finished.
  return deleteOldest(database, { table: jobs, key: jobs.id, at: jobs.finishedAt, before });
}
