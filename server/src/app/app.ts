import type { RequestListener } from 'node:http';
import type { Engine } from '@svc-memory/core';
import { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { createAccountApi } from '../accounts/index.ts';
import type { LocalSignIn } from '../accounts/local-owner.ts';
import type { Mailer } from '../accounts/mail.ts';
import { compressAnswers } from '../answers/compress.ts';
import { answerErrors } from '../answers/errors.ts';
import { createAuthorizationRouter } from '../authorization/index.ts';
import type { OwnerBackups } from '../backups/owner-backups.ts';
import { createBackupRouter } from '../backups/routes.ts';
import type { DashboardAssets } from '../dashboard/assets.ts';
import { createDashboardRouter, showNotFound } from '../dashboard/routes.ts';
import { EventStream } from '../events/stream.ts';
import { isUpload } from '../limits/body-timeout.ts';
import { type BucketLimiter, type BucketOptions, createMemoryLimiter } from '../limits/bucket.ts';
import { concurrencyLimit } from '../limits/concurrency-limit.ts';
import { pathOf } from '../limits/request-path.ts';
import { createMcpRouter } from '../mcp/routes.ts';
import { createMetrics, serveMetrics } from '../metrics/metrics.ts';
import { createDocumentRouter } from '../openapi/routes.ts';
import { createApi, noSuchOperation } from '../routing/api.ts';
import { noSuchRoute, noteRoute, routeAt } from '../routing/fallbacks.ts';
import { createSystemRouter } from '../system/routes.ts';
import { createBaseApp } from './base-app.ts';
import { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './settings.ts';

/** What `createApp` takes. */
export interface AppOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings?: Partial<ServerSettings>;
  /** Milliseconds since some fixed moment, for the rate limits. Default: a clock that is never set back. */
  readonly now?: () => number;
  /** Address the service answers at, where `publicUrl` is not set: for links in mails and for wallets. */
  readonly serviceUrl?: () => string;
  /** Sends or shows mail; without one addresses are not confirmed and passwords not reset. */
  readonly mailer?: Mailer | undefined;
  /** The one-time link of an embedded service's owner. */
  readonly localSignIn?: LocalSignIn | undefined;
  /** The page for humans; without it `/` answers JSON to everyone. */
  readonly dashboard?: DashboardAssets | undefined;
  /** The backups of an embedded database in a folder. */
  readonly backups?: OwnerBackups | undefined;
  /** Aborted before the socket is closed: answers that would never end, such as live streams, end then. */
  readonly stopping?: AbortSignal;
  /**
   * Live streams. Default: streams of the app's own.
   *
   * @internal
   */
  readonly eventStream?: EventStream;
  /**
   * The operator's pages, which let only the operator through; default: none.
   *
   * @internal
   */
  readonly operatorPages?: { readonly path: string; readonly handler: RequestHandler } | undefined;
  /**
   * Makes a rate limit of that name; shared by all processes where given. Default: in this process's memory.
   *
   * @internal
   */
  readonly createLimiter?: ((name: string, options: BucketOptions) => BucketLimiter) | undefined;
}

const API = '/api/v1';
/** An agent cannot work before its boot, so boots are urgent. */
const BOOT = '/api/v1/memories/boot';

/**
 * The REST service as a listener for `node:http`: an Express app. It opens no socket, and closes nothing that it is given. The
 * middleware stands in the order in which a request passes it.
 */
export function createApp(options: AppOptions): RequestListener {
  const { engine, logger, settings, stopping } = options;
  const inForce = { ...DEFAULT_SERVER_SETTINGS, ...settings };
  const { version } = inForce;
  const metrics = createMetrics(engine, version);
  const limiters = createLimiters(options, inForce);
  const { calls } = limiters;
  const eventStream = options.eventStream ?? new EventStream({ engine, logger });
  stopping?.addEventListener('abort', () => eventStream.close());
  const accounts = createAccountApi({
    engine,
    logger,
    settings: inForce,
    serviceUrl: () => inForce.publicUrl ?? options.serviceUrl?.() ?? 'http://localhost',
    mailer: options.mailer,
    localSignIn: options.localSignIn,
    sessionsEnded: (userId) => eventStream.recheck(userId),
    limiters,
  });

  const app = createBaseApp(logger, metrics, inForce);
  const { credentials } = accounts;
  const bodyLimit = inForce.bodyLimitBytes;
  const admit = concurrencyLimit({
    maxCalls: inForce.callsInProgress,
    queued: () => engine.database.queued(),
    isUrgent: ({ originalUrl }) => pathOf(originalUrl) === BOOT,
    isUpload: ({ method, originalUrl: url }) => isUpload({ method, url }),
  });
  app.use(API, compressAnswers);
  // The API comes first, because each router before it would cost every call time.
  app.use(API, createApi({ engine, bodyLimit, calls, credentials, eventStream, admit }));
  if (options.dashboard) app.use(createDashboardRouter(options.dashboard));
  routeAt(app, '/', ['GET']).get(showService(version));
  routeAt(app, '/metrics', ['GET']).get(serveMetrics(metrics, inForce.metricsToken));
  const { operatorPages } = options;
  if (operatorPages) app.use(operatorPages.path, noteRoute(operatorPages.path), operatorPages.handler);
  app.use(createSystemRouter(engine, version, ''));
  app.use(API, createSystemRouter(engine, version, API), createDocumentRouter(version, API));
  const oauth = createAuthorizationRouter({
    engine,
    publicUrl: inForce.publicUrl,
    registrations: limiters.byAddress,
    failures: limiters.failedSignIns,
  });
  app.use(
    admit,
    accounts.routes(API),
    Router().use(API, createBackupRouter({ backups: options.backups, credentials, calls, bodyLimit }, API)),
    oauth,
    createMcpRouter({ engine, version, bodyLimit, calls, credentials, stopping }),
  );
  app.use(API, ...noSuchOperation({ calls, credentials }));
  if (options.dashboard) app.use(showNotFound(options.dashboard));
  app.use(noSuchRoute, answerErrors(logger));
  return app;
}

function createLimiters({ createLimiter, now }: AppOptions, settings: ServerSettings) {
  const create = createLimiter ?? ((_name: string, limits: BucketOptions) => createMemoryLimiter(limits));
  const limiter = (name: string, perMinute: number, burst?: number) =>
    create(name, { perMinute, burst, now });
  const { rateLimitPerMinute, failedSignInsPerMinute: failures, signInsPerMinute: attempts } = settings;
  return {
    calls: limiter('calls', rateLimitPerMinute),
    failedSignIns: limiter('failed-sign-ins', failures, failures),
    byAddress: limiter('sign-ins-by-address', 3 * attempts, 3 * attempts),
    byAccount: limiter('sign-ins-by-account', attempts, attempts),
    byInbox: limiter('mails-by-inbox', attempts / 100, 5),
  };
}

/** What `/` answers to clients that ask for no HTML. */
function showService(version: string): RequestHandler {
  return (_request, response) => {
    response.json({
      success: true,
      name: 'Agent Memory Service',
      version,
      docs: `${API}/docs`,
      openapi: `${API}/openapi.json`,
    });
  };
}
