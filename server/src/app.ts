import type { Engine } from '@svc-memory/core';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { checkHost } from './access/host.ts';
import { createAccounts } from './accounts/index.ts';
import type { LocalSignIn } from './accounts/local-owner.ts';
import type { Mailer } from './accounts/mail.ts';
import { answerErrors } from './errors/answer.ts';
import { createMemoryLimiter } from './limits/bucket.ts';
import { logRequests } from './logs/request-log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { serveMetrics } from './metrics/route.ts';
import { documentRoutes } from './openapi/routes.ts';
import { beginRequest } from './request/begin.ts';
import { createApi } from './routing/api.ts';
import { noSuchRoute } from './routing/fallbacks.ts';
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
}

const API = '/api/v1';

/** The REST service as an Express app; it opens no socket and owns none of what it is given. */
export function createApp(options: AppOptions): Express {
  const { engine, logger, settings, now } = options;
  const inForce = { ...DEFAULT_SERVER_SETTINGS, ...settings };
  const { version } = inForce;
  const metrics = createMetrics(engine, version);
  const limiter = (perMinute: number, burst?: number) =>
    createMemoryLimiter({ perMinute, ...(burst === undefined ? {} : { burst }), ...(now ? { now } : {}) });
  const calls = limiter(inForce.rateLimitPerMinute);
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
      failedSignIns: limiter(inForce.failedSignInsPerMinute, inForce.failedSignInsPerMinute),
      byAddress: limiter(3 * attempts, 3 * attempts),
      byAccount: limiter(attempts, attempts),
      byInbox: limiter(attempts / 100, 5),
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
  app.use(systemRoutes(engine, version, ''));
  app.use(API, systemRoutes(engine, version, API), documentRoutes(version, API));
  app.use(accounts.routes(API));
  app.use(
    API,
    createApi({
      engine,
      bodyLimit: inForce.bodyLimitBytes,
      calls,
      credentials: accounts.credentials,
    }),
  );
  app.use(noSuchRoute, answerErrors(logger));
  return app;
}

/** Headers of every answer: nothing may be framed, run, sniffed, cached or told to other sites. */
function securityHeaders(publicUrl: string | undefined): express.RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      xFrameOptions: { action: 'deny' },
      strictTransportSecurity: publicUrl?.startsWith('https:') === true,
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    },
  ];
}
