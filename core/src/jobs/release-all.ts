import { isNotNull, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { jobs } from './schema.ts';

/**
 * Lets go of the jobs that a process held which is gone, without waiting for its leases to end. Only for whoever has the
 * database to itself: an embedded one, whose folder lock says so.
 */
export async function releaseAllJobs(database: Database): Promise<void> {
  await database.system((tx) =>
    tx.update(jobs).set({ claim: null, dueAt: sql`now()` }).where(isNotNull(jobs.claim)),
  );
}
