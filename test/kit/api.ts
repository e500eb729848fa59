import type { OperationName, Output } from '@svc-memory/core/contract';
import { expect } from 'vitest';
import { type Code, checkAnswer, type Refusal, STATUS_OF } from './contract-check.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What came back, already checked against the contract. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Answers of operations by name; `unknown` where a test names none. */
type BodyOf<Name extends OperationName> = Output<Name> & { readonly success: true };

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; everything else is sent as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** One caller of the REST API: a key, or none. */
export interface Api {
  readonly tenantId: string;
  readonly keyId: string;
  readonly key: string;
  send(method: string, path: string, options?: SendOptions): Promise<Answer<unknown>>;
  get<Name extends OperationName>(path: string, options?: SendOptions): Promise<Answer<BodyOf<Name>>>;
  post<Name extends OperationName>(
    path: string,
    body?: unknown,
    options?: SendOptions,
  ): Promise<Answer<BodyOf<Name>>>;
  patch(path: string, body: unknown, options?: SendOptions): Promise<Answer<BodyOf<'update'>>>;
  delete(path: string, options?: SendOptions): Promise<Answer<BodyOf<'forget'>>>;
  /** A digest of everything the service keeps for this tenant: equal digests, nothing was written. */
  digest(): Promise<string>;
}

export interface ApiOptions {
  readonly url: string;
  readonly tenantId: string;
  readonly keyId: string;
  readonly key: string;
  readonly digest: () => Promise<string>;
}

/** Calls over real HTTP. Every answer is checked against the contract before a test sees it. */
export function createApi({ url, tenantId, keyId, key, digest }: ApiOptions): Api {
  const send = async (method: string, path: string, { headers = {}, raw }: SendOptions = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...(key === '' ? {} : { Authorization: `Bearer ${key}` }), ...headers },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (method !== 'HEAD' && method !== 'OPTIONS') {
      const { status } = response;
      checkAnswer({ method, path, status, requestId: response.headers.get('x-request-id'), body });
    }
    return { status: response.status, headers: response.headers, body };
  };
  // The schema check above has just proven the type that the caller names.
  const typed = <Body>(method: Method, path: string, options?: SendOptions) =>
    send(method, path, options) as Promise<Answer<Body>>;
  const json = (body: unknown, { headers, ...others }: SendOptions = {}): SendOptions => ({
    ...(body === undefined ? {} : { raw: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...others,
  });
  return {
    tenantId,
    keyId,
    key,
    send,
    digest,
    get: (path, options) => typed('GET', path, options),
    post: (path, body, options) => typed('POST', path, json(body, options)),
    patch: (path, body, options) => typed('PATCH', path, json(body, options)),
    delete: (path, options) => typed('DELETE', path, options),
  };
}

/** The error of an answer that must be a refusal. */
export function errorOf(answer: Answer<unknown>): Refusal['error'] {
  expect(answer.body).toMatchObject({ success: false });
  return (answer.body as Refusal).error;
}

/** Field paths that a `VALIDATION_ERROR` names. */
function pathsOf({ details }: Refusal['error']): string[] {
  return (details as { path: string }[]).map(({ path }) => path);
}

/** Checks that a call is refused with this code, names this field where one is given, and leaves no trace. */
export async function expectRefused(
  api: Pick<Api, 'digest'>,
  call: () => Promise<Answer<unknown>>,
  code: Code,
  path?: string,
): Promise<Refusal['error']> {
  const before = await api.digest();
  const answer = await call();
  const error = errorOf(answer);
  expect([answer.status, error.code], error.message).toEqual([STATUS_OF[code], code]);
  if (path !== undefined) expect(pathsOf(error), error.message).toContain(path);
  expect(await api.digest(), 'a refused call must store nothing').toBe(before);
  return error;
}
