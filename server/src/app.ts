import type { Engine } from '@svc-memory/core';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { checkHost } from './access/host.ts';
import { createAccounts } from './accounts/index.ts';
import type { LocalSignIn } from './accounts/local-owner.ts';
import type { Mailer } from './accounts/mail.ts';
import type { DashboardAssets } from './dashboard/assets.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { answerErrors } from './errors/answer.ts';
import { createEventStream, type EventStream } from './events/stream.ts';
import { type BucketLimiter, type BucketOptions, createMemoryLimiter } from './limits/bucket.ts';
import { boundInProgress } from './limits/in-progress.ts';
import { logRequests } from './logs/request-log.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { createMetrics } from './metrics/metrics.ts';
import { serveMetrics } from './metrics/route.ts';
import { documentRoutes } from './openapi/routes.ts';
import { beginRequest } from './request/begin.ts';
import { createApi, noSuchOperation } from './routing/api.ts';
import { noSuchRoute, noteRoute } from './routing/fallbacks.ts';
import { securityHeaders } from './security-headers.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './settings.ts';
import { publicGet, systemRoutes } from './system/routes.ts';

/** What an app is made of. */
export interface AppOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings?: Partial<ServerSettings>;
  /** Milliseconds since some fixed moment, for the rate limits. Default: the system's clock. */
  readonly now?: () => number;
  /** Address the service answers at, where `publicUrl` is not set: for links in mails and for wallets. */
  readonly serviceUrl?: () => string;
  /** Sends or shows mail; without one addresses are not confirmed and passwords not reset. */
  readonly mailer?: Mailer;
  /** The one-time link of an embedded service's owner. */
  readonly localSignIn?: LocalSignIn;
  /** The page for humans; without it `/` answers JSON to everyone. */
  readonly dashboard?: DashboardAssets;
  /** Live streams, to be closed before the socket is. Default: streams of the app's own. */
  readonly eventStream?: EventStream;
  /** The operator's pages, which let only the operator through; default: none. */
  readonly operatorPages?: { readonly path: string; readonly handler: RequestHandler };
  /** Makes a rate limit of that name; shared by all processes where given. Default: in this process's memory. */
  readonly createLimiter?: (name: string, options: BucketOptions) => BucketLimiter;
}

const API = '/api/v1';

/** The REST service as an Express app; it opens no socket and owns none of what it is given. */
export function createApp(options: AppOptions): Express {
  const { engine, logger, settings, now } = options;
  const inForce = { ...DEFAULT_SERVER_SETTINGS, ...settings };
  const { version } = inForce;
  const metrics = createMetrics(engine, version);
  const { createLimiter = (_name, limits) => createMemoryLimiter(limits) } = options;
  const limiter = (name: string, perMinute: number, burst?: number) =>
    createLimiter(name, { perMinute, ...(burst === undefined ? {} : { burst }), ...(now ? { now } : {}) });
  const calls = limiter('calls', inForce.rateLimitPerMinute);
  const { signInsPerMinute: attempts } = inForce;
  const accounts = createAccounts({
    engine,
    logger,
    settings: inForce,
    serviceUrl: () => inForce.publicUrl ?? options.serviceUrl?.() ?? 'http://localhost',
    mailer: options.mailer,
    localSignIn: options.localSignIn,
    limiters: {
      calls,
      failedSignIns: limiter(
        'failed-sign-ins',
        inForce.failedSignInsPerMinute,
        inForce.failedSignInsPerMinute,
      ),
      byAddress: limiter('sign-ins-by-address', 3 * attempts, 3 * attempts),
      byAccount: limiter('sign-ins-by-account', attempts, attempts),
      byInbox: limiter('mails-by-inbox', attempts / 100, 5),
    },
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', inForce.trustedProxies);

  app.use(beginRequest(), logRequests(logger), metrics.observe, securityHeaders(inForce.publicUrl));
  app.use(checkHost(inForce.host, inForce.publicUrl));

  const { credentials } = accounts;
  const bodyLimit = inForce.bodyLimitBytes;
  const bound = boundInProgress(inForce.callsInProgress);
  const eventStream = options.eventStream ?? createEventStream({ engine, logger });
  // First what is called most: each router before it costs a call.
  app.use(API, createApi({ engine, bodyLimit, calls, credentials, eventStream, bound }));
  if (options.dashboard) app.use(dashboardRoutes(options.dashboard));
  publicGet(app, '/', '/', (_request, response) => {
    response.json({
      success: true,
      name: 'Agent Memory Service',
      version,
      docs: `${API}/docs`,
      openapi: `${API}/openapi.json`,
    });
  });
  publicGet(app, '/metrics', '/metrics', serveMetrics(metrics, inForce.metricsToken));
  const { operatorPages } = options;
  if (operatorPages) app.use(operatorPages.path, noteRoute(operatorPages.path), operatorPages.handler);
  app.use(systemRoutes(engine, version, ''));
  app.use(API, systemRoutes(engine, version, API), documentRoutes(version, API));
  app.use(bound, accounts.routes(API), mcpRoutes({ engine, version, bodyLimit, calls, credentials }));
  app.use(API, ...noSuchOperation({ calls, credentials }));
  app.use(noSuchRoute, answerErrors(logger));
  return app;
}
