import type { Engine } from '@svc-memory/core';
import type { Route } from '@svc-memory/core/contract';
import { requireAccess } from '@svc-memory/core/server';
import { type RequestHandler, Router } from 'express';
import {
  actorOf,
  authenticateFromCache,
  type CredentialOptions,
  callerOf,
  requireCaller,
  verifyOnError,
} from '../access/credential.ts';
import { limitCalls } from '../access/limit-calls.ts';
import { streamRoute } from '../events/route.ts';
import type { EventStream } from '../events/stream.ts';
import { createExports, isStreamed } from '../export/answer-export.ts';
import { answerImport } from '../import/answer-import.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import { answerHead, hasEffects } from './answer-head.ts';
import { answerOperation } from './answer-operation.ts';
import { endpointsByPath, expressPath, type RestEndpoint } from './endpoints.ts';
import { allowOnly, answerOptions, noSuchRoute, noteRoute } from './fallbacks.ts';
import { inTurn } from './in-turn.ts';

export interface ApiOptions {
  readonly engine: Engine;
  readonly bodyLimit: number;
  readonly calls: BucketLimiter;
  readonly credentials: CredentialOptions;
  readonly eventStream: EventStream;
  /** Lets calls begin as fast as they can be served; not the event streams, which last. */
  readonly admit: RequestHandler;
}

/** Each operation of the contract, below `/api/v1`. */
export function createApi(options: ApiOptions): Router {
  const { engine, bodyLimit, calls, credentials, eventStream, admit } = options;
  const api = Router({ caseSensitive: true });
  const signIn = requireCaller(credentials);
  const limit = limitCalls(calls);
  const fromCache = authenticateFromCache(credentials);
  const answerExport = createExports(engine, signIn);

  const answer = (endpoint: RestEndpoint): RequestHandler => {
    if (endpoint.route.upload) return answerImport(engine, endpoint.route, bodyLimit);
    if (isStreamed(endpoint.name)) return answerExport(endpoint.name, endpoint.route);
    return answerOperation(engine, endpoint, bodyLimit, credentials.publicUrl);
  };

  for (const [path, endpoints] of endpointsByPath()) {
    const methods = endpoints.map(({ method }) => method);
    const verifyingMethods = new Set<string>(
      endpoints.filter((endpoint) => endpoint.route.verifiesKeyOnCommit).map(({ method }) => method),
    );
    const identify: RequestHandler = (request, ...rest) =>
      (verifyingMethods.has(request.method) ? fromCache : signIn)(request, ...rest);
    const answers = answersOf(endpoints, answer);
    const answerMethod: RequestHandler = (request, ...rest) =>
      answers.get(request.method)?.(request, ...rest);
    api.all(
      expressPath(path),
      inTurn(
        noteRoute(`/api/v1${path}`),
        answerOptions(methods),
        admit,
        identify,
        limit,
        allowOnly(methods),
        answerMethod,
      ),
    );
  }
  const { path } = streamRoute;
  api
    .route(path)
    .all(noteRoute(`/api/v1${path}`), answerOptions(['GET']), signIn, limit, allowOnly(['GET']))
    .get(checkAccess(streamRoute), eventStream.handler(signIn));
  api.use(verifyOnError(credentials));
  return api;
}

/** What answers each method of a path, to those who may use it. */
function answersOf(
  endpoints: readonly RestEndpoint[],
  answer: (endpoint: RestEndpoint) => RequestHandler,
): ReadonlyMap<string, RequestHandler> {
  const guarded = (endpoint: RestEndpoint, handler: RequestHandler) =>
    inTurn(checkAccess(endpoint.route), handler);
  const answers = new Map<string, RequestHandler>();
  for (const endpoint of endpoints) {
    const ofMethod = guarded(endpoint, answer(endpoint));
    answers.set(endpoint.method, ofMethod);
    if (endpoint.method !== 'GET') continue;
    answers.set('HEAD', hasEffects(endpoint.route) ? guarded(endpoint, answerHead(endpoint)) : ofMethod);
  }
  return answers;
}

/** Refuses callers that may not use a route before their body is read; for handlers behind `requireCaller`. */
function checkAccess(route: Pick<Route, 'access' | 'humanDecides' | 'users'>): RequestHandler {
  return (_request, response, next) => {
    requireAccess(route, actorOf(callerOf(response)));
    next();
  };
}

/** Answers 404 below `/api/v1`, and only to those with a credential. */
export function noSuchOperation({ calls, credentials }: Pick<ApiOptions, 'calls' | 'credentials'>) {
  return [requireCaller(credentials), limitCalls(calls), noSuchRoute];
}
