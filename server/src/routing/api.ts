import type { Engine } from '@svc-memory/core';
import type { OperationName } from '@svc-memory/core/contract';
import { type RequestHandler, Router } from 'express';
import {
  type CredentialOptions,
  callerOf,
  confirmCaller,
  recogniseCaller,
  requireCaller,
} from '../access/credential.ts';
import type { EventStream } from '../events/stream.ts';
import { streamExport } from '../export/stream-export.ts';
import { receiveImport } from '../import/receive.ts';
import { applyDecision, type BucketLimiter } from '../limits/bucket.ts';
import { callOperation } from './call.ts';
import { type Endpoint, endpointsByPath, expressPath } from './endpoints.ts';
import { allowOnly, answerOptions, noSuchRoute, noteRoute } from './fallbacks.ts';

/** Operations that prove a key where they count its use; the engine fails where one does not. */
const PROVING: ReadonlySet<OperationName> = new Set(['recall', 'remember', 'rememberBatch']);

export interface ApiOptions {
  readonly engine: Engine;
  readonly bodyLimit: number;
  readonly calls: BucketLimiter;
  readonly credentials: CredentialOptions;
  readonly eventStream: EventStream;
  /** Bounds the calls in progress; not the event streams, which last. */
  readonly bound: RequestHandler;
}

/** Each operation of the contract, below `/api/v1`. */
export function createApi(options: ApiOptions): Router {
  const { engine, bodyLimit, calls, credentials, eventStream, bound } = options;
  const api = Router({ caseSensitive: true });
  const signIn = requireCaller(credentials);
  const signedIn: RequestHandler[] = [signIn, limitCalls(calls)];
  const recognise = recogniseCaller(credentials);

  const answer = (endpoint: Endpoint): RequestHandler => {
    if (endpoint.route.upload) return receiveImport(engine, endpoint.route, bodyLimit);
    if (endpoint.route.streams) return streamExport(engine, endpoint.route);
    return callOperation(engine, endpoint, bodyLimit);
  };

  for (const [path, endpoints] of endpointsByPath()) {
    const route = api.route(expressPath(path));
    const methods = endpoints.map(({ method }) => method);
    const proving = new Set<string>(
      endpoints.filter(({ name }) => PROVING.has(name)).map(({ method }) => method),
    );
    const identify: RequestHandler = (request, ...rest) =>
      (proving.has(request.method) ? recognise : signIn)(request, ...rest);
    route.all(
      noteRoute(`/api/v1${path}`),
      answerOptions(methods),
      bound,
      identify,
      limitCalls(calls),
      allowOnly(methods),
    );
    for (const endpoint of endpoints) {
      const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      route[method](answer(endpoint));
    }
  }
  // No operation: it answers for as long as the client listens.
  api
    .route('/events/stream')
    .all(noteRoute('/api/v1/events/stream'), answerOptions(['GET']), ...signedIn, allowOnly(['GET']))
    .get(eventStream.handler(signIn));
  api.use(confirmCaller(credentials));
  return api;
}

/** Answers 404 below `/api/v1`, and only to those with a credential. */
export function noSuchOperation({ calls, credentials }: Pick<ApiOptions, 'calls' | 'credentials'>) {
  return [requireCaller(credentials), limitCalls(calls), noSuchRoute];
}

/** Counts a call against the limit of its credential; for handlers behind `requireCaller`. */
export function limitCalls(limiter: BucketLimiter): RequestHandler {
  return async (_request, response, next) => {
    applyDecision(response, limiter, await limiter.take(callerOf(response).credentialId));
    next();
  };
}
