import { join, resolve } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { yieldToEventLoop } from '../../runtime/event-loop.ts';
import { silentLogger } from '../../runtime/runtime.ts';
import { requireDiskSpace, writeBackup } from '../backup/backup.ts';
import { settleCutOffRestore } from '../backup/restore-backup.ts';
import { closesInOrder } from '../closing.ts';
import { lockFolder } from '../data-folder/folder-lock.ts';
import {
  DATABASE_FOLDER,
  explainFailedStart,
  finishFolder,
  prepareFolder,
} from '../data-folder/folder-state.ts';
import { makeFolder } from '../data-folder/sync-folder.ts';
import { type Database, type Ending, type Rows, rows, type Tx } from '../database.ts';
import { BACKUP_FOLDER, noteErased } from '../erasure-log.ts';
import { isFullDisk, translateError } from '../errors.ts';
import { startMaintenance, vacuumPglite } from '../maintenance.ts';
import { enforceRowLevelSecurity, migrationsOf, refuseForeignDatabase, runMigrations } from '../migrate.ts';
import { createScopes } from '../tenant-scope.ts';
import { FolderPglite, START_PARAMS } from './folder-pglite.ts';
import { useBasicArrayTypes } from './pglite-array-types.ts';
import type { PgliteOptions } from './pglite-options.ts';
import { PglitePipeline } from './pglite-pipeline.ts';
import { type PreparedStatements, prepareInTransactions } from './pglite-prepared.ts';
import { takePreloaded } from './preload-pglite.ts';
import { openReopening } from './reopening-pglite.ts';
import { readTemplate } from './template.ts';
import '../transaction.ts';

/** Postgres extensions that the service loads into PGlite. */
export const EXTENSIONS = { vector };

// Any time will do.
const AWAKE_MS = 1_000;

/** See `openPglite`, which loads this. */
export async function startPglite(
  folder?: string,
  { sync = true, ...options }: PgliteOptions = {},
): Promise<Database> {
  if (folder === undefined) return attachPglite(await createInMemory(), options);
  await makeFolder(resolve(folder));
  const lock = await lockFolder(folder);
  // With nothing else in the event loop, Node waits for V8 to optimize what it compiled before it goes on.
  const awake = setInterval(() => {}, AWAKE_MS);
  let client: PGlite | undefined;
  try {
    await settleCutOffRestore(folder);
    const prepared: PreparedStatements = new Map();
    client = await openReopening({
      open: async (onPanic) => {
        const opened = await openFolder(join(folder, DATABASE_FOLDER), { sync, onPanic });
        prepared.clear();
        adapt(opened, prepared);
        return opened;
      },
      beforeAgain: async () => {
        // Another process may have made a database there since.
        if (!(await lock.isHeld())) throw new Error(`${folder} was moved, or taken over`);
        // A start ends with a checkpoint.
        await requireDiskSpace(folder);
      },
      logger: options.logger ?? silentLogger,
    });
    return await attach(client, prepared, { ...options, folder, onClose: () => lock.release() });
  } catch (error) {
    await client?.close();
    await lock.release();
    throw isFullDisk(error)
      ? Object.assign(new Error(`no room in ${folder}`, { cause: error }), { code: 'ENOSPC' })
      : error;
  } finally {
    clearInterval(awake);
  }
}

/** A database in memory that holds no tenant. */
export async function createInMemory(): Promise<PGlite> {
  return PGlite.create({ extensions: EXTENSIONS, startParams: START_PARAMS, ...(await template()) });
}

async function template(): Promise<Pick<PGliteOptions, 'loadDataDir'>> {
  const loadDataDir = await readTemplate();
  return loadDataDir ? { loadDataDir } : {};
}

/** See `tryPglite`, which loads this. */
export async function tryInMemory(): Promise<void> {
  const client = await PGlite.create({ extensions: EXTENSIONS });
  await client.exec('CREATE EXTENSION vector').finally(() => client.close());
}

async function openFolder(
  folder: string,
  { sync, onPanic }: { sync: boolean; onPanic: (error: Error) => void },
): Promise<FolderPglite> {
  const before = await prepareFolder(folder, { sync });
  const said: string[] = [];
  const module = await takePreloaded();
  const options = {
    extensions: EXTENSIONS,
    onStderr: (line: string) => said.push(line) > 0,
    onPanic,
    ...(module && { pgliteWasmModule: module }),
    ...(before === 'making' && (await template())),
  };
  try {
    const client = await FolderPglite.open(folder, { sync }, options);
    if (before !== 'synced') await finishFolder(folder, { sync });
    return client;
  } catch (error) {
    throw explainFailedStart(folder, error, said);
  }
}

interface AttachOptions extends Omit<PgliteOptions, 'sync'> {
  /** Data folder of the database; none in memory. */
  readonly folder?: string;
  readonly onClose?: () => Promise<void>;
}

/** Migrates a started PGlite and serves it as the service's database. */
export async function attachPglite(client: PGlite, options: AttachOptions = {}): Promise<Database> {
  const prepared: PreparedStatements = new Map();
  adapt(client, prepared);
  return attach(client, prepared, options);
}

/** Makes a started PGlite run statements as the service needs it. */
function adapt(client: PGlite, prepared: PreparedStatements): void {
  yieldBetweenStatements(client);
  useBasicArrayTypes(client);
  prepareInTransactions(client, prepared);
}

async function attach(
  client: PGlite,
  prepared: PreparedStatements,
  { logger = silentLogger, beforeMigration, folder, onClose }: AttachOptions,
): Promise<Database> {
  const db = drizzle(client);
  const { applied, newest } = await migrationsOf(db);
  if (applied === undefined) await refuseForeignDatabase(db);
  const backUp: Database['backUp'] =
    folder === undefined ? undefined : (file, how) => writeBackup(client, folder, file, how);
  if (applied !== newest) {
    if (backUp && applied !== undefined) await beforeMigration?.(backUp);
    await client.exec('CREATE EXTENSION IF NOT EXISTS vector');
    await runMigrations((options) => migrate(db, options));
  }
  const scopes = createScopes({ role: await enforceRowLevelSecurity(db) });
  const transactions = new Transactions(client, db, prepared);
  const stopMaintenance = startMaintenance(client, () => transactions.writes, logger);
  return closesInOrder({
    kind: 'pglite',
    queued: () => transactions.queued,
    writes: () => transactions.writes,
    read: (tenants, work) => transactions.run(scopes.confine(tenants), work),
    transaction: (tenants, work, ending) =>
      transactions.writing(transactions.run(scopes.confine(tenants), work, ending)),
    batch: (tenants, statements, onFirstRows) =>
      transactions.writing(transactions.batch(scopes.confine(tenants), statements, onFirstRows)),
    system: (work) => transactions.run(scopes.system, work),
    systemBatch: (statements) => transactions.batch(scopes.system, statements),
    accounts: db,
    build: async (statement) => {
      await db.execute(statement);
    },
    vacuum: async () => {
      await vacuumPglite(client);
      return { logEmptied: true };
    },
    ...(backUp && { backUp }),
    ...(folder !== undefined && {
      noteErased: (ids, receipts) => noteErased(join(folder, BACKUP_FOLDER), ids, receipts),
    }),
    ping: async () => {
      await db.execute(sql`SELECT 1`);
    },
    close: () =>
      stopMaintenance()
        .then(() => client.close())
        .finally(() => onClose?.()),
  });
}

/** Runs transactions one after the other, as PGlite does, and counts those that wait and those that may have written. */
class Transactions {
  queued = 0;
  writes = 0;
  readonly #db: PgliteDatabase;
  readonly #pipeline: PglitePipeline;

  constructor(client: PGlite, db: PgliteDatabase, prepared: PreparedStatements) {
    this.#db = db;
    this.#pipeline = new PglitePipeline(client, prepared);
  }

  async run<T>(scope: SQLWrapper, work: (tx: Tx) => Promise<T>, ending?: Ending<T>): Promise<T> {
    const { answer, results } = await this.#queue((begun) =>
      this.#db.transaction(async (tx) => {
        begun();
        await tx.execute(scope);
        const answer = await work(tx);
        return { answer, results: await runInOrder(tx, ending?.statements(answer) ?? []) };
      }),
    );
    ending?.done?.(results);
    return answer;
  }

  async batch(
    scope: SQLWrapper,
    statements: readonly SQLWrapper[],
    onFirstRows?: (rows: Rows) => void,
  ): Promise<Rows[]> {
    const listener = onFirstRows && { at: 1, onRows: onFirstRows };
    const [, ...results] = await this.#queue((begun) =>
      this.#pipeline.run([scope, ...statements], { begun, listener }),
    );
    return results;
  }

  /** Counts a transaction when it has ended, also one that failed: it may have been committed. */
  writing<T>(transaction: Promise<T>): Promise<T> {
    return transaction.finally(() => {
      this.writes += 1;
    });
  }

  /** Counts work as queued until it has begun, or failed. */
  async #queue<T>(work: (begun: () => void) => Promise<T>): Promise<T> {
    let isQueued = true;
    const begun = () => {
      if (isQueued) this.queued -= 1;
      isQueued = false;
    };
    this.queued += 1;
    try {
      return await work(begun);
    } catch (error) {
      throw translateError(error);
    } finally {
      begun();
    }
  }
}

/**
 * Yields to the event loop between statements. PGlite runs each statement synchronously, so that a sequence of them would
 * block all other calls until the last is done.
 */
function yieldBetweenStatements(client: PGlite): void {
  const run = client._runExclusiveQuery.bind(client);
  client._runExclusiveQuery = (statement) =>
    run(async () => {
      await yieldToEventLoop();
      return statement();
    });
}

/** Runs statements one after the other. Returns the rows of each. */
async function runInOrder(tx: Tx, statements: readonly SQLWrapper[]): Promise<Rows[]> {
  const results: Rows[] = [];
  for (const statement of statements) results.push(await rows(tx, statement));
  return results;
}
