import { Router } from 'express';
import { routeAt } from '../routing/fallbacks.ts';
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
  routeAt(router, '/openapi.json', ['GET'], `${prefix}/openapi.json`).get(json);
  routeAt(router, '/docs', ['GET'], `${prefix}/docs`).get((request, response, next) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    return page(request, response, next);
  });
  routeAt(router, '/docs.css', ['GET'], `${prefix}/docs.css`).get(async (_request, response) => {
    const { PAGE_STYLE } = await import('./page.ts');
    response.type('css').send(PAGE_STYLE);
  });
  return router;
}
