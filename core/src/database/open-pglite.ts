import type { Database } from './database.ts';

/**
 * Opens the embedded database.
 *
 * @param folder Data folder, made where missing and locked against a second process; without one, in memory.
 * @param onUpkeepFailure Told when the regular upkeep failed; queries still work, only slower.
 * @throws FolderInUseError when another process has the folder open.
 */
export async function openPglite(
  folder?: string,
  onUpkeepFailure?: (error: unknown) => void,
): Promise<Database> {
  // A service with a database server does without its code.
  const { startPglite } = await import('./pglite.ts');
  return startPglite(folder, onUpkeepFailure);
}
