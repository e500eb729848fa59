import type { Database } from './database.ts';
import type { PgliteOptions } from './pglite-options.ts';

/**
 * Opens the embedded database.
 *
 * @param folder Data folder, created if missing and locked against a second opening; without one, in memory.
 * @throws FolderInUseError while another process, or this one, has the folder open.
 */
export async function openPglite(folder?: string, options?: PgliteOptions): Promise<Database> {
  // Loaded on demand: a service with a database server does not need the code.
  const { startPglite } = await import('./pglite.ts');
  return startPglite(folder, options);
}

/**
 * Starts an embedded database in memory and ends it: as much as shows that it works on this machine. A new database of the
 * service would take three times as long.
 *
 * @throws what keeps it from starting.
 */
export async function tryPglite(): Promise<void> {
  const { tryInMemory } = await import('./pglite.ts');
  await tryInMemory();
}
