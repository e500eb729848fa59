import { sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { rows } from '../../kernel/database/database.ts';
import { jobs } from './schema.ts';

const DAY_MS = 86_400_000;
/** Days that a job can be read after its end. */
const KEPT_DAYS = 30;
const BATCH = 1_000;

/**
 * Deletes jobs that ended 30 days ago.
 *
 * @returns the number of jobs; call again while it is not 0.
 */
export async function forgetOldJobs({ database, clock }: Services): Promise<number> {
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS).toISOString();
  const gone = await database.system((tx) =>
    // Index jobs_finished.
    rows(
      tx,
      sql`DELETE FROM ${jobs} WHERE (tenant_id, id) IN (
            SELECT tenant_id, id FROM ${jobs} WHERE finished_at < ${before}::timestamptz
            ORDER BY finished_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
          RETURNING 1`,
    ),
  );
  return gone.length;
}
