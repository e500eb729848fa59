import type { RequestHandler } from 'express';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { checkHost } from '../access/host.ts';
import { logRequests } from '../logs/request-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { beginRequest } from '../request/begin.ts';
import type { ServerSettings } from './settings.ts';

/**
 * The Express app that every process of the service begins with: it logs and measures each request, sets the headers of every
 * answer, and refuses foreign host names.
 */
export function createBaseApp(logger: Logger, { observe }: Metrics, settings: ServerSettings): Express {
  const { host, publicUrl, trustedProxies } = settings;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies);
  app.use(beginRequest(), logRequests(logger), observe, securityHeaders(publicUrl));
  app.use(checkHost(host, publicUrl));
  return app;
}

/** Headers of every answer: nothing may be framed, run, sniffed, cached or told to other sites. */
function securityHeaders(publicUrl: string | undefined): RequestHandler[] {
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
