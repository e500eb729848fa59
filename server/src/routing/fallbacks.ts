import { NO_SUCH_PATH, type Route, SvcError } from '@svc-memory/core/contract';
import type { IRoute, RequestHandler, Router } from 'express';

/** Notes the template of the matched route for log and metrics, which never see raw paths. */
export function noteRoute(template: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = template;
    next();
  };
}

/** Answers OPTIONS with the methods of a path; no credential is needed for what the API document says anyway. */
export function answerOptions(methods: readonly Route['method'][]): RequestHandler {
  const allow = allowHeader(methods);
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') next();
    else response.setHeader('Allow', allow).status(204).end();
  };
}

/** Refuses every method a path does not have. */
export function allowOnly(methods: readonly Route['method'][]): RequestHandler {
  const allow = allowHeader(methods);
  const allowed = new Set(allow.split(', '));
  return (request, response, next) => {
    if (allowed.has(request.method)) {
      next();
      return;
    }
    response.setHeader('Allow', allow);
    throw new SvcError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`);
  };
}

/**
 * Registers a path that has these methods and no others.
 *
 * @param template What log and metrics call it, where that is not the path within the router.
 */
export function routeAt(
  router: Router,
  path: string,
  methods: readonly Route['method'][],
  template: string = path,
): IRoute {
  return router.route(path).all(noteRoute(template), answerOptions(methods), allowOnly(methods));
}

/** The last handler of every router: answers 404. */
export const noSuchRoute: RequestHandler = () => {
  throw new SvcError('NOT_FOUND', `${NO_SUCH_PATH} GET /api/v1/openapi.json lists all.`);
};

function allowHeader(methods: readonly Route['method'][]): string {
  const all: string[] = methods.includes('GET') ? [...methods, 'HEAD'] : [...methods];
  return [...all, 'OPTIONS'].join(', ');
}
