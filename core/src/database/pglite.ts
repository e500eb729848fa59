import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Database, Tx } from './database.ts';
import { translate } from './errors.ts';
import { lockFolder } from './lock.ts';
import { enforceRowLevelSecurity, MIGRATIONS, refuseNewerDatabase } from './migrate.ts';
import { systemScope, tenantScope } from './scope.ts';
import { startUpkeep } from './upkeep.ts';

/** Postgres extensions the service needs inside PGlite. */
export const EXTENSIONS = { vector };

/**
 * Opens the embedded database.
 *
 * @param folder Data folder, made where missing and locked against a second process; without one, in memory.
 * @param onUpkeepFailure Told when the regular upkeep failed; queries still work, only slower.
 * @throws FolderInUseError when another process has the folder open.
 */
export async function openPglite(
  folder?: string,
  onUpkeepFailure: (error: unknown) => void = () => {},
): Promise<Database> {
  if (folder) await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = folder ? await lockFolder(folder) : undefined;
  try {
    const client = await PGlite.create({
      ...(folder ? { dataDir: join(folder, 'pg') } : {}),
      extensions: EXTENSIONS,
    });
    return await attachPglite(client, { onUpkeepFailure, onClose: () => lock?.release() });
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

interface AttachOptions {
  onUpkeepFailure?(error: unknown): void;
  onClose?(): Promise<void> | undefined;
}

/** Brings a started PGlite up to date and serves it as the service's database. */
export async function attachPglite(
  client: PGlite,
  { onUpkeepFailure = () => {}, onClose }: AttachOptions = {},
): Promise<Database> {
  const db = drizzle(client);
  await refuseNewerDatabase(db);
  await client.exec('CREATE EXTENSION IF NOT EXISTS vector');
  await migrate(db, { migrationsFolder: MIGRATIONS });
  const role = await enforceRowLevelSecurity(db);
  const stopUpkeep = startUpkeep(client, onUpkeepFailure);

  const inScope = async <T>(scope: SQL, work: (tx: Tx) => Promise<T>): Promise<T> => {
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(scope);
        return work(tx);
      });
    } catch (error) {
      throw translate(error);
    }
  };
  let closing: Promise<void> | undefined;
  return {
    kind: 'pglite',
    read: (tenantId, work) => inScope(tenantScope(tenantId, role), work),
    transaction: (tenantId, work) => inScope(tenantScope(tenantId, role), work),
    system: (work) => inScope(systemScope(role), work),
    accounts: db,
    ping: async () => {
      await db.execute(sql`SELECT 1`);
    },
    close: () => {
      closing ??= stopUpkeep()
        .then(() => client.close())
        .finally(() => onClose?.());
      return closing;
    },
  };
}
