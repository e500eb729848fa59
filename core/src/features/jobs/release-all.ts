import { sql } from 'drizzle-orm';
import type { Database } from '../../kernel/database/database.ts';
import { jobs } from './schema.ts';

/**
 * Releases the jobs of a process that ended, before their leases end. Only for a process that has the database to itself: the
 * embedded database, by its folder lock.
 */
export async function releaseAllJobs(database: Database): Promise<void> {
  await database.systemBatch([sql`UPDATE ${jobs} SET due_at = now(), claim = NULL WHERE claim IS NOT NULL`]);
}
