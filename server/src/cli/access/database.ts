import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DamagedFolderError,
  type Database,
  DatabaseSettingsError,
  type Logger,
  MigrationError,
  NewerDatabaseError,
  OtherPostgresError,
  openPglite,
  openPostgres,
  SvcError,
} from '@svc-memory/core';
import {
  BACKUP_FOLDER,
  deleteSpacesAgain,
  forgetUsersAgain,
  readErasureLog,
  recordRestore,
  releaseAllJobs,
  restoreReceipts,
  takeRestore,
  translateError,
} from '@svc-memory/core/server';
import { quoteForShell } from '@svc-memory/hooks';
import { BackupFolder } from '../../backups/backup-folder.ts';
import { type Config, maskUrl } from '../../config/config.ts';
import { CliError, explainUnwritable } from '../../control/cli-error.ts';

const START_ITS_MAKER =
  'Nothing was changed. Start the release that made it; what its `npx svc-memory export` writes, `npx svc-memory import` reads.';

/**
 * Opens the database that the configuration names, with its migrations run. An embedded one that exists is backed up
 * before them.
 *
 * @throws FolderInUseError, CliError that names the fix.
 */
export async function openDatabase(config: Config, logger?: Logger): Promise<Database> {
  if (config.databaseUrl !== undefined) return openServerDatabase(config.databaseUrl);
  const backups = new BackupFolder(config.dataDir, config.backupsKeep);
  let unmigrated: string | undefined;
  try {
    const database = await openPglite(config.dataDir, {
      sync: config.embeddedSync,
      ...(logger && { logger }),
      beforeMigration: async (backUp) => {
        if (config.backupsKeep > 0) unmigrated = await backUpBeforeMigration(backups, backUp);
      },
    });
    try {
      await backups.settleMigration();
      await backups.clearCutOff();
      await releaseAllJobs(database);
      await takeRestore(config.dataDir, (restore) => recordRestore(database, restore));
      await eraseAgain(config.dataDir, database, logger);
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  } catch (error) {
    // The database is as it was. A service that is started again and again would fill the disk with backups of it.
    if (unmigrated !== undefined && error instanceof MigrationError) await rm(unmigrated, { force: true });
    throw await explainUnopened(config.dataDir, error, backups);
  }
}

/**
 * Hides from all calls what the log of erasures names and a restore has brought back, which the background erases, and puts back
 * the receipts that it has taken away.
 */
async function eraseAgain(dataDir: string, database: Database, logger: Logger | undefined): Promise<void> {
  const { ids, receipts } = await readErasureLog(join(dataDir, BACKUP_FOLDER));
  await restoreReceipts(database, receipts);
  if (ids.length === 0) return;
  const users = await forgetUsersAgain(database, ids);
  const spaces = await deleteSpacesAgain(database, ids);
  if (users + spaces > 0) {
    logger?.info(
      { users, spaces },
      'what was erased before and has come back, as by a restore, is erased again',
    );
  }
}

/** Thrown in place of a migration where a database is only looked at. */
export class OutdatedDatabaseError extends Error {
  override readonly name = 'OutdatedDatabaseError';
  constructor() {
    super('the next start migrates the database');
  }
}

/**
 * Opens the embedded database to look at it: one of an earlier release is left to that release.
 *
 * @throws OutdatedDatabaseError where a start would migrate it; else as `openDatabase`.
 */
export async function openUnmigrated(config: Config): Promise<Database> {
  try {
    return await openPglite(config.dataDir, {
      beforeMigration: async () => {
        throw new OutdatedDatabaseError();
      },
    });
  } catch (error) {
    if (error instanceof OutdatedDatabaseError) throw error;
    throw await explainUnopened(config.dataDir, error, new BackupFolder(config.dataDir, config.backupsKeep));
  }
}

async function backUpBeforeMigration(
  backups: BackupFolder,
  backUp: NonNullable<Database['backUp']>,
): Promise<string> {
  return backups.addBeforeMigration(backUp).catch((error: unknown) => {
    throw explainUnwritable(
      error,
      'The database is not migrated, as the backup before that cannot be written',
      'Nothing was changed. Make room in the data folder, or set SVC_BACKUPS_KEEP=0 to migrate without a backup.',
    );
  });
}

/** Says in words why the embedded database was not opened, and which backup could take its place. */
async function explainUnopened(dataDir: string, error: unknown, backups: BackupFolder): Promise<unknown> {
  if (error instanceof OtherPostgresError || error instanceof MigrationError) {
    return new CliError(error.message, {
      fix: START_ITS_MAKER,
      cause: error,
    });
  }
  if (error instanceof NewerDatabaseError) {
    const restore = await restoreCommand(backups);
    const back = restore && `, or go back to the last backup of this one, ${restore}`;
    return new CliError(error.message, {
      fix: `Nothing was changed. Start that release${back ?? '; there is no backup that this one could restore.'}`,
      cause: error,
    });
  }
  if (error instanceof DamagedFolderError) {
    const restore = await restoreCommand(backups);
    const fix = restore
      ? `Nothing was changed. The last good backup is ${restore}`
      : 'Nothing was changed, and there is no backup in its folder backups. Restore one from elsewhere: npx svc-memory restore FILE --replace';
    return new CliError(error.message, { fix, cause: error });
  }
  return explainFolder(dataDir, error);
}

async function restoreCommand(backups: BackupFolder): Promise<string | undefined> {
  const last = await backups.newestGood();
  return (
    last &&
    `of ${last.made.toISOString()}: npx svc-memory restore ${quoteForShell(last.file, process.platform)} --replace`
  );
}

async function openServerDatabase(url: string): Promise<Database> {
  try {
    return await openPostgres({ url });
  } catch (error) {
    throw explainServer(url, error);
  }
}

/** Says in words why a start does not use a Postgres database. */
export function explainServer(url: string, error: unknown): unknown {
  if (error instanceof NewerDatabaseError) {
    const fix = 'Start that release, or restore a backup of the server that was made before the upgrade.';
    return new CliError(error.message, { fix, cause: error });
  }
  if (error instanceof MigrationError)
    return new CliError(error.message, { fix: START_ITS_MAKER, cause: error });
  if (error instanceof DatabaseSettingsError) {
    const fix = `Let an administrator of the database run ${error.remedy}; then start again.`;
    return new CliError(error.message, { fix, cause: error });
  }
  return explainPostgres(url, error);
}

/** Says in words why a data folder cannot be used. */
export function explainFolder(folder: string, error: unknown): unknown {
  const fix = isFull(error)
    ? 'Make room there, or set SVC_DATA_DIR to another folder. A new database takes 30 MB, and grows with what is stored.'
    : 'Mend that, or set SVC_DATA_DIR to another folder.';
  return explainUnwritable(error, `The data folder ${folder} cannot be used`, fix);
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

/** Says in words why a Postgres database cannot be used, without its password. */
function explainPostgres(url: string, error: unknown): unknown {
  const failure = translateError(error);
  const code =
    failure instanceof SvcError ? (/\((\w+)\)$/.exec(failure.message)?.[1] ?? '') : (codeOf(failure) ?? '');
  const known = POSTGRES_FAILURES.find(({ codes }) => codes.test(code));
  if (!known) return error;
  return new CliError(`The database ${maskUrl(url)} cannot be used: ${known.because} (${code}).`, {
    fix: known.fix,
    cause: error,
  });
}

const POSTGRES_FAILURES = [
  {
    codes: /^(58P01|0A000)$/,
    because: 'the extension pgvector is not installed on that server',
    fix: 'Install pgvector there (package postgresql-<version>-pgvector), then start again.',
  },
  { codes: /^28/, because: 'it refuses this user or password', fix: 'Correct SVC_DATABASE_URL.' },
  {
    codes: /^3D000$/,
    because: 'there is no database of that name',
    fix: 'Create it, or correct SVC_DATABASE_URL.',
  },
  {
    codes: /^42501$/,
    because: 'this user lacks a permission',
    fix: 'Let the user own the database, and let a superuser run CREATE EXTENSION vector once. A user with BYPASSRLS needs CREATEROLE too.',
  },
  {
    codes: /^(25P0[34]|55P03|57014)$/,
    because: 'a time limit set there ended what a start does',
    fix: 'Start again when less is going on, or raise lock_timeout and idle_in_transaction_session_timeout for this user.',
  },
  {
    codes: /^SPLIT_TRANSACTION$/,
    because: 'a load balancer before it sends the statements of one transaction to several servers',
    fix: 'Have it send all of them to the primary: in Pgpool-II, load_balance_mode = off.',
  },
  {
    codes: /^STATEMENT_POOLING$/,
    because: 'the pooler before it takes no transactions',
    fix: 'In PgBouncer, set pool_mode = transaction.',
  },
  {
    codes: /^25006$/,
    because: 'it takes no changes',
    fix: 'Name its primary in SVC_DATABASE_URL, and leave default_transaction_read_only off for this user.',
  },
  {
    codes: /^53[23]00$/,
    because: 'it has no connection or memory left for this user',
    fix: 'Raise max_connections there, or the CONNECTION LIMIT of the user: each process of the service opens up to 10.',
  },
  { codes: /^53100$/, because: 'its disk is full', fix: 'Make room on the disk of that server.' },
  {
    codes: /^E(NET|HOST)UNREACH$/,
    because: 'there is no way to its address from here, as to IPv6 where a network has only IPv4',
    fix: 'Take the address that the host of the database gives for IPv4, often that of its pooler, in SVC_DATABASE_URL.',
  },
  {
    codes: /^(08|57P|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|CONNECT)/,
    because: 'it cannot be reached',
    fix: 'Check that Postgres runs and that SVC_DATABASE_URL names its host and port.',
  },
  {
    codes: /^(ENOENT|EACCES|EISDIR)$/,
    because: 'a file that its address names cannot be read',
    fix: 'Correct sslrootcert, sslcert or sslkey in SVC_DATABASE_URL.',
  },
  {
    codes: /^NO_TLS$/,
    because: 'that server speaks no TLS',
    fix: 'Switch it on there (ssl = on), or take sslmode out of SVC_DATABASE_URL where the network to it is your own.',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    because: 'its certificate is for another host name',
    fix: 'Name the host in SVC_DATABASE_URL as its certificate does.',
  },
  {
    codes: /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/,
    because: 'nobody known here has signed its certificate',
    fix: 'Add sslrootcert=<file> to SVC_DATABASE_URL, the certificate of the authority that its host offers, or sslmode=no-verify to encrypt without asking whose server it is.',
  },
] as const;

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
