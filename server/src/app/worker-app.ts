import type { Engine } from '@svc-memory/core';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { checkHost } from '../access/host.ts';
import { answerErrors } from '../answers/errors.ts';
import { logRequests } from '../logs/request-log.ts';
import { createMetrics, serveMetrics } from '../metrics/metrics.ts';
import { beginRequest } from '../request/begin.ts';
import { noSuchRoute } from '../routing/fallbacks.ts';
import { createSystemRouter, publicGet } from '../system/routes.ts';
import { securityHeaders } from './security-headers.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './settings.ts';

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
  app.use(createSystemRouter(engine, version, ''));
  app.use(noSuchRoute, answerErrors(logger));
  return app;
}
