import type { User } from '@svc-memory/core/contract';
import type { Request, Response } from 'express';
import type { ReadSession } from '../access/credential.ts';
import type { OpenAuth } from './auth.ts';
import type { AccountDependencies } from './handler.ts';
import { callLibrary, forwardCookies, libraryHeaders } from './library-call.ts';

/** Reads who is signed in from the session cookie, and renews the cookie where it is ten minutes old. */
export function createSessionReader(
  dependencies: Pick<AccountDependencies, 'engine' | 'openAuth'>,
): ReadSession {
  return async (request, response) => {
    if (request.headers.cookie === undefined) return undefined;
    const { headers, response: found } = await callLibrary(dependencies, (api) =>
      api.getSession({
        headers: libraryHeaders(request),
        // A stream that is checked again can carry no new cookie.
        query: { disableRefresh: response.headersSent },
        returnHeaders: true,
      }),
    );
    if (!found) return undefined;
    forwardCookies(headers, response);
    return { user: presentUser(found.user), expiresAt: found.session.expiresAt };
  };
}

/**
 * Passes the cookie of a new session on, and ends the session the call came with: nobody who knew the old cookie comes
 * in by it (session fixation).
 */
export async function startSession(
  openAuth: OpenAuth,
  request: Request,
  response: Response,
  headers: Headers,
): Promise<void> {
  await endOwnSession(openAuth, request);
  forwardCookies(headers, response);
}

/** Ends the session a call came with, if any; answers the headers that make the browser forget its cookie. */
export async function endOwnSession(openAuth: OpenAuth, request: Request): Promise<Headers> {
  const { api } = await openAuth();
  const { headers } = await api.signOut({ headers: libraryHeaders(request), returnHeaders: true });
  return headers;
}

interface LibraryUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
}

/** A user as our answers show it. */
export function presentUser({ id, email, name, emailVerified }: LibraryUser): User {
  return { id, email, display_name: name, email_verified: emailVerified };
}
