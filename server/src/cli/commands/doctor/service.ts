import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, SvcError } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { loadConnection, tryPglite, tryPostgres } from '@svc-memory/core/server';
import { CREDENTIALS_FILE, quoteForShell } from '@svc-memory/hooks';
import { maskUrl } from '../../../config/config.ts';
import { CliError, errorText } from '../../../control/cli-error.ts';
import { credentialsPath } from '../../access/credentials.ts';
import {
  explainFolder,
  explainServer,
  OutdatedDatabaseError,
  openUnmigrated,
} from '../../access/database.ts';
import { isReady } from '../../access/running-service.ts';
import { type CheckResult, failure, ok, type Surroundings, warning } from './check-result.ts';

const OLDEST_POSTGRES = 150_000;

/** Does the database answer, with pgvector. Asks the running service, else the database itself. */
export async function checkDatabase(surroundings: Surroundings): Promise<CheckResult> {
  const { running, config } = surroundings;
  if (running) {
    const { database } = running.health;
    if (await isReady(running.url)) return ok(`Database: ${database} answers the service`);
    return failure(`Database: ${database} does not answer the service`, 'See its log.');
  }
  try {
    return config.databaseUrl === undefined
      ? await tryEmbedded(surroundings)
      : await tryServer(config.databaseUrl);
  } catch (error) {
    const fix = error instanceof CliError ? error.fix : undefined;
    return failure(`Database: ${errorText(error)}`, fix);
  }
}

async function tryEmbedded({ config }: Surroundings): Promise<CheckResult> {
  const works = 'Database: embedded Postgres with pgvector works';
  if (!(await exists(join(config.dataDir, 'pg')))) {
    await tryPglite().catch((error: unknown) => {
      throw explainFolder(config.dataDir, error);
    });
    return ok(`${works} (no data yet)`);
  }
  try {
    const database = await openUnmigrated(config);
    await database.ping().finally(() => database.close());
  } catch (error) {
    if (!(error instanceof OutdatedDatabaseError)) throw error;
    const backup = config.backupsKeep > 0 ? 'after a backup' : 'without a backup (SVC_BACKUPS_KEEP is 0)';
    return ok(`${works}; ${error.message}, ${backup}`);
  }
  return ok(works);
}

const CONNECT_MS = 5_000;

/** Looks at a Postgres server without changing anything there: no migration, no extension. */
async function tryServer(url: string): Promise<CheckResult> {
  try {
    const server = await describePostgres(url);
    const name = `Database: Postgres ${server.version} at ${maskUrl(url)}`;
    if (server.number < OLDEST_POSTGRES) return failure(`${name} is too old`, 'Use Postgres 15 or later.');
    if (!server.vector) return failure(`${name} lacks pgvector`, 'Install pgvector on that server.');
    await tryPostgres(url);
    return ok(`${name} answers, with pgvector ${server.vector}`);
  } catch (error) {
    throw explainServer(url, error);
  }
}

interface PostgresServer {
  readonly version: string;
  readonly number: number;
  /** The version of pgvector that can be had there. */
  readonly vector: string | null;
}

async function describePostgres(url: string): Promise<PostgresServer> {
  const { Client, connectionString } = await loadConnection(url);
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<PostgresServer>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
         (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS vector`,
    );
    const [server] = rows;
    if (!server) throw new TypeError('a statement without a table answers one row');
    return server;
  } finally {
    await client.end();
  }
}

/** Do the credentials on this machine open the service. */
export async function checkCredentials(surroundings: Surroundings): Promise<CheckResult> {
  const { credentials, running, config, env } = surroundings;
  const own = config.databaseUrl === undefined;
  if (!credentials) {
    const message = 'Credentials: none on this machine yet';
    if (!own) return ok(`${message} (SVC_API_KEY is not set)`);
    const fix = 'Restart the service, which writes them, or set SVC_API_KEY.';
    const started = running !== undefined || (await exists(join(config.dataDir, 'pg')));
    return started ? warning(message, fix) : ok(message);
  }
  const name = env.SVC_API_KEY?.trim() ? 'SVC_API_KEY' : CREDENTIALS_FILE;
  try {
    if (running)
      await connect({ url: running.url, apiKey: credentials.apiKey, retries: 0, timeoutMs: 5_000 }).status();
    else if (own && (await exists(join(config.dataDir, 'pg'))))
      await authenticateDirectly(surroundings, credentials.apiKey);
    else return warning(`Credentials: ${name} cannot be tried: the service does not answer`);
  } catch (error) {
    return whyNoUse(name, error);
  }
  const file = credentialsPath(config.dataDir);
  if (!(await isOpenToOthers(file))) return ok(`Credentials: the key in ${name} is valid`);
  return warning(
    `Credentials: ${CREDENTIALS_FILE} can be read by other users`,
    `chmod 600 ${quoteForShell(file, process.platform)}`,
  );
}

/** What is wrong with the key of a file or a variable, by what came of trying it. */
function whyNoUse(name: string, error: unknown): CheckResult {
  if (error instanceof OutdatedDatabaseError) {
    return warning(`Credentials: ${name} cannot be tried: ${error.message}`);
  }
  const refused = error instanceof SvcError && error.code === 'UNAUTHORIZED';
  const message = `Credentials: the key in ${name} ${refused ? 'is not valid' : 'could not be tried'}`;
  const fix =
    name === CREDENTIALS_FILE
      ? 'Restart the service, which makes a new key.'
      : 'Correct or unset SVC_API_KEY.';
  return refused ? failure(message, fix) : warning(message, fix);
}

async function authenticateDirectly({ config }: Surroundings, apiKey: string): Promise<void> {
  const engine = createEngine({ database: await openUnmigrated(config) });
  await engine.apiKeys.authenticate(apiKey).finally(() => engine.close());
}

async function isOpenToOthers(file: string): Promise<boolean> {
  // Windows has no such modes.
  if (process.platform === 'win32') return false;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
