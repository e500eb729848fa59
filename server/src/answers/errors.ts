import { SvcError } from '@svc-memory/core/contract';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';

/** The body of every refused call: `{ success: false, error: { code, message, details?, request_id } }`. */
export function errorBody(error: SvcError, requestId: string): object {
  const { code, message, details } = error;
  return {
    success: false,
    error: { code, message, ...(details === undefined ? {} : { details }), request_id: requestId },
  };
}

// What is unavailable is often back soon; a client that retries too early gets the same answer again.
const RETRY_AFTER_S = '1';

/** Turns what was thrown into an error body. An error that is no `SvcError` is logged, and answered as `INTERNAL`. */
export function answerErrors(logger: Logger): ErrorRequestHandler {
  // Express takes for an error handler only what has four parameters.
  return (thrown: unknown, _request, response, _next) => {
    const { requestId, route, signal } = response.locals;
    if (signal.aborted && thrown === signal.reason) return;
    const error = toSvcError(thrown);
    response.locals.errorCode = error.code;
    if (error.status >= 500) {
      logger.error({ request_id: requestId, route, err: error.cause ?? error }, 'a call failed');
    }
    // Whoever went away is told nothing, and whoever has a part of the answer must see that it broke off. Express's own handler
    // would do that as well, and write the error past the log.
    if (response.headersSent || signal.aborted) {
      response.destroy();
      return;
    }
    if (error.code === 'UNAVAILABLE' && !response.hasHeader('Retry-After')) {
      response.setHeader('Retry-After', RETRY_AFTER_S);
    }
    response.status(error.status).json(errorBody(error, requestId));
  };
}

function toSvcError(thrown: unknown): SvcError {
  if (thrown instanceof SvcError) return thrown;
  if (isMalformedPath(thrown)) {
    const message = 'the path is not valid percent-encoded UTF-8';
    return new SvcError('VALIDATION_ERROR', message, { details: [{ path: 'path', message }] });
  }
  return new SvcError(
    'INTERNAL',
    'Something went wrong on our side. Quote the request_id when you report it.',
    {
      cause: thrown,
    },
  );
}

// Express's router refuses such a path while it matches, before any handler of ours.
function isMalformedPath(thrown: unknown): boolean {
  return thrown instanceof URIError && 'status' in thrown && thrown.status === 400;
}
