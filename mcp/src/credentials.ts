import { resolve } from 'node:path';
import { SvcError } from '@svc-memory/core/contract';
import {
  CREDENTIALS_FILE,
  type Credentials,
  CredentialsError,
  findCredentials,
} from '@svc-memory/hooks/credentials';

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/**
 * The credentials for the service: `SVC_API_KEY` and `SVC_API_URL`, else `credentials.json` in the data folder of an
 * embedded service (`SVC_DATA_DIR`, default `.svc` in the working directory).
 *
 * @throws SvcError `UNAUTHORIZED` that says which variable to set or what to start; `FORBIDDEN` for an address to which the
 *   key would go unencrypted.
 */
export function requireCredentials(env: Environment, cwd: string): Credentials {
  const file = resolve(cwd, env.SVC_DATA_DIR?.trim() || '.svc', CREDENTIALS_FILE);
  const found = find(env, file);
  if (!found) {
    throw new SvcError(
      'UNAUTHORIZED',
      `There is no API key: SVC_API_KEY is not set, and there is no ${file}. Set SVC_API_KEY and SVC_API_URL in the env of this MCP server, or set SVC_DATA_DIR to the data folder of a service on this machine.`,
    );
  }
  const url = URL.canParse(found.apiUrl) ? new URL(found.apiUrl) : undefined;
  if (url?.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new SvcError(
      'FORBIDDEN',
      `SVC_API_URL is ${url.origin}: the API key would cross the network in clear. Use an https address; http is for this machine only.`,
    );
  }
  return found;
}

function find(
  { SVC_API_URL: apiUrl, SVC_API_KEY: apiKey }: Environment,
  file: string,
): Credentials | undefined {
  try {
    return findCredentials({ apiUrl, apiKey, files: [file] });
  } catch (error) {
    throw error instanceof CredentialsError ? new SvcError('UNAUTHORIZED', error.message) : error;
  }
}
