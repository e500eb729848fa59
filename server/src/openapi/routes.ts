import { Router } from 'express';
import { publicGet } from '../system/routes.ts';
import { createApiDocument } from './document.ts';
import { PAGE_STYLE, renderDocsPage } from './page.ts';

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `openapi.json` and its readable page `docs`, open to everyone: they hold nothing of any tenant. */
export function documentRoutes(version: string, prefix: string): Router {
  const router = Router({ caseSensitive: true });
  const document = createApiDocument(version);
  const page = renderDocsPage(document, prefix);
  publicGet(router, '/openapi.json', `${prefix}/openapi.json`, (_request, response) => {
    response.json(document);
  });
  publicGet(router, '/docs', `${prefix}/docs`, (_request, response) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
  });
  publicGet(router, '/docs.css', `${prefix}/docs.css`, (_request, response) => {
    response.type('css').send(PAGE_STYLE);
  });
  return router;
}
