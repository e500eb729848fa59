import type { Engine } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import { Router } from 'express';
import { routeAt } from '../routing/fallbacks.ts';

/** `/health` (is the process up) and `/ready` (does its database answer), below `prefix`. */
export function createSystemRouter(engine: Engine, version: string, prefix: string): Router {
  const router = Router({ caseSensitive: true });
  routeAt(router, '/health', ['GET'], `${prefix}/health`).get((_request, response) => {
    response.json({
      success: true,
      status: 'ok',
      timestamp: new Date().toISOString(),
      version,
      database: engine.database.kind,
    });
  });
  routeAt(router, '/ready', ['GET'], `${prefix}/ready`).get(async (_request, response) => {
    await engine.database.ping().catch((cause: unknown) => {
      throw new SvcError('UNAVAILABLE', 'The database does not answer.', { cause });
    });
    response.json({ success: true, status: 'ready', timestamp: new Date().toISOString() });
  });
  return router;
}
