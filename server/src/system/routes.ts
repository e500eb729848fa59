import type { Engine } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import { type RequestHandler, Router } from 'express';
import { allowOnly, answerOptions, noteRoute } from '../routing/fallbacks.ts';

/** Registers a path that answers GET without a credential. */
export function publicGet(router: Router, path: string, template: string, handler: RequestHandler): void {
  router
    .route(path)
    .all(noteRoute(template), answerOptions(['GET']), allowOnly(['GET']))
    .get(handler);
}

/** `/health` (is the process up) and `/ready` (does its database answer), below `prefix`. */
export function createSystemRouter(engine: Engine, version: string, prefix: string): Router {
  const router = Router({ caseSensitive: true });
  publicGet(router, '/health', `${prefix}/health`, (_request, response) => {
    response.json({
      success: true,
      status: 'ok',
      timestamp: new Date().toISOString(),
      version,
      database: engine.database.kind,
    });
  });
  publicGet(router, '/ready', `${prefix}/ready`, async (_request, response) => {
    await engine.database.ping().catch((cause: unknown) => {
      throw new SvcError('UNAVAILABLE', 'The database does not answer.', { cause });
    });
    response.json({ success: true, status: 'ready', timestamp: new Date().toISOString() });
  });
  return router;
}
