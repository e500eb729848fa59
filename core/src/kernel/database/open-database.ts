import type { Database } from './database.ts';
import type { PgliteOptions } from './pglite/pglite-options.ts';
import type { PostgresOptions } from './postgres/postgres.ts';

/**
 * Opens the embedded database.
 *
 * @param folder Data folder, created if missing and locked against a second opening; without one, in memory.
 * @throws FolderInUseError while another process, or this one, has the folder open.
 */
export async function openPglite(folder?: string, options?: PgliteOptions): Promise<Database> {
  // Loaded on demand: a service with a database server does not need the code.
  const { startPglite } = await import('./pglite/pglite.ts');
  return startPglite(folder, options);
}

/**
 * Starts an embedded database in memory and ends it: as much as shows that it works on this machine. A new database of the
 * service would take three times as long.
 *
 * @throws what keeps it from starting.
 */
export async function tryPglite(): Promise<void> {
  const { tryInMemory } = await import('./pglite/pglite.ts');
  await tryInMemory();
}

/** Opens a Postgres 15+ database with pgvector and migrates it, one starting process at a time. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  // Loaded on demand: a service with the embedded database does not need the code.
  const { startPostgres } = await import('./postgres/postgres.ts');
  return startPostgres(options);
}

/**
 * Does what a start does before its migrations, and takes it back: shows whether the database and its user let the service start,
 * without changing anything there.
 *
 * @throws DatabaseSettingsError, NewerDatabaseError, and what the server answers where the user lacks a permission.
 */
export async function tryPostgres(url: string): Promise<void> {
  const { tryPreparation } = await import('./postgres/prepare-postgres.ts');
  await tryPreparation(url);
}
