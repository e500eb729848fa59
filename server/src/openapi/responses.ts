import { ERROR_TABLE, type ErrorCode } from '@svc-memory/core/contract';
import { z } from 'zod';
import type { ZodOpenApiHeadersObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { pathParameters } from '../routing/endpoints.ts';
import { type Described, namesAgent, takesIdempotencyKey } from './described.ts';

const CODES = Object.keys(ERROR_TABLE) as ErrorCode[];
const ALWAYS: readonly ErrorCode[] = ['VALIDATION_ERROR', 'INTERNAL', 'UNAVAILABLE'];
const WITH_KEY: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'];
const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

const fieldIssue = z.object({ path: z.string(), message: z.string() });

/** The body of every refused call. */
export const errorSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(CODES),
    message: z.string(),
    details: z
      .union([z.array(fieldIssue), z.record(z.string(), z.unknown())])
      .optional()
      .meta({ description: 'For VALIDATION_ERROR the wrong fields, otherwise facts of the case.' }),
    request_id: z.string().meta({ description: 'Same as the X-Request-Id header; quote it in reports.' }),
  }),
});

const headers: ZodOpenApiHeadersObject = {
  'X-Request-Id': {
    schema: { type: 'string' },
    description: 'Id of this request, the sent one where it was usable.',
  },
};
const limitHeaders: ZodOpenApiHeadersObject = {
  ...headers,
  'RateLimit-Policy': {
    schema: { type: 'string' },
    description: 'Calls allowed per window, `"default";q=600;w=60`.',
  },
  RateLimit: {
    schema: { type: 'string' },
    description: 'Calls left and seconds until all are back, `"default";r=99;t=1`.',
  },
};
const wait: ZodOpenApiHeadersObject = {
  'Retry-After': { schema: { type: 'string' }, description: 'Seconds to wait.' },
};
const errorHeaders: Readonly<Record<number, ZodOpenApiHeadersObject>> = {
  429: { ...limitHeaders, ...wait },
  503: { ...headers, ...wait },
};

/** Every answer a route can give by status: its own with `success`, and the error body for each of its codes. */
export function responsesOf(described: Described): ZodOpenApiResponsesObject {
  const { route } = described;
  const streams = Object.values(route.streams ?? {}).map((type) => [type, { schema: TEXT }] as const);
  // What streams one form alone has no answer in JSON.
  const hasJson = streams.length === 0 || route.request.shape.format !== undefined;
  const content = {
    ...(hasJson ? { 'application/json': { schema: withSuccess(route.response) } } : {}),
    ...Object.fromEntries(streams),
  };
  const sent = route.access === 'public' ? headers : limitHeaders;
  const responses: ZodOpenApiResponsesObject = {};
  for (const status of successStatuses(route.response)) {
    responses[`${status}`] = { description: SUCCESS[status], headers: sent, content };
  }
  const codes = errorCodes(described);
  for (const status of new Set(codes.map((code) => ERROR_TABLE[code].status))) {
    const own = codes.filter((code) => ERROR_TABLE[code].status === status);
    responses[`${status}`] = {
      description: own.map((code) => `\`${code}\`: ${ERROR_TABLE[code].fix}`).join('\n\n'),
      headers: errorHeaders[status] ?? headers,
      content: { 'application/json': { schema: errorSchema } },
    };
  }
  return responses;
}

const TEXT = { type: 'string' } as const;

const SUCCESS = {
  200: 'Done.',
  201: 'Created.',
  202: 'Queued: it happens later, or waits for a decision.',
} as const;

/** 201 and 202 are possible where the answer, or an item of it, tells an outcome. */
function successStatuses(response: z.ZodType): (keyof typeof SUCCESS)[] {
  if (!(response instanceof z.ZodObject)) return [200];
  const { outcome, results } = response.shape;
  const item =
    results instanceof z.ZodArray && results.element instanceof z.ZodObject ? results.element.shape : {};
  return outcome || item.outcome ? [200, 201, 202] : [200];
}

function withSuccess(response: z.ZodType): z.ZodType {
  const success = z.literal(true);
  if (response instanceof z.ZodObject) return z.object({ success, ...response.shape });
  return z.intersection(z.object({ success }), response);
}

function errorCodes(described: Described): ErrorCode[] {
  const { route, form } = described;
  const isFound = pathParameters(route.path).length > 0 || namesAgent(described);
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    ...(route.access === 'public' ? [] : WITH_KEY),
    ...(form === 'body' ? WITH_BODY : []),
    ...(isFound ? (['NOT_FOUND'] as const) : []),
    ...(route.metering === 'limited' ? (['QUOTA_EXCEEDED'] as const) : []),
    ...(takesIdempotencyKey(described) ? (['CONFLICT'] as const) : []),
    ...(route.errors ?? []),
  ]);
  return CODES.filter((code) => codes.has(code));
}
