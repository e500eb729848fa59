import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type RequestHandler, type Response, Router } from 'express';
import sirv from 'sirv';
import { noteRoute } from '../routing/fallbacks.ts';
import type { DashboardAssets } from './assets.ts';

const YEAR_S = 31_536_000;

/**
 * The dashboard: its page at each of its paths, and the files it loads, compressed beforehand. A client that asks for
 * no HTML gets from the page's paths what it would get without a dashboard.
 */
export function createDashboardRouter({ folder, html, paths }: DashboardAssets): Router {
  const router = Router({ caseSensitive: true });
  for (const path of paths) {
    router.get(path, noteRoute(path), (request, response, next) => {
      response.vary('Accept');
      if (request.accepts(['json', 'html']) === 'html') sendPage(response, html);
      else next('router');
    });
  }
  router.use(serveFiles(folder));
  return router;
}

/**
 * Serves the files that are there now. One that is gone later, as after an upgrade under the running service, ends the answer: an
 * error of its stream that nobody hears would end the process.
 */
function serveFiles(folder: string): RequestHandler {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    extensions: [],
    setHeaders: (response, path) => {
      const named = path.startsWith('/assets/');
      response.setHeader('Cache-Control', named ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    },
  });
  return (request, response, next) => {
    const listen = (file: Readable) => file.once('error', () => response.destroy());
    response.once('pipe', listen);
    serve(request, response, () => {
      response.off('pipe', listen);
      next();
    });
  };
}

/** Paths below which a browser finds no page, only an API or files. */
const NO_PAGES = /^\/(?:api|auth|mcp|assets|metrics|health|ready|\.well-known)(?:\/|$)/i;

/**
 * Shows a browser the dashboard also at an address that is none of its own, with status 404: the dashboard says so itself and
 * leads on. Others get the error as JSON.
 */
export function showNotFound({ html }: DashboardAssets): RequestHandler {
  return (request, response, next) => {
    response.vary('Accept');
    const isPage = request.method === 'GET' && !NO_PAGES.test(request.path);
    if (isPage && request.accepts(['json', 'html']) === 'html') sendPage(response.status(404), html);
    else next();
  };
}

function sendPage(response: Response, html: string): void {
  const nonce = randomBytes(16).toString('base64');
  response
    .setHeader('Content-Security-Policy', pagePolicy(nonce))
    .setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    .type('html')
    .send(html.replaceAll('{{nonce}}', nonce));
}

/** Nothing from elsewhere, no script but our files, no style but our files and those the page's own code adds. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
