import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Environment, loadConfig } from './config.ts';
import { writeWhole } from './write-whole.ts';

/** Name of the file in the data folder that gives clients on this machine their access. */
export const CREDENTIALS_FILE = 'credentials.json';

const fileSchema = z.object({ api_url: z.url({ protocol: /^https?$/ }), api_key: z.string().min(1) });

/** What a client needs to reach the service. */
export interface Credentials {
  readonly apiUrl: string;
  readonly apiKey: string;
}

/** Thrown where credentials are there but cannot be used; the message names the fix. */
class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

/** Writes `credentials.json`, readable by its owner only; a reader sees the old file or the new one, whole. */
export async function writeCredentials(folder: string, { apiUrl, apiKey }: Credentials): Promise<void> {
  const body = `${JSON.stringify({ api_url: apiUrl, api_key: apiKey }, null, 2)}\n`;
  await writeWhole(join(folder, CREDENTIALS_FILE), body);
}

/**
 * Reads `credentials.json` of a data folder; undefined where there is none.
 *
 * @throws CredentialsError for a file that cannot be read or does not hold credentials.
 */
export async function readCredentialsFile(folder: string): Promise<Credentials | undefined> {
  const file = join(folder, CREDENTIALS_FILE);
  try {
    const { api_url, api_key } = fileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return { apiUrl: api_url, apiKey: api_key };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES') throw new CredentialsError(`${file} cannot be read by this user.`);
    throw new CredentialsError(
      `${file} is damaged: it must hold {"api_url", "api_key"}. Delete it; the next start of the service writes a new one.`,
    );
  }
}

/**
 * The credentials a client on this machine should use: `SVC_API_KEY` and `SVC_API_URL`, else `credentials.json` in
 * `SVC_DATA_DIR`; undefined where there are none.
 *
 * @throws ConfigError, CredentialsError
 */
export async function readCredentials(env: Environment): Promise<Credentials | undefined> {
  const { apiUrl, apiKey, dataDir, port } = loadConfig(env);
  if (apiKey && apiUrl) return { apiUrl, apiKey };
  if (apiKey) {
    const file = await readCredentialsFile(dataDir).catch(() => undefined);
    return { apiUrl: file?.apiUrl ?? `http://127.0.0.1:${port || 3000}`, apiKey };
  }
  const file = await readCredentialsFile(dataDir);
  // The key of the service on this machine must not be sent to another one.
  if (apiUrl && file && new URL(apiUrl).origin !== new URL(file.apiUrl).origin) {
    throw new CredentialsError(
      `SVC_API_URL is ${apiUrl}, but the key in ${join(dataDir, CREDENTIALS_FILE)} is for ${file.apiUrl}. Set SVC_API_KEY too, or unset SVC_API_URL.`,
    );
  }
  if (apiUrl && !file)
    throw new CredentialsError('SVC_API_URL is set, but there is no API key. Set SVC_API_KEY too.');
  return file && { apiUrl: apiUrl ?? file.apiUrl, apiKey: file.apiKey };
}
