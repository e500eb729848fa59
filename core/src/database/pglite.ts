import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { type Database, type Ending, type Rows, rows, type Tx } from './database.ts';
import { translate } from './errors.ts';
import { lockFolder } from './lock.ts';
import { enforceRowLevelSecurity, MIGRATIONS, refuseNewerDatabase } from './migrate.ts';
import { createScopes, type Scope } from './scope.ts';
import { trackChanges } from './track-changes.ts';
import { startUpkeep } from './upkeep.ts';

/** Postgres extensions the service needs inside PGlite. */
export const EXTENSIONS = { vector };

/** See `openPglite`, which loads this. */
export async function startPglite(
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
  await trackChanges(db);
  const scopes = createScopes(await enforceRowLevelSecurity(db));
  const stopUpkeep = startUpkeep(client, onUpkeepFailure);

  const inScope = async <T>(scope: Scope, work: (tx: Tx) => Promise<T>, ending?: Ending<T>): Promise<T> => {
    try {
      const { answer, results } = await db.transaction(async (tx) => {
        await tx.execute(sql.raw(scope.text));
        const answer = await work(tx);
        return { answer, results: await inOrder(tx, ending?.statements(answer) ?? []) };
      });
      ending?.done?.(results);
      return answer;
    } catch (error) {
      throw translate(error);
    }
  };
  const batch = (scope: Scope, statements: readonly SQLWrapper[], early?: (rows: Rows) => void) =>
    inScope(scope, (tx) => inOrder(tx, statements, early));
  let closing: Promise<void> | undefined;
  return {
    kind: 'pglite',
    read: (tenantId, work) => inScope(scopes.tenant(tenantId), work),
    transaction: (tenantId, work, ending) => inScope(scopes.tenant(tenantId), work, ending),
    batch: (tenantId, statements, early) => batch(scopes.tenant(tenantId), statements, early),
    system: (work) => inScope(scopes.system, work),
    systemBatch: (statements) => batch(scopes.system, statements),
    accounts: db,
    build: async (statement) => {
      await db.execute(statement);
    },
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

/** Runs statements one after the other; answers the rows of each. */
async function inOrder(
  tx: Tx,
  statements: readonly SQLWrapper[],
  early?: (rows: Rows) => void,
): Promise<Rows[]> {
  const results: Rows[] = [];
  for (const statement of statements) {
    const result = await rows(tx, statement);
    if (results.push(result) === 1) early?.(result);
  }
  return results;
}
