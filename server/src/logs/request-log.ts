import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Writes one line per request: route template, never the raw path, its query, headers or bodies. */
export function logRequests(logger: Logger): RequestHandler {
  // What a line holds is written below: looking through each for secrets would cost more than writing it.
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => {
      const { requestId, route, caller, human, errorCode } = response.locals;
      const complete = response.writableFinished;
      lines.info(
        {
          request_id: requestId,
          method: request.method,
          route: route ?? 'unmatched',
          // 499, as nginx has it: the client left before its answer was complete.
          status: complete ? response.statusCode : 499,
          ms: Math.round((performance.now() - start) * 10) / 10,
          ...(errorCode === undefined ? {} : { code: errorCode }),
          ...(caller === undefined ? {} : { tenant_id: caller.tenantId }),
          ...(caller?.kind === 'key' ? { key_id: caller.credentialId } : {}),
          ...(caller?.kind === 'human' ? { user_id: caller.credentialId } : {}),
          ...(human === undefined ? {} : { user_id: human.user.id }),
        },
        'request',
      );
    });
    next();
  };
}
