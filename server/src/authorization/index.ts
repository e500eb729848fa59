import type { Engine } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { type BucketLimiter, refuseTooMany } from '../limits/bucket.ts';
import { clientOf } from '../limits/client.ts';
import { routeAt } from '../routing/fallbacks.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.ts';
import { answerOAuthErrors } from './oauth-error.ts';
import { issuerOf, OAUTH_PATHS } from './oauth-url.ts';
import { answerRegistration, answerRevoke, answerToken } from './token-routes.ts';

export interface AuthorizationOptions {
  readonly engine: Engine;
  readonly publicUrl: string | undefined;
  /** Registrations by client address. */
  readonly registrations: BucketLimiter;
  /** Failed token requests by client address. */
  readonly failures: BucketLimiter;
}

/**
 * OAuth 2.1 for the MCP endpoint: what clients discover, and where they get tokens. The human is asked on the dashboard's
 * page `/connect`; all that decides is in core's `connections`.
 */
export function createAuthorizationRouter(options: AuthorizationOptions): Router {
  const { engine, publicUrl, registrations, failures } = options;
  const router = Router({ caseSensitive: true });
  const get = (path: string, metadata: (issuer: string) => object) =>
    routeAt(router, path, ['GET']).get((request, response) => {
      const issuer = issuerOf(request, publicUrl);
      if (issuer === undefined) throw needsHttps();
      response.json(metadata(issuer));
    });
  get(OAUTH_PATHS.resource, protectedResourceMetadata);
  get(`${OAUTH_PATHS.resource}/mcp`, protectedResourceMetadata);
  get(OAUTH_PATHS.server, authorizationServerMetadata);

  const post = (path: string, ...handlers: RequestHandler[]) =>
    routeAt(router, path, ['POST']).post(
      (request, _response, next) => {
        if (issuerOf(request, publicUrl) === undefined) throw needsHttps();
        next();
      },
      ...handlers,
    );
  post(OAUTH_PATHS.register, limitByAddress(registrations), answerRegistration(engine));
  post(OAUTH_PATHS.token, answerToken(engine));
  post(OAUTH_PATHS.revoke, answerRevoke(engine));
  router.use(countFailures(failures), answerOAuthErrors);
  return router;
}

function limitByAddress(limiter: BucketLimiter): RequestHandler {
  return async (request, response, next) => {
    const decision = await limiter.take(clientOf(request));
    if (!decision.allowed) refuseTooMany(response, decision, 'Too many registrations from this address.');
    next();
  };
}

/** Counts failed token requests: codes and tokens cannot be guessed, and nobody shall try for free. */
function countFailures(limiter: BucketLimiter): ErrorRequestHandler {
  return async (error, request, response, next) => {
    if (request.path === OAUTH_PATHS.token) {
      const decision = await limiter.take(clientOf(request));
      if (!decision.allowed)
        refuseTooMany(response, decision, 'Too many failed token requests from this address.');
    }
    next(error);
  };
}

function needsHttps(): SvcError {
  return new SvcError(
    'NOT_FOUND',
    'OAuth needs https, or http on this machine alone. Set SVC_PUBLIC_URL to the https address of this service; API keys work without.',
  );
}
