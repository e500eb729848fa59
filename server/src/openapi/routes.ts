import { Router } from 'express';
import { publicGet } from '../system/routes.ts';
import type { ApiDocument } from './document.ts';

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `openapi.json` and its readable page `docs`, open to everyone: they hold nothing of any tenant. */
export function createDocumentRouter(version: string, prefix: string): Router {
  const router = Router({ caseSensitive: true });
  // Made when somebody asks: it is large, and most services are never asked.
  let made: Promise<ApiDocument> | undefined;
  const document = () => {
    made ??= import('./document.ts').then(({ createApiDocument }) => createApiDocument(version));
    return made;
  };
  publicGet(router, '/openapi.json', `${prefix}/openapi.json`, async (_request, response) => {
    response.json(await document());
  });
  publicGet(router, '/docs', `${prefix}/docs`, async (_request, response) => {
    const { renderDocsPage } = await import('./page.ts');
    const page = renderDocsPage(await document(), prefix);
    response.setHeader('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
  });
  publicGet(router, '/docs.css', `${prefix}/docs.css`, async (_request, response) => {
    const { PAGE_STYLE } = await import('./page.ts');
    response.type('css').send(PAGE_STYLE);
  });
  return router;
}
