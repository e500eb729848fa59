import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SvcError } from '@svc-memory/core/contract';

/** How to reach the service. */
export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/**
 * `SVC_API_KEY` and `SVC_API_URL`; what of them is not set comes from the `credentials.json` that an embedded service
 * writes into its data folder (`SVC_DATA_DIR`, else `.svc` in the working directory).
 *
 * @throws SvcError that says which variable to set, or what to start.
 */
export async function findCredentials(env: Environment, cwd: string): Promise<Credentials> {
  const file = resolve(cwd, env.SVC_DATA_DIR?.trim() || '.svc', 'credentials.json');
  const apiUrl = env.SVC_API_URL?.trim() || undefined;
  const apiKey = env.SVC_API_KEY?.trim() || undefined;
  if (apiKey && apiUrl) return checked({ url: apiUrl, apiKey });
  const found = await readCredentials(file);
  if (apiKey) return checked({ url: found?.url ?? 'http://127.0.0.1:3000', apiKey });
  if (!found) {
    throw new SvcError(
      'UNAUTHORIZED',
      `There is no API key: SVC_API_KEY is not set, and there is no ${file}. Set SVC_API_KEY and SVC_API_URL in the env of this MCP server, or set SVC_DATA_DIR to the data folder of a service on this machine.`,
    );
  }
  // The key of the service on this machine must not be sent to another one.
  if (apiUrl && originOf(apiUrl) !== originOf(found.url)) {
    throw new SvcError(
      'UNAUTHORIZED',
      `SVC_API_URL is ${apiUrl}, but the key in ${file} is for ${found.url}. Set SVC_API_KEY too, or unset SVC_API_URL.`,
    );
  }
  return checked(found);
}

async function readCredentials(file: string): Promise<Credentials | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SvcError('UNAUTHORIZED', `${file} cannot be read by this user (${String(code)}).`);
  }
  try {
    const { api_url: url, api_key: apiKey } = JSON.parse(text);
    if (typeof url === 'string' && typeof apiKey === 'string' && URL.canParse(url)) return { url, apiKey };
  } catch {}
  throw new SvcError(
    'UNAUTHORIZED',
    `${file} is damaged: it must hold {"api_url", "api_key"}. Set SVC_API_KEY.`,
  );
}

/** Refuses to send a key in clear over a network. */
function checked(credentials: Credentials): Credentials {
  const url = URL.canParse(credentials.url) ? new URL(credentials.url) : undefined;
  if (url?.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new SvcError(
      'FORBIDDEN',
      `SVC_API_URL is ${url.origin}: the API key would cross the network in clear. Use an https address; http is for this machine only.`,
    );
  }
  return credentials;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
