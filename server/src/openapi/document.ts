import { accountRoutes, backupRoutes, type Route, routes, systemRoutes } from '@svc-memory/core/contract';
import { createDocument, type oas31, type ZodOpenApiPathsObject } from 'zod-openapi';
import { streamRoute } from '../events/route.ts';
import { endpointsByPath } from '../routing/endpoints.ts';
import type { Described } from './described.ts';
import { describeOperation } from './operation.ts';
import { errorSchema } from './responses.ts';

/** An OpenAPI 3.1 document. */
export type ApiDocument = oas31.OpenAPIObject;

const DESCRIPTION = `Identity and memory for AI agents that survive context compaction.

Bodies are JSON objects in UTF-8 of at most 1 MiB, optionally compressed (gzip, deflate, br); unknown fields are refused;
of a repeated field the last value counts. GET forms take the same fields as query parameters, lists comma-separated,
repeated, or as JSON where an entry holds a comma. Every answer carries \`success\` and an \`X-Request-Id\` header. Times are ISO 8601 in UTC.`;

/** Describes the whole REST API, generated from core's contract. */
export function createApiDocument(version: string): ApiDocument {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Agent Memory Service',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    paths: describePaths(),
    components: {
      schemas: { Memory: routes.get.response.shape.memory, Error: errorSchema },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `svc_…`.' },
        sessionKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Session-Key',
          description: 'The session key, `svs_…`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc.session_token',
          description:
            'The session of a human signed in (`__Secure-` before the name over https). `X-Svc-Tenant` names the agent, and is required where the human has several. Changing calls must come from the service’s own origin.',
        },
      },
    },
  });
}

function describePaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const add = (method: Route['method'], described: Described) => {
    paths[described.path] = {
      ...paths[described.path],
      [method.toLowerCase()]: describeOperation(described),
    };
  };
  for (const [path, endpoints] of endpointsByPath()) {
    for (const { name, method, form, route } of endpoints) {
      const isGetForm = path === route.alsoGet && method === 'GET';
      add(method, { operationId: isGetForm ? `${name}ByGet` : name, path, form, route, ofAgent: true });
    }
  }
  const stream = {
    operationId: 'eventStream',
    path: streamRoute.path,
    form: 'query',
    ofAgent: true,
  } as const;
  add('GET', { ...stream, route: streamRoute });
  for (const [name, route] of Object.entries<Route>({ ...systemRoutes, ...accountRoutes, ...backupRoutes })) {
    const form = route.method === 'GET' ? 'query' : 'body';
    add(route.method, { operationId: name, path: route.path, form, route, ofAgent: false });
  }
  return paths;
}
