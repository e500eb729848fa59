import { t } from '@lingui/core/macro';
import type {
  AccountRoutes,
  BackupRoutes,
  ErrorDetails,
  FieldIssue,
  Routes,
} from '@svc-memory/core/contract';
import type { z } from 'zod';
import { compareClocks } from './clock.ts';
import { ApiError } from './error.ts';

type AllRoutes = Routes & AccountRoutes & BackupRoutes;
type Name = keyof AllRoutes;
type EndpointOf<N extends Name> = `${AllRoutes[N]['method']} ${AllRoutes[N]['path']}`;

/** An endpoint of the contract by method and path, such as `GET /memories/{id}`. */
export type EndpointName = { [N in Name]: EndpointOf<N> }[Name];
type RouteAt<E extends EndpointName> = { [N in Name]: EndpointOf<N> extends E ? AllRoutes[N] : never }[Name];
export type RequestOf<E extends EndpointName> = z.input<RouteAt<E>['request']>;
export type AnswerOf<E extends EndpointName> = z.output<RouteAt<E>['response']>;

interface CallOptions {
  /** The id of the agent that the call is about. */
  readonly agent?: string | undefined;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls the service, and returns the answer as the contract types it.
 *
 * @throws ApiError on every failure, network errors included.
 */
export async function callApi<E extends EndpointName>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  const [method = 'GET', template = ''] = endpoint.split(' ');
  const rest: Record<string, unknown> = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const inBody = method !== 'GET' && (method !== 'DELETE' || Object.keys(rest).length > 0);
  const query = inBody ? '' : queryOf(rest);
  const body = inBody ? { body: JSON.stringify(rest), type: 'application/json' } : undefined;
  // The contract's tests check that the service answers in this shape.
  return (await send(`${path}${query}`, method, body, options)) as AnswerOf<E>;
}

/**
 * Sends files as multipart form data, and the other fields in the query string.
 *
 * @throws ApiError as `callApi` does, and of code `UNREADABLE` where the browser cannot read a file any more.
 */
export async function uploadFiles<E extends EndpointName>(
  endpoint: E,
  files: readonly File[],
  fields: Partial<RequestOf<E>>,
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  const [method = 'POST', path = ''] = endpoint.split(' ');
  const form = new FormData();
  for (const file of files) form.append('file', file, file.webkitRelativePath || file.name);
  const sent = send(`${path}${queryOf({ ...fields })}`, method, { body: form }, options);
  return (await sent.catch(async (error) => {
    // The browser tells no difference between a file that it cannot read and a service that it cannot reach.
    if (await areReadable(files)) throw error;
    throw new ApiError(
      'UNREADABLE',
      t`A file was changed, moved or deleted since you chose it. Choose it again.`,
      0,
    );
  })) as AnswerOf<E>;
}

async function areReadable(files: readonly File[]): Promise<boolean> {
  const reads = await Promise.allSettled(files.map((file) => file.slice(0, 1).arrayBuffer()));
  return reads.every(({ status }) => status === 'fulfilled');
}

/** Sends a request and returns the parsed JSON. Turns every failure into an `ApiError`. */
async function send(
  path: string,
  method: string,
  body: { readonly body: BodyInit; readonly type?: string } | undefined,
  options: CallOptions = {},
): Promise<unknown> {
  const response = await open(path, {
    method,
    headers: requestHeaders(options, body?.type),
    ...(body && { body: body.body }),
    ...(options.signal && { signal: options.signal }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && isRecord(answer)) return answer;
  throw refusal(response.status, answer);
}

/**
 * Reads a path below `/api/v1` as a file.
 *
 * @throws ApiError as `callApi` does.
 */
export async function fetchFile(path: string, options: CallOptions = {}): Promise<Blob> {
  const response = await open(path, { headers: { ...requestHeaders(options), Accept: '*/*' } });
  if (response.ok) return response.blob();
  throw refusal(response.status, await response.json().catch(() => undefined));
}

/** Requests a path below `/api/v1` without reading the body. For streams and files. */
export async function open(path: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(`/api/v1${path}`, { credentials: 'same-origin', ...init });
    compareClocks(answer);
    return answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

function unreachable(): ApiError {
  return new ApiError('OFFLINE', t`The service cannot be reached.`, 0);
}

export function requestHeaders(options: CallOptions, type?: string): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(options.agent === undefined ? {} : { 'X-Svc-Tenant': options.agent }),
    ...options.headers,
  };
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === '') continue;
    if (Array.isArray(value)) for (const item of value) query.append(name, String(item));
    else query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** What proxies answer, by status, in place of a service that they cannot reach. */
const OF_PROXIES = [502, 503, 504];

function refusal(status: number, answer: unknown): ApiError {
  if (!isRecord(answer) && OF_PROXIES.includes(status)) return unreachable();
  if (!isRecord(answer) && status === 413) {
    const message = t`A proxy before the service takes nothing that large. Who runs it can raise its limit.`;
    return new ApiError('PAYLOAD_TOO_LARGE', message, status);
  }
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : {};
  const { code, message, request_id: requestId, details } = error;
  return new ApiError(
    typeof code === 'string' ? code : 'INTERNAL',
    typeof message === 'string' ? message : t`The service answered with status ${status}.`,
    status,
    typeof requestId === 'string' ? requestId : undefined,
    Array.isArray(details) ? (details as FieldIssue[]) : (details as ErrorDetails | undefined),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
