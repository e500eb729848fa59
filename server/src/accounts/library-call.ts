import { type ErrorCode, SvcError } from '@svc-memory/core/contract';
import type { Request, Response } from 'express';
import type { Auth } from './auth.ts';
import type { AccountDependencies } from './handler.ts';

/** What the sign-in library needs to know of a request: the cookies, and who sent it from where. */
export function libraryHeaders(request: Request): Headers {
  const headers = new Headers();
  if (request.headers.cookie !== undefined) headers.set('cookie', withoutCache(request.headers.cookie));
  if (request.headers['user-agent'] !== undefined) headers.set('user-agent', request.headers['user-agent']);
  // The address after our own rules about proxies; the library reads it here.
  if (request.ip !== undefined) headers.set('x-forwarded-for', request.ip);
  return headers;
}

/** The library's cookies with a copy of the session. We use none, but the library reads them, and fails on malformed ones. */
const CACHE = /\.session_data(?:\.\d+)?$/;

/** Leaves these out of a cookie header. Another service on the same host may set them, at whatever port it is. */
function withoutCache(cookies: string): string {
  const nameOf = (pair: string) => pair.split('=', 1).join('').trim();
  return cookies
    .split(';')
    .filter((pair) => !CACHE.test(nameOf(pair)))
    .join(';');
}

/** Passes on the cookies that the library sets. */
export function forwardCookies(headers: Headers, response: Response): void {
  for (const cookie of headers.getSetCookie()) response.append('Set-Cookie', cookie);
}

const known = (code: ErrorCode, message: string) => () => new SvcError(code, message);
const addressTaken = known(
  'CONFLICT',
  'There is an account with this e-mail address. Sign in, or use another address.',
);

const FAILURES: Readonly<Record<string, () => SvcError>> = {
  INVALID_EMAIL_OR_PASSWORD: known('UNAUTHORIZED', 'The e-mail address or the password is wrong.'),
  INVALID_PASSWORD: known('FORBIDDEN', 'The current password is wrong.'),
  CREDENTIAL_ACCOUNT_NOT_FOUND: known(
    'FORBIDDEN',
    'This account has no password yet. Leave current_password out to set one.',
  ),
  PASSWORD_ALREADY_SET: () =>
    new SvcError('VALIDATION_ERROR', 'current_password is required: this account has a password.', {
      details: [{ path: 'current_password', message: 'is required' }],
    }),
  EMAIL_NOT_VERIFIED: known(
    'FORBIDDEN',
    'Confirm your e-mail address first. POST /auth/verify sends the link again.',
  ),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: addressTaken,
  // Two sign-ups with one address at once.
  FAILED_TO_CREATE_USER: addressTaken,
  INVALID_TOKEN: known('UNAUTHORIZED', 'This link is unknown, was used before, or has expired.'),
};

/**
 * Calls the library and turns its failures into ours.
 *
 * @throws SvcError with a code of the table above; `UNAVAILABLE` while the database is away, which the library hides.
 */
export async function callLibrary<T>(
  { engine, openAuth }: Pick<AccountDependencies, 'engine' | 'openAuth'>,
  call: (api: Auth['api']) => Promise<T>,
): Promise<T> {
  const { api } = await openAuth();
  try {
    return await call(api);
  } catch (error) {
    await engine.database.ping();
    const { isAPIError } = await import('better-auth/api');
    throw (isAPIError(error) && FAILURES[String(error.body?.code)]?.()) || error;
  }
}
