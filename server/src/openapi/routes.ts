import { Router } from 'express';
import { publicGet } from '../system/routes.ts';
import type { ApiDocument } from './document.ts';
import { fixedAnswer } from './fixed-answer.ts';

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `openapi.json` and its readable page `docs`, open to everyone: they hold nothing of any tenant. */
export function createDocumentRouter(version: string, prefix: string): Router {
  const router = Router({ caseSensitive: true });
  const document = async (): Promise<ApiDocument> => {
    const { createApiDocument } = await import('./document.ts');
    return createApiDocument(version);
  };
  const json = fixedAnswer('json', async () => JSON.stringify(await document()));
  const page = fixedAnswer('html', async () => {
    const { renderDocsPage } = await import('./page.ts');
    return renderDocsPage(await document(), prefix);
  });
  publicGet(router, '/openapi.json', `${prefix}/openapi.json`, json);
  publicGet(router, '/docs', `${prefix}/docs`, (request, response, next) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    return page(request, response, next);
  });
  publicGet(router, '/docs.css', `${prefix}/docs.css`, async (_request, response) => {
    const { PAGE_STYLE } = await import('./page.ts');
    response.type('css').send(PAGE_STYLE);
  });
  return router;
}
