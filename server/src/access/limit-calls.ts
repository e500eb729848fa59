import type { RequestHandler } from 'express';
import { applyDecision, type BucketLimiter } from '../limits/bucket.ts';
import { callerOf, humanOf } from './credential.ts';

/** Counts a call against the limit of its credential; for handlers behind `requireCaller`. */
export function limitCalls(limiter: BucketLimiter): RequestHandler {
  return async (_request, response, next) => {
    applyDecision(response, limiter, await limiter.take(callerOf(response).credentialId));
    next();
  };
}

/** Counts a call against the limit of its human; for handlers behind `requireHumanSession`. */
export function limitHuman(limiter: BucketLimiter): RequestHandler {
  return async (_request, response, next) => {
    applyDecision(response, limiter, await limiter.take(humanOf(response).user.id));
    next();
  };
}
