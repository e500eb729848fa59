import { join } from 'node:path';
import { openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';

export const MIGRATIONS = 'drizzle.__drizzle_migrations';

/** A data folder within one, whose list of migrations is another one than that of this release. */
export async function migratedOtherwise(
  folder: { readonly path: string },
  name: string,
  statement: string,
): Promise<string> {
  const path = join(folder.path, name);
  await makeDataFolder(path);
  const database = await openPglite(path, { sync: false });
  await database.accounts.execute(statement);
  await database.close();
  return path;
}
