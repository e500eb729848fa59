import { type Fields, textField } from './files/fields.ts';
import { NotPlainError, readPlainFile } from './files/plain-file.ts';

/** Name of the file in the data folder that gives clients on this machine their access. */
export const CREDENTIALS_FILE = 'credentials.json';

/** What a client needs to reach the service. */
export interface Credentials {
  readonly apiUrl: string;
  readonly apiKey: string;
}

/** Thrown where credentials exist and cannot be used; the message names the fix. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

/** Where to look for credentials. An empty or blank text counts as not set. */
export interface CredentialSources {
  /** `SVC_API_URL`. */
  readonly apiUrl: string | undefined;
  /** `SVC_API_KEY`. */
  readonly apiKey: string | undefined;
  /** Paths of credentials files; the first that can be used counts. */
  readonly files: readonly string[];
  /** Address for an API key without one. Default `http://127.0.0.1:3000`. */
  readonly defaultUrl?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * Finds the credentials of a client: `SVC_API_KEY` and `SVC_API_URL`, else a credentials file. A key alone goes to the
 * address in the file. The key of a file goes to no other address than the file names: it may belong to another service.
 *
 * @returns undefined where there is no API key.
 * @throws CredentialsError for a damaged file without another one, and where `SVC_API_URL` is not the file's address.
 */
export function findCredentials(sources: CredentialSources): Credentials | undefined {
  const { files, defaultUrl = DEFAULT_URL } = sources;
  const apiUrl = sources.apiUrl?.trim() || undefined;
  const apiKey = sources.apiKey?.trim() || undefined;
  if (apiKey && apiUrl) return { apiUrl, apiKey };
  const { found, failure } = readFirst(files);
  if (apiKey) return { apiUrl: found?.credentials.apiUrl ?? defaultUrl, apiKey };
  if (!found) {
    if (failure) throw failure;
    return undefined;
  }
  const { credentials, file } = found;
  if (apiUrl && originOf(apiUrl) !== originOf(credentials.apiUrl)) {
    throw new CredentialsError(
      `SVC_API_URL is not the address that ${CREDENTIALS_FILE} has a key for: it is ${withoutUserInfo(apiUrl)}, but the key in ${file} is for ${withoutUserInfo(credentials.apiUrl)}. Set SVC_API_KEY too, or unset SVC_API_URL.`,
    );
  }
  return { ...credentials, ...(apiUrl ? { apiUrl } : {}) };
}

/**
 * Reads a credentials file; undefined where there is none.
 *
 * @throws CredentialsError for a file that cannot be read or does not hold credentials.
 */
export function readCredentialsFile(file: string): Credentials | undefined {
  let text: string;
  try {
    text = readPlainFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof NotPlainError) {
      throw new CredentialsError(`${file} is ${error.kind}. Move it away, or set SVC_API_KEY.`);
    }
    throw new CredentialsError(
      `${file} cannot be read by this user (${String(code)}). Its owner can, or set SVC_API_KEY.`,
    );
  }
  const credentials = parseCredentials(text);
  if (credentials) return credentials;
  throw new CredentialsError(
    `${file} is damaged: it must hold {"api_url", "api_key"}. Delete it; the next start of the service writes a new one.`,
  );
}

/** The text of a credentials file. */
export function formatCredentials({ apiUrl, apiKey }: Credentials): string {
  return `${JSON.stringify({ api_url: apiUrl, api_key: apiKey }, null, 2)}\n`;
}

function parseCredentials(text: string): Credentials | undefined {
  try {
    const fields = Object(JSON.parse(text)) as Fields;
    const [apiUrl, apiKey] = [textField(fields, 'api_url'), textField(fields, 'api_key')];
    if (apiUrl === undefined || !/^https?:/.test(originOf(apiUrl) ?? '')) return undefined;
    // What no header can carry is no key.
    if (apiKey === undefined || !/^[\x21-\x7e]+$/.test(apiKey)) return undefined;
    return { apiUrl, apiKey };
  } catch {
    return undefined;
  }
}

/** An address without the name and password that may stand in it: it is shown, logged and saved. */
export function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}

function readFirst(files: readonly string[]) {
  let failure: unknown;
  for (const file of files) {
    try {
      const credentials = readCredentialsFile(file);
      if (credentials) return { found: { file, credentials } };
    } catch (error) {
      failure ??= error;
    }
  }
  return { failure };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
