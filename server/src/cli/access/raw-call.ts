import { SvcError } from '@svc-memory/core/contract';
import { NEVER_SENT, readRefusal } from '@svc-memory/core/server';
import type { Credentials } from '@svc-memory/hooks';

/** A call whose body or answer is a stream, which the ordinary client does not do. */
export interface RawCall {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array>;
  /** Ends it, and its answer while that streams in. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls the running service.
 *
 * @throws SvcError the service's own, or `UNAVAILABLE` where none answers; what `body` throws, as it is.
 */
export async function callRaw({ apiUrl, apiKey }: Credentials, call: RawCall): Promise<Response> {
  const { method, path, headers = {}, body, signal } = call;
  // fetch hides the failure of a body behind one of its own.
  const source: { failure?: { readonly error: unknown } } = {};
  const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
    redirect: 'manual',
    ...(signal && { signal }),
    // `duplex` is needed for streams and missing in the types of Node 20.
    ...(body ? ({ body: ReadableStream.from(noting(body, source)), duplex: 'half' } as RequestInit) : {}),
  }).catch((error: unknown) => {
    if (source.failure) throw source.failure.error;
    const what = neverConnected(error) ? 'cannot be reached' : 'broke off the connection; its log says why';
    throw new SvcError('UNAVAILABLE', `The Agent Memory Service at ${apiUrl} ${what}.`, { cause: error });
  });
  if (source.failure) throw source.failure.error;
  if (response.ok) return response;
  throw await readRefusal(apiUrl, response);
}

async function* noting(
  body: AsyncIterable<Uint8Array>,
  source: { failure?: { readonly error: unknown } },
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    source.failure = { error };
    throw error;
  }
}

function neverConnected(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return NEVER_SENT.has(String(Object(cause).code));
}
