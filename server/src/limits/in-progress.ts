import { SvcError } from '@svc-memory/core/contract';
import type { RequestHandler } from 'express';
import { errorBody } from '../errors/answer.ts';

const REFUSAL = new SvcError('UNAVAILABLE', 'Too many calls are in progress here; try again shortly.');

/**
 * Refuses calls at once while so many are in progress, with `UNAVAILABLE`: those that wait for the database would else
 * pile up, and all of them come too late.
 *
 * @param most Calls in progress at most in this process.
 */
export function boundInProgress(most: number): RequestHandler {
  let inProgress = 0;
  return (_request, response, next) => {
    if (inProgress >= most) {
      // Not thrown: of thousands each would be a line in the log, which only adds to the load.
      const { requestId } = response.locals;
      response.locals.errorCode = REFUSAL.code;
      response.setHeader('Retry-After', '1').status(REFUSAL.status).json(errorBody(REFUSAL, requestId));
      return;
    }
    inProgress += 1;
    response.once('close', () => {
      inProgress -= 1;
    });
    next();
  };
}
