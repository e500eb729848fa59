import type { Access, Route } from '@svc-memory/core/contract';
import { z } from 'zod';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { parameterKinds } from '../request/query.ts';
import { pathParameters } from '../routing/endpoints.ts';
import { type Described, namesAgent, takesIdempotencyKey } from './described.ts';
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
  .regex(/^(?:"[1-9]\d{0,8}"|[1-9]\d{0,8})$/)
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

/** One operation of the API document, from its route in the contract. */
export function describeOperation(described: Described): ZodOpenApiOperationObject {
  const { operationId, path, form, route } = described;
  const inPath = pathParameters(path);
  const fields = Object.entries(route.request.shape) as [string, z.ZodType][];
  const others = fields.filter(([name]) => !inPath.includes(name));
  // Of a DELETE the fields may be in a body as well, which HTTP gives no meaning.
  const isQuery = form === 'query' || route.method === 'DELETE';
  const hasBody = !isQuery && others.length > 0;
  const inQuery = isQuery ? others : [];
  const kinds = isQuery ? parameterKinds(route, inPath) : undefined;
  const isJson = ([name]: [string, z.ZodType]) => kinds?.get(name) === 'object';
  const plain = inQuery.filter((field) => !isJson(field));
  const query = route.upload ? uploadOptions(route) : Object.fromEntries(plain);
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
      header: z.object(requestHeaders(described)),
    },
    parameters: inQuery.filter(isJson).map(jsonParameter),
    ...(hasBody ? { requestBody: bodyOf(others, route) } : {}),
    responses: responsesOf(described),
  };
}

/**
 * An object in a query is one parameter that holds JSON, and not a parameter for each of its fields, which is OpenAPI's default.
 */
function jsonParameter([name, schema]: [string, z.ZodType]): oas31.ParameterObject {
  const required = !schema.safeParse(undefined).success;
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return {
    in: 'query',
    name,
    required,
    content: { 'application/json': { schema: written as oas31.SchemaObject } },
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

function requestHeaders(described: Described): Record<string, z.ZodType> {
  const { route } = described;
  return {
    'X-Request-Id': requestId,
    ...(takesIdempotencyKey(described) ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(route.conditional ? { 'If-Match': ifMatch } : {}),
    ...(route.access === 'session' ? { 'X-Session-Key': sessionKey } : {}),
    ...(namesAgent(described) ? { 'X-Svc-Tenant': tenantId } : {}),
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
