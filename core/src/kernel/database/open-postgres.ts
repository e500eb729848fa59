import type { Database } from './database.ts';
import type { PostgresOptions } from './postgres.ts';

/** Opens a Postgres 15+ database with pgvector and migrates it, one starting process at a time. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  // Loaded on demand: a service with the embedded database does not need the code.
  const { startPostgres } = await import('./postgres.ts');
  return startPostgres(options);
}

/**
 * Does what a start does before its migrations, and takes it back: shows whether the database and its user let the service start,
 * without changing anything there.
 *
 * @throws DatabaseSettingsError, NewerDatabaseError, and what the server answers where the user lacks a permission.
 */
export async function tryPostgres(url: string): Promise<void> {
  const { tryPreparation } = await import('./prepare-postgres.ts');
  await tryPreparation(url);
}
