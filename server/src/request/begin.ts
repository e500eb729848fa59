import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ErrorCode } from '@svc-memory/core/contract';
import type { RequestHandler } from 'express';
import type { Caller, Human } from '../access/credential.ts';

declare global {
  // What the middlewares of one request tell each other, the log and the metrics.
  namespace Express {
    interface Locals {
      requestId: string;
      /** Path of the matched route with `{parameters}` unfilled; undefined where no route matched. */
      route?: string;
      /** Who calls in which tenant; set on every route that needs a credential for one. */
      caller?: Caller;
      /** Which human calls, on routes that are about no tenant. */
      human?: Human;
      errorCode?: ErrorCode;
      /** Fires when the client goes away before its answer is complete. */
      signal: AbortSignal;
    }
  }
}

const SANE_ID = /^[\w.-]{1,128}$/;

/**
 * Opens a request: gives it an id (the client's `X-Request-Id` where sane), echoes the id, and notices when the client
 * leaves.
 */
export function beginRequest(): RequestHandler {
  return (request, response, next) => {
    const wanted = request.get('x-request-id');
    const id = wanted !== undefined && SANE_ID.test(wanted) ? wanted : randomUUID();
    const left = new AbortController();
    // A call that reads many spaces waits in each of them for the same signal; Node would warn of a leak.
    setMaxListeners(0, left.signal);
    response.locals.requestId = id;
    response.locals.signal = left.signal;
    response.setHeader('X-Request-Id', id);
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    next();
  };
}
