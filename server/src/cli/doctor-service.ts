import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, openPglite, SvcError } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import postgres from 'postgres';
import { maskUrl } from '../config.ts';
import { CREDENTIALS_FILE } from '../credentials.ts';
import { CliError } from './cli-error.ts';
import { explainFolder, explainPostgres } from './database.ts';
import type { Finding, Surroundings } from './doctor.ts';
import { isReady } from './running-service.ts';

const OLDEST_POSTGRES = 150_000;

/** Does the database answer, with pgvector. Asks the running service, else the database itself. */
export async function checkDatabase(surroundings: Surroundings): Promise<Finding> {
  const { running, config } = surroundings;
  if (running) {
    const { database } = running.health;
    if (await isReady(running.url))
      return { state: 'ok', message: `Database: ${database} answers the service` };
    return {
      state: 'failure',
      message: `Database: ${database} does not answer the service`,
      fix: 'See its log.',
    };
  }
  try {
    return config.databaseUrl === undefined
      ? await tryEmbedded(surroundings)
      : await tryPostgres(config.databaseUrl);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const fix = error instanceof CliError ? error.fix : undefined;
    return { state: 'failure', message: `Database: ${message}`, ...(fix === undefined ? {} : { fix }) };
  }
}

async function tryEmbedded({ config }: Surroundings): Promise<Finding> {
  const used = await exists(join(config.dataDir, 'pg'));
  try {
    const database = await openPglite(used ? config.dataDir : undefined);
    await database.ping().finally(() => database.close());
  } catch (error) {
    throw explainFolder(config.dataDir, error);
  }
  return {
    state: 'ok',
    message: `Database: embedded Postgres with pgvector works${used ? '' : ' (no data yet)'}`,
  };
}

/** Looks at a Postgres server without changing anything there: no migration, no extension. */
async function tryPostgres(url: string): Promise<Finding> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [server] = await client<{ version: string; number: number; vector: string | null }[]>`
      SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
             (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS vector`;
    const name = `Database: Postgres ${server?.version} at ${maskUrl(url)}`;
    if ((server?.number ?? 0) < OLDEST_POSTGRES) {
      return { state: 'failure', message: `${name} is too old`, fix: 'Use Postgres 15 or later.' };
    }
    if (!server?.vector) {
      return { state: 'failure', message: `${name} lacks pgvector`, fix: 'Install pgvector on that server.' };
    }
    return { state: 'ok', message: `${name} answers, with pgvector ${server.vector}` };
  } catch (error) {
    throw explainPostgres(url, error);
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** Do the credentials on this machine open the service. */
export async function checkCredentials(surroundings: Surroundings): Promise<Finding> {
  const { credentials, running, config, env } = surroundings;
  const own = config.databaseUrl === undefined;
  if (!credentials) {
    const message = 'Credentials: none on this machine yet';
    if (!own) return { state: 'ok', message: `${message} (SVC_API_KEY is not set)` };
    const fix = 'Restart the service, which writes them, or set SVC_API_KEY.';
    const started = running !== undefined || (await exists(join(config.dataDir, 'pg')));
    return { state: started ? 'warning' : 'ok', message, fix };
  }
  const name = env.SVC_API_KEY?.trim() ? 'SVC_API_KEY' : CREDENTIALS_FILE;
  try {
    if (running)
      await connect({ url: running.url, apiKey: credentials.apiKey, retries: 0, timeoutMs: 5_000 }).status();
    else if (!(own && (await exists(join(config.dataDir, 'pg'))))) {
      return {
        state: 'warning',
        message: `Credentials: ${name} cannot be tried: the service does not answer`,
      };
    } else await authenticateDirectly(surroundings, credentials.apiKey);
  } catch (error) {
    const refused = error instanceof SvcError && error.code === 'UNAUTHORIZED';
    const message = `Credentials: the key in ${name} ${refused ? 'is not valid' : 'could not be tried'}`;
    const fix =
      name === CREDENTIALS_FILE
        ? 'Restart the service, which makes a new key.'
        : 'Correct or unset SVC_API_KEY.';
    return { state: refused ? 'failure' : 'warning', message, fix };
  }
  return (await isOpenToOthers(join(config.dataDir, CREDENTIALS_FILE)))
    ? {
        state: 'warning',
        message: `Credentials: ${CREDENTIALS_FILE} can be read by other users`,
        fix: `chmod 600 ${join(config.dataDir, CREDENTIALS_FILE)}`,
      }
    : { state: 'ok', message: `Credentials: the key in ${name} is valid` };
}

async function authenticateDirectly({ config }: Surroundings, apiKey: string): Promise<void> {
  const engine = createEngine({ database: await openPglite(config.dataDir) });
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
