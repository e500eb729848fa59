import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import './facts.ts';

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
    response.locals.requestId = id;
    response.locals.signal = left.signal;
    response.setHeader('X-Request-Id', id);
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    next();
  };
}
