import { join } from 'node:path';
import {
  CREDENTIALS_FILE,
  type Credentials,
  CredentialsError,
  findCredentials,
  formatCredentials,
  readCredentialsFile,
  writeFileAtomically,
} from '@svc-memory/hooks';
import { type Environment, loadConfig } from '../../config/config.ts';
import type { TenantHint } from '../../control/choose-tenant.ts';
import { explainUnwritable } from '../../control/cli-error.ts';
import type { CommandContext } from '../console/command.ts';

/** Path of `credentials.json` in a data folder. */
export function credentialsPath(dataDir: string): string {
  return join(dataDir, CREDENTIALS_FILE);
}

/**
 * Writes `credentials.json` into a data folder, readable by its owner only.
 *
 * @throws CliError where the system refuses it.
 */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  const file = credentialsPath(dataDir);
  try {
    writeFileAtomically(file, formatCredentials(credentials), { durable: true });
  } catch (error) {
    throw explainUnwritable(error, `${file} cannot be written`, 'Mend that, then try again.');
  }
}

/** What `credentials.json` of a data folder holds; undefined where there is none, or none that can be used. */
export function savedCredentials(dataDir: string): Credentials | undefined {
  try {
    return readCredentialsFile(credentialsPath(dataDir));
  } catch (error) {
    if (error instanceof CredentialsError) return undefined;
    throw error;
  }
}

/**
 * The credentials a client on this machine uses: `SVC_API_KEY` and `SVC_API_URL`, else `credentials.json` in
 * `SVC_DATA_DIR`; undefined where there are none.
 *
 * @throws ConfigError, CredentialsError
 */
export function readCredentials(env: Environment): Credentials | undefined {
  const { apiUrl, apiKey, dataDir, port } = loadConfig(env);
  const files = [credentialsPath(dataDir)];
  const found = findCredentials({ apiUrl, apiKey, files, defaultUrl: `http://127.0.0.1:${port || 3000}` });
  if (apiUrl && !found)
    throw new CredentialsError('SVC_API_URL is set, but there is no API key. Set SVC_API_KEY too.');
  return found;
}

/** What the environment of a command says of its tenant, beside what it was told. */
export function hintOf({ env }: CommandContext, tenant?: string): TenantHint {
  const { apiKey, dataDir } = loadConfig(env);
  return { tenant, apiKey: apiKey ?? savedCredentials(dataDir)?.apiKey };
}
