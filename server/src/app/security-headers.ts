import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Headers of every answer: nothing may be framed, run, sniffed, cached or told to other sites. */
export function securityHeaders(publicUrl: string | undefined): RequestHandler[] {
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
