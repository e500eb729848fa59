import { parseInput, type Route } from '@svc-memory/core/contract';
import type { RequestHandler } from 'express';
import { createQueryReader } from '../request/query.ts';
import { pathParameters, type RestEndpoint } from './endpoints.ts';

/**
 * Whether a GET does more than read: a boot makes a session key, a recall is counted and noted, an export stands in the audit log.
 */
export function hasEffects({ metering, streams }: Route): boolean {
  return metering !== 'free' || streams !== undefined;
}

/** Answers HEAD where a GET has effects: it checks the query and does nothing, since HEAD is safe (RFC 9110, section 9.2.1). */
export function answerHead({ path, route }: RestEndpoint): RequestHandler {
  const readQuery = createQueryReader(route, pathParameters(path));
  return (request, response) => {
    const { format } = parseInput(route.request, readQuery(request.originalUrl));
    response
      .status(200)
      .type(route.streams?.[String(format)] ?? 'json')
      .end();
  };
}
