import { SvcError } from '@svc-memory/core';
import { ERROR_TABLE, type ErrorCode } from '@svc-memory/core/contract';
import type { Credentials } from '../credentials.ts';

/** A call whose body or answer is a stream, which the ordinary client does not do. */
export interface RawCall {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array>;
}

/**
 * Calls the running service.
 *
 * @throws SvcError the service's own, or `UNAVAILABLE` where none answers.
 */
export async function callRaw({ apiUrl, apiKey }: Credentials, call: RawCall): Promise<Response> {
  const { method, path, headers = {}, body } = call;
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
    redirect: 'manual',
    // `duplex` is needed for streams and missing in the types of Node 20.
    ...(body ? ({ body: ReadableStream.from(body), duplex: 'half' } as RequestInit) : {}),
  }).catch((error: unknown) => {
    throw new SvcError('UNAVAILABLE', `The Agent Memory Service at ${apiUrl} cannot be reached.`, {
      cause: error,
    });
  });
  if (response.ok) return response;
  throw toError(response.status, await response.json().catch(() => undefined));
}

function toError(status: number, body: unknown): SvcError {
  const { code, message, details } = Object(Object(body).error) as Record<string, unknown>;
  const known =
    typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code) ? (code as ErrorCode) : 'UNAVAILABLE';
  return new SvcError(known, typeof message === 'string' ? message : `The service answered ${status}.`, {
    ...(Array.isArray(details) ? { details } : {}),
  });
}
