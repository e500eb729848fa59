import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { firstCharacters } from '@svc-memory/core/text';
import { type Credentials, withoutUserInfo } from './credentials.ts';
import { type Fields, parseFields } from './files/fields.ts';
import { keyDigest } from './owner.ts';

const MOST_ANSWER_BYTES = 8 * 1_048_576;

/**
 * Why a call brought no answer. `rejected`: the same call will never succeed; `late`: its time was over; `refused`: the key may
 * not do it; `unknown`: the service knows no such key.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly rejected: boolean;
  readonly late: boolean;
  readonly refused: boolean;
  readonly unknown: boolean;

  constructor(message: string, { rejected = false, late = false, refused = false, unknown = false } = {}) {
    super(message);
    this.rejected = rejected;
    this.late = late;
    this.refused = refused;
    this.unknown = unknown;
  }
}

/** The calls a hook makes, over one connection. */
export interface Service {
  readonly url: string;
  /** A digest of the key. */
  readonly key: string;
  get(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    timeoutMs: number,
  ): Promise<Fields>;
  post(path: string, body: Fields, timeoutMs: number): Promise<Fields>;
}

/** Speaks REST without a client library: a hook must start fast. */
export function createService({ apiUrl, apiKey }: Credentials): Service {
  const url = withoutUserInfo(apiUrl)
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '');
  const agents: { plain?: Agent } = {};
  const send = async (method: string, path: string, body: string | undefined, timeoutMs: number) => {
    const target = new URL(`${url}/api/v1${path}`);
    const isSecure = target.protocol === 'https:';
    // Loaded only where needed: TLS alone takes as long to load as all of this.
    const request = isSecure ? (await import('node:https')).request : httpRequest;
    if (!isSecure) agents.plain ??= new Agent({ keepAlive: true, maxSockets: 1 });
    const options: RequestOptions = {
      method,
      ...(agents.plain ? { agent: agents.plain } : {}),
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      },
    };
    return exchange((answered) => request(target, options, answered), body, timeoutMs, url);
  };
  return {
    url,
    key: keyDigest(apiKey),
    get: (path, query, timeoutMs) => {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      return send('GET', `${path}?${search}`, undefined, timeoutMs);
    },
    post: (path, body, timeoutMs) => send('POST', path, JSON.stringify(body), timeoutMs),
  };
}

type Start = (answered: (response: IncomingMessage) => void) => ReturnType<typeof httpRequest>;

function exchange(start: Start, body: string | undefined, timeoutMs: number, url: string): Promise<Fields> {
  return new Promise((resolve, reject) => {
    if (timeoutMs <= 0) return reject(new CallError('there was no time left to ask the service'));
    const fail = (error: CallError) => {
      clearTimeout(timer);
      reject(error);
      request.destroy();
    };
    const timer = setTimeout(
      () =>
        fail(
          new CallError(`the service at ${url} did not answer within ${Math.round(timeoutMs)} ms`, {
            late: true,
          }),
        ),
      timeoutMs,
    );
    const request = start((response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MOST_ANSWER_BYTES) fail(new CallError(`the answer of ${url} is too long`));
      });
      response.on('error', (error) =>
        fail(new CallError(`the connection to ${url} broke: ${error.message}`)),
      );
      response.on('end', () => {
        clearTimeout(timer);
        try {
          resolve(readAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'), url));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      fail(new CallError(`the service at ${url} cannot be reached (${error.code ?? error.message})`)),
    );
    request.end(body);
  });
}

/** How the service's answer begins where it has no such route. */
const NO_SUCH_PATH = 'There is no such path.';
const NEVER = new Set([400, 404, 405, 413, 415]);

function readAnswer(status: number, text: string, url: string): Fields {
  const answer = parseFields(text);
  if (status >= 200 && status < 300 && answer?.success === true) return answer;
  const { code, message } = Object(answer?.error) as Fields;
  const isOurs = typeof code === 'string';
  // The paths of a hook are always there: the address is wrong, and what was to be sent waits until it is mended.
  const isElsewhere = code === 'NOT_FOUND' && String(message).startsWith(NO_SUCH_PATH);
  const hints: Readonly<Record<number, string>> = {
    401: ': check SVC_API_KEY or credentials.json',
    404: isElsewhere
      ? `: there is no such path. Set SVC_API_URL to the address of the service alone, as ${new URL(url).origin}`
      : '',
    // What the key may not do, and which may.
    403: isOurs ? `: ${firstCharacters(String(message).replace(/[\s\p{Cc}]+/gu, ' '), 200)}` : '',
  };
  throw new CallError(
    `the service at ${url} answered ${status}${isOurs ? ` ${code}` : ''}${hints[status] ?? ''}`,
    {
      // Without the service's own error body somebody else answered.
      rejected: NEVER.has(status) && isOurs && !isElsewhere,
      refused: status === 401 || status === 403,
      unknown: status === 401 && code === 'UNAUTHORIZED',
    },
  );
}
