import { isNotNull, sql } from 'drizzle-orm';
import type { Database } from '../../kernel/database/database.ts';
import { jobs } from './schema.ts';

/**
 * Releases the jobs of a process that ended, before their leases end. Only for a process that has the database to itself: the
 * embedded database, by its folder lock.
 */
export async function releaseAllJobs(database: Database): Promise<void> {
  await database.system((tx) =>
    tx.update(jobs).set({ claim: null, dueAt: sql`now()` }).where(isNotNull(jobs.claim)),
  );
}
