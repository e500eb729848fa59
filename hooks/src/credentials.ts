import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, textOf } from './framework.ts';

/** What a hook needs to reach the service. */
export interface Credentials {
  readonly apiUrl: string;
  readonly apiKey: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * Finds the service: `SVC_API_KEY` and `SVC_API_URL`, else the first credentials file there is. The key of a file is
 * never sent to another address than the file names.
 *
 * @throws Error that says what to set.
 */
export function findCredentials(env: Environment, files: readonly string[]): Credentials {
  const apiKey = env.SVC_API_KEY?.trim();
  const apiUrl = env.SVC_API_URL?.trim();
  const dataDir = env.SVC_DATA_DIR?.trim();
  const places = [...(dataDir ? [join(dataDir, 'credentials.json')] : []), ...files];
  const file = places.map(readCredentialsFile).find((found) => found !== undefined);
  if (apiKey) return checked({ apiKey, apiUrl: apiUrl || file?.apiUrl || DEFAULT_URL });
  if (!file)
    throw new Error('there is no API key: set SVC_API_KEY and SVC_API_URL, or start the service once');
  if (apiUrl && origin(apiUrl) !== origin(file.apiUrl)) {
    throw new Error(
      `SVC_API_URL is not the address that credentials.json has a key for; set SVC_API_KEY, too`,
    );
  }
  return checked(file);
}

function readCredentialsFile(path: string): Credentials | undefined {
  try {
    const fields = JSON.parse(readFileSync(path, 'utf8')) as Fields;
    const [apiUrl, apiKey] = [textOf(fields, 'api_url'), textOf(fields, 'api_key')];
    return apiUrl !== undefined && apiKey !== undefined ? { apiUrl, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

function checked(credentials: Credentials): Credentials {
  if (!/^https?:/.test(origin(credentials.apiUrl) ?? ''))
    throw new Error('SVC_API_URL is no http or https address');
  if (!/^[\x21-\x7e]+$/.test(credentials.apiKey)) throw new Error('SVC_API_KEY holds characters no key has');
  return credentials;
}

function origin(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
