import type { Database } from './database.ts';
import type { PostgresOptions } from './postgres.ts';

/** Opens a Postgres 15+ database with pgvector and migrates it, one starting process at a time. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  // Loaded on demand: a service with the embedded database does not need the code.
  const { startPostgres } = await import('./postgres.ts');
  return startPostgres(options);
}
