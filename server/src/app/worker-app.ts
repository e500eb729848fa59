import type { Engine } from '@svc-memory/core';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { answerErrors } from '../answers/errors.ts';
import { createMetrics, serveMetrics } from '../metrics/metrics.ts';
import { noSuchRoute, routeAt } from '../routing/fallbacks.ts';
import { createSystemRouter } from '../system/routes.ts';
import { createBaseApp } from './base-app.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './settings.ts';

export interface WorkerAppOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings?: Partial<ServerSettings>;
}

/** What a worker answers: `/health`, `/ready` and `/metrics`, for probes and for monitoring. */
export function createWorkerApp({ engine, logger, settings }: WorkerAppOptions): Express {
  const inForce = { ...DEFAULT_SERVER_SETTINGS, ...settings };
  const { version, metricsToken } = inForce;
  const metrics = createMetrics(engine, version);
  const app = createBaseApp(logger, metrics, inForce);
  routeAt(app, '/metrics', ['GET']).get(serveMetrics(metrics, metricsToken));
  app.use(createSystemRouter(engine, version, ''));
  app.use(noSuchRoute, answerErrors(logger));
  return app;
}
