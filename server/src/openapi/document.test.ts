import SwaggerParser from '@apidevtools/swagger-parser';
import { type Route, routes, systemRoutes } from '@svc-memory/core/contract';
import { describe, expect, it } from 'vitest';
import { createApiDocument } from './document.ts';
import { renderDocsPage } from './page.ts';

const document = createApiDocument('1.2.3');
const parsed = () => SwaggerParser.validate(structuredClone(document) as never);
const operation = (method: 'get' | 'post' | 'patch' | 'delete', path: string) => {
  const found = document.paths?.[path]?.[method];
  if (!found) throw new Error(`no ${method} ${path}`);
  return found;
};
const names = (method: 'get' | 'post' | 'patch' | 'delete', path: string, place: string) =>
  (operation(method, path).parameters ?? []).flatMap((entry) =>
    'name' in entry && entry.in === place ? [entry.name] : [],
  );

describe('the API document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await parsed()).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  });

  it('has every route of the contract, and its GET form', () => {
    for (const route of Object.values<Route>({ ...routes, ...systemRoutes })) {
      expect(document.paths?.[route.path]).toHaveProperty(route.method.toLowerCase());
      if (route.alsoGet) expect(document.paths?.[route.alsoGet]).toHaveProperty('get');
    }
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths ?? {}).flatMap((item) =>
      [item.get, item.post, item.patch, item.delete].flatMap((entry) => entry?.operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes the headers a call may carry', () => {
    expect(names('post', '/memories', 'header')).toContain('Idempotency-Key');
    expect(names('post', '/memories/recall', 'header')).not.toContain('Idempotency-Key');
    expect(names('patch', '/memories/{id}', 'header')).toContain('If-Match');
    expect(names('delete', '/memories/{id}', 'header')).toContain('If-Match');
    expect(names('patch', '/wip/{id}', 'header')).not.toContain('If-Match');
    expect(names('patch', '/memories/{id}', 'path')).toEqual(['id']);
  });

  it('gives GET forms the fields of the body as query parameters', () => {
    expect(new Set(names('get', '/memories/search', 'query'))).toEqual(
      new Set(Object.keys(routes.recall.request.shape)),
    );
  });

  it('writes an object in a query as JSON, as the service reads it', () => {
    for (const path of ['/memories/search', '/memories/query']) {
      const metadata = operation('get', path).parameters?.find(
        (entry) => 'name' in entry && entry.name === 'metadata',
      );
      expect(metadata).toMatchObject({ content: { 'application/json': { schema: { type: 'object' } } } });
      expect(metadata).not.toHaveProperty('schema');
    }
  });

  it('asks a human to name the agent only where the call is about one', () => {
    expect(names('get', '/status', 'header')).toContain('X-Svc-Tenant');
    expect(names('get', '/connections', 'header')).toContain('X-Svc-Tenant');
    for (const path of ['/agents', '/auth/sessions', '/backups']) {
      expect(names('get', path, 'header')).not.toContain('X-Svc-Tenant');
    }
  });

  it('has CONFLICT wherever an Idempotency-Key is read', () => {
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      for (const method of ['post', 'patch', 'delete'] as const) {
        if (!item[method] || !names(method, path, 'header').includes('Idempotency-Key')) continue;
        expect(Object.keys(item[method].responses ?? {}), path).toContain('409');
      }
    }
  });

  it.each([
    ['/events/stream', 'text/event-stream'],
    ['/backups/{name}', 'application/zip'],
  ])('%s answers %s alone', (path, type) => {
    const answer = operation('get', path).responses?.['200'];
    expect(Object.keys((answer as { content: object }).content)).toEqual([type]);
  });

  it('says 201 and 202 where something can be created or queued', () => {
    expect(Object.keys(operation('post', '/memories').responses ?? {})).toEqual(
      expect.arrayContaining(['200', '201', '202']),
    );
    expect(Object.keys(operation('get', '/status').responses ?? {})).not.toContain('201');
  });

  it('asks for no credential on public routes, and for a key or a session as their access says', () => {
    expect(operation('get', '/health').security).toEqual([]);
    expect(operation('get', '/status').security).toEqual([{ apiKey: [] }, { session: [] }]);
    expect(operation('post', '/distress').security).toEqual([{ apiKey: [] }]);
    expect(operation('post', '/visibility').security).toEqual([{ apiKey: [], sessionKey: [] }]);
    expect(operation('get', '/api-keys').security).toEqual([{ session: [] }]);
    expect(operation('post', '/auth/signup').security).toEqual([]);
  });
});

describe('the readable page', () => {
  const page = renderDocsPage(document, '/api/v1');

  it('shows every operation and needs no script, inline style or foreign address', () => {
    for (const path of Object.keys(document.paths ?? {})) expect(page).toContain(path);
    expect(page).not.toMatch(/<script|style=|https?:\/\//);
  });

  it('shows text of the document as text', () => {
    const hostile = structuredClone(document);
    hostile.info.title = '<img src=x onerror=alert(1)>';
    expect(renderDocsPage(hostile, '/api/v1')).not.toContain('<img');
  });
});
