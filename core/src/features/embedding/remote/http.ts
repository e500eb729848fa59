import type { Dispatcher } from 'undici';

/** Bytes of an error's answer that are read. */
const MOST_ERROR_BYTES = 64 * 1024;

type Response = Dispatcher.ResponseData;

/** A request to a model's server. */
interface ModelRequest {
  /** Sent as JSON by POST; without one, GET. */
  readonly body?: object;
  /** Sent as bearer token. */
  readonly apiKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In place of a signal: milliseconds that the request may take, with its answer. */
  readonly timeoutMs?: number;
}

/**
 * Sends a request to a model's server. Not by `fetch`, which takes the processor three times as long, while a recall waits.
 * Redirects are not followed: one would carry texts to a server nobody chose.
 */
export async function requestModel(endpoint: string, options: ModelRequest): Promise<Response> {
  const { body, apiKey, timeoutMs } = options;
  const { request } = await import('undici');
  // Begun after the import, which takes a busy machine a second.
  const signal = timeoutMs === undefined ? options.signal : AbortSignal.timeout(timeoutMs);
  return request(endpoint, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

/**
 * The address of an endpoint of a model's server.
 *
 * @param what What the server is, for the error.
 * @throws TypeError for an address that is not http or https, or that holds a user, password or parameters.
 */
export function endpointOf(url: string, path: string, what: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new TypeError(
      `The address of the ${what} must be an http or https one, such as http://localhost:11434/v1.`,
    );
  }
  if (address.username !== '' || address.password !== '' || address.search !== '') {
    throw new TypeError(
      `The address of the ${what} must hold no user, password or parameters; give the key as apiKey.`,
    );
  }
  const base = address.pathname.replace(/\/+$/, '');
  return `${address.origin}${base.endsWith(path) ? base.slice(0, -path.length) : base}${path}`;
}

/** Reads the text of an answer; undefined when it is longer than that many bytes. */
export async function readText({ body }: Response, mostBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The short name of an error that a server answered; never its message, which may quote the text or the key. */
export async function readErrorCode(
  response: Response,
  apiKey: string | undefined,
): Promise<string | undefined> {
  try {
    const body: unknown = JSON.parse((await readText(response, MOST_ERROR_BYTES)) ?? '');
    const error = isRecord(body) && isRecord(body.error) ? body.error : body;
    const code = isRecord(error) ? (error.code ?? error.type) : undefined;
    const plain = typeof code === 'string' && /^[a-z][a-z_]{2,40}$/.test(code);
    return plain && !(apiKey && code.includes(apiKey)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** The system's name of why a server could not be reached, such as ` (ECONNREFUSED)`; else nothing. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
