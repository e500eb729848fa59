import type { Engine } from '@svc-memory/core';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { checkHost } from './access/host.ts';
import { answerErrors } from './errors/answer.ts';
import { logRequests } from './logs/request-log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { serveMetrics } from './metrics/route.ts';
import { beginRequest } from './request/begin.ts';
import { noSuchRoute } from './routing/fallbacks.ts';
import { securityHeaders } from './security-headers.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './settings.ts';
import { publicGet, systemRoutes } from './system/routes.ts';

/** What the app of a worker is made of. */
export interface WorkerAppOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings?: Partial<ServerSettings>;
}

/** What a worker answers: `/health`, `/ready` and `/metrics`, for probes and for monitoring. */
export function createWorkerApp({ engine, logger, settings }: WorkerAppOptions): Express {
  const { version, host, publicUrl, metricsToken } = { ...DEFAULT_SERVER_SETTINGS, ...settings };
  const metrics = createMetrics(engine, version);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(beginRequest(), logRequests(logger), metrics.observe, securityHeaders(publicUrl));
  app.use(checkHost(host, publicUrl));
  publicGet(app, '/metrics', '/metrics', serveMetrics(metrics, metricsToken));
  app.use(systemRoutes(engine, version, ''));
  app.use(noSuchRoute, answerErrors(logger));
  return app;
}
