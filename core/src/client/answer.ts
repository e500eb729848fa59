import {
  ERROR_TABLE,
  type ErrorCode,
  type ErrorDetails,
  NO_SUCH_PATH,
  SvcError,
} from '../kernel/contract/errors.ts';
import type { Connection } from './options.ts';

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly request_id?: unknown;
}

/** What an answer came to: a value, or an error that says whether the same call may do better later. */
export type ReadAnswer =
  | { readonly value: object }
  | { readonly error: SvcError; readonly transient: boolean };

const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);

/** Reads an answer: the value without `success`, or the service's error rebuilt. */
export async function readAnswer({ url }: Connection, response: Response): Promise<ReadAnswer> {
  const body = response.ok ? parseObject(await response.text()) : undefined;
  if (body && body.success !== false) {
    const { success: _, ...value } = body;
    return { value };
  }
  const error = response.ok ? refusal(url, response, body) : await readRefusal(url, response);
  return { error, transient: TRANSIENT.has(response.status) && error.code !== 'QUOTA_EXCEEDED' };
}

/** Reads why an answer is none of status 2xx: the service's error, or that a redirect or another program answered. */
export async function readRefusal(url: string, response: Response): Promise<SvcError> {
  // Browsers hide where a redirect leads: type "opaqueredirect", status 0.
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    return redirected(url, response);
  }
  return refusal(url, response, parseObject(await response.text()));
}

function refusal(url: string, response: Response, body: Record<string, unknown> | undefined): SvcError {
  const error = body ? fromBody(response, body) : foreign(url, response);
  return isWrongAddress(url, error) ? wrongAddress(url, error) : error;
}

/** Whether the service answers at another path than this address has: whatever is asked below it, there is no such path. */
function isWrongAddress(url: string, { code, message }: SvcError): boolean {
  // Without a path the address is right, and the service older than the client.
  return code === 'NOT_FOUND' && message.startsWith(NO_SUCH_PATH) && new URL(url).pathname !== '/';
}

function wrongAddress(url: string, { requestId }: SvcError): SvcError {
  const service = url.replace(/\/mcp$/, '');
  const fix =
    service === url
      ? `${url} is not the address of the Agent Memory Service: there is no such path. Set url (SVC_API_URL) to the address alone, as ${new URL(url).origin}, or with the path that a proxy before it has.`
      : `${url} is for MCP clients that connect by HTTP. Set url (SVC_API_URL) to the address of the Agent Memory Service itself: ${service}`;
  return new SvcError('NOT_FOUND', fix, requestId === undefined ? {} : { requestId });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function fromBody(response: Response, body: Record<string, unknown>): SvcError {
  const { code, message, details, request_id }: ErrorBody = Object(body.error);
  const requestId = typeof request_id === 'string' ? request_id : response.headers.get('X-Request-Id');
  const text =
    typeof message === 'string' && message !== '' ? message : `the service answered ${response.status}`;
  return new SvcError(toCode(code, response.status), text, {
    ...(isDetails(details) ? { details } : {}),
    ...(requestId ? { requestId } : {}),
  });
}

/** The code in the body; from a newer service, whose code this client does not know, the one of the same status. */
function toCode(code: unknown, status: number): ErrorCode {
  if (typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code)) return code as ErrorCode;
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  return (
    codes.find((known) => ERROR_TABLE[known].status === status) ??
    (status >= 500 ? 'UNAVAILABLE' : 'INTERNAL')
  );
}

function isDetails(details: unknown): details is ErrorDetails {
  return typeof details === 'object' && details !== null;
}

/** Something that is no JSON of ours: a proxy's error page, or another program at this address. */
function foreign(url: string, response: Response): SvcError {
  const { status } = response;
  if (status === 413)
    return new SvcError(
      'PAYLOAD_TOO_LARGE',
      `A proxy before ${url} refused the size of the request. Raise its limit, as client_max_body_size of nginx, or send less.`,
    );
  if (status === 429)
    return new SvcError('RATE_LIMITED', `A proxy before ${url} refused the rate of requests.`);
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'no content type';
  const fix =
    status >= 500
      ? 'A proxy answers in its place: check that the service runs and try again.'
      : 'Check that url (SVC_API_URL) is the address of the Agent Memory Service.';
  return new SvcError('UNAVAILABLE', `${url} answered ${status} with ${type} instead of JSON. ${fix}`);
}

function redirected(url: string, response: Response): SvcError {
  const location = response.headers.get('Location');
  const target = location && URL.canParse(location, url) ? ` to ${new URL(location, url).origin}` : '';
  return new SvcError(
    'UNAVAILABLE',
    `${url} redirects${target}. Redirects are not followed, so that the API key stays here: set url (SVC_API_URL) to the final address.`,
  );
}
