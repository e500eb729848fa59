import type { Engine, KeyHolder } from '@svc-memory/core';
import { type Access, SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler, Response } from 'express';
import { type BucketLimiter, refuseTooMany } from '../limits/bucket.ts';

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;
const CHALLENGE = 'Bearer realm="svc"';

/**
 * Lets only holders of a valid API key through and notes who they are. Spec: Authentication.
 *
 * A wrong key is always checked first and counted afterwards: someone who shares an address with an attacker still gets in.
 */
export function requireApiKey(engine: Engine, failures: BucketLimiter): RequestHandler {
  return async (request, response, next) => {
    try {
      response.locals.holder = await engine.apiKeys.authenticate(bearerToken(request));
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'UNAUTHORIZED') throw error;
      const decision = await failures.take(request.ip ?? 'unknown');
      if (!decision.allowed) refuseTooMany(response, decision, 'Too many failed sign-ins from this address.');
      response.setHeader(
        'WWW-Authenticate',
        request.headers.authorization === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
      );
      throw error;
    }
    next();
  };
}

/** The bearer token of a request, or an empty text. Two `Authorization` headers are no token. */
export function bearerToken(request: Request): string {
  const [header, ...others] = request.headersDistinct.authorization ?? [];
  return (others.length === 0 && BEARER.exec(header ?? '')?.[1]) || '';
}

/**
 * Checks that an API key may call a route. Design 7.
 *
 * @throws SvcError `FORBIDDEN` where the route needs more than this key gives.
 */
export function requireAccess(access: Access, { scope }: KeyHolder): void {
  if (access === 'human') {
    throw new SvcError(
      'FORBIDDEN',
      'Only the human may do this, signed in to the dashboard; an API key may not.',
    );
  }
  if (access !== 'public' && access !== 'read' && scope !== 'full') {
    throw new SvcError('FORBIDDEN', 'This API key may only read. Use a key of scope full.');
  }
}

/** Who holds the key of this request; only for handlers behind `requireApiKey`. */
export function holderOf(response: Response): KeyHolder {
  const { holder } = response.locals;
  if (!holder) throw new TypeError('requireApiKey must run before this handler');
  return holder;
}
