import type { Access, Route } from '@svc-memory/core/contract';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { pathParameters } from '../routing/endpoints.ts';
import { responsesOf } from './responses.ts';

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .optional()
  .meta({
    description: 'Makes the call safe to repeat: the same key within 24 h gets the first answer.',
  });
const ifMatch = z
  .string()
  .regex(/^"?[1-9]\d{0,8}"?$/)
  .optional()
  .meta({
    description: 'Version the memory must still have, such as "3"; otherwise CONFLICT.',
  });
const sessionKey = z.string().optional().meta({ description: "The agent's session key." });
const tenantId = z.uuid().optional().meta({
  description: 'For a human signed in: the id of the agent. Required where they have several.',
});
const requestId = z
  .string()
  .regex(/^[\w.-]{1,128}$/)
  .optional()
  .meta({
    description: 'Id for this request; it comes back in X-Request-Id and stands in the log.',
  });

const BINARY = { type: 'string', format: 'binary' } as const;
const FILES: ZodOpenApiRequestBodyObject['content'] = {
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: { type: 'array', items: BINARY } }, required: ['file'] },
  },
  'application/octet-stream': { schema: BINARY },
};

/** What the API document describes: a route in one of its forms. */
export interface Described {
  readonly operationId: string;
  readonly path: string;
  readonly form: 'body' | 'query';
  readonly route: Route;
}

/** One operation of the API document, from its route in the contract. */
export function describeOperation({ operationId, path, form, route }: Described): ZodOpenApiOperationObject {
  const inPath = pathParameters(path);
  const fields = Object.entries(route.request.shape) as [string, z.ZodType][];
  const others = fields.filter(([name]) => !inPath.includes(name));
  // Of a DELETE the fields may be in a body as well, which HTTP gives no meaning.
  const isQuery = form === 'query' || route.method === 'DELETE';
  const hasBody = !isQuery && others.length > 0;
  const query = route.upload ? uploadOptions(route) : Object.fromEntries(isQuery ? others : []);
  return {
    operationId,
    summary: route.summary,
    description: `Access: ${route.access}.`,
    tags: [tagOf(path)],
    security: SECURITY[route.access],
    requestParams: {
      ...(inPath.length > 0
        ? { path: z.object(Object.fromEntries(fields.filter(([name]) => inPath.includes(name)))) }
        : {}),
      ...(Object.keys(query).length > 0 ? { query: z.object(query) } : {}),
      header: z.object(requestHeaders(route, form)),
    },
    ...(hasBody ? { requestBody: bodyOf(others, route) } : {}),
    responses: responsesOf(route, form === 'body'),
  };
}

function bodyOf(fields: readonly [string, z.ZodType][], { upload }: Route) {
  // Built from the shape: the contract's own schema has the path parameters too, and refinements forbid `omit`.
  const schema = z.strictObject(Object.fromEntries(fields));
  return {
    required: upload === true || !schema.safeParse({}).success,
    content: { 'application/json': { schema }, ...(upload ? FILES : {}) },
  };
}

/** The query parameters of a route that takes files as its body. */
function uploadOptions({ request }: Route): Record<string, z.ZodType> {
  const { format, dry_run, user_id } = request.shape as Record<string, z.ZodType>;
  const name = z.string().optional().meta({
    description: 'File name, where the body itself is the file, whatever its type.',
  });
  return { ...(format && { format }), ...(dry_run && { dry_run }), ...(user_id && { user_id }), name };
}

function requestHeaders(route: Route, form: 'body' | 'query'): Record<string, z.ZodType> {
  const isGet = route.method === 'GET' || (route.method === 'POST' && form === 'query');
  return {
    'X-Request-Id': requestId,
    ...(isGet || route.idempotent === false ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(route.conditional ? { 'If-Match': ifMatch } : {}),
    ...(route.access === 'session' ? { 'X-Session-Key': sessionKey } : {}),
    ...(SECURITY[route.access].some((scheme) => 'session' in scheme) ? { 'X-Svc-Tenant': tenantId } : {}),
  };
}

const SECURITY: Readonly<Record<Access, Record<string, string[]>[]>> = {
  public: [],
  read: [{ apiKey: [] }, { session: [] }],
  write: [{ apiKey: [] }, { session: [] }],
  agent: [{ apiKey: [] }],
  session: [{ apiKey: [], sessionKey: [] }],
  human: [{ session: [] }],
};

function tagOf(path: string): string {
  return path.split('/')[1] ?? 'service';
}
