import {
  type Database,
  FolderInUseError,
  openPglite,
  openPostgres,
  releaseAllJobs,
  SvcError,
} from '@svc-memory/core';
import { type Config, maskUrl } from '../config.ts';
import { CliError } from './cli-error.ts';

/**
 * Opens the database that the configuration names, with its migrations run.
 *
 * @throws FolderInUseError, CliError that names the fix.
 */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl !== undefined) return openServerDatabase(config.databaseUrl);
  try {
    const database = await openPglite(config.dataDir);
    await releaseAllJobs(database);
    return database;
  } catch (error) {
    throw explainFolder(config.dataDir, error);
  }
}

async function openServerDatabase(url: string): Promise<Database> {
  try {
    return await openPostgres({ url });
  } catch (error) {
    throw explainPostgres(url, error);
  }
}

/** Says in words why a data folder cannot be used. */
export function explainFolder(folder: string, error: unknown): unknown {
  if (error instanceof FolderInUseError) return error;
  const because = FOLDER_FAILURES[codeOf(error) ?? ''];
  if (!because) return error;
  const fix = 'Mend that, or set SVC_DATA_DIR to another folder.';
  return new CliError(`The data folder ${folder} cannot be used: ${because}.`, { fix, cause: error });
}

const FOLDER_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'there is a file of that name, not a folder',
  ENAMETOOLONG: 'its name is too long',
};

/** Says in words why a Postgres database cannot be used, without its password. */
export function explainPostgres(url: string, error: unknown): unknown {
  const code = codeOf(error) ?? '';
  const sqlState = error instanceof SvcError ? (/\((\w+)\)$/.exec(error.message)?.[1] ?? '') : code;
  const known = POSTGRES_FAILURES.find(({ codes }) => codes.test(sqlState));
  if (!known) return error;
  return new CliError(`The database ${maskUrl(url)} cannot be used: ${known.because} (${sqlState}).`, {
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
    fix: 'Give the user CREATE on the database, and let a superuser run CREATE EXTENSION vector once.',
  },
  {
    codes: /^(08|57P|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|CONNECT)/,
    because: 'it cannot be reached',
    fix: 'Check that Postgres runs and that SVC_DATABASE_URL names its host and port.',
  },
] as const;

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
