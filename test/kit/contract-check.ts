import { type Route, routes, systemRoutes } from '@svc-memory/core/contract';
import { expect } from 'vitest';
import { createApiDocument } from '../../server/src/openapi/document.ts';

/** Every error code with its status. Written out: the tests' own copy of the contract. */
export const STATUS_OF = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  RATE_LIMITED: 429,
  GUARDIAN_PROTECTED: 403,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;
export type Code = keyof typeof STATUS_OF;

/** ISO 8601, UTC, with milliseconds: the only form a time in an answer may have. */
export const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The body of every refused call. */
export interface Refusal {
  readonly success: false;
  readonly error: {
    readonly code: Code;
    readonly message: string;
    readonly request_id: string;
    readonly details?: unknown;
  };
}

interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly body: unknown;
}

/**
 * Checks what must hold of every answer: a success has `success: true` and exactly the fields of its route's schema
 * with times in one form; anything else has the contract's error body and gives nothing of the inside away. The API document
 * names the status.
 */
export function checkAnswer({ method, path, status, requestId, body }: Answered): void {
  const context = `${method} ${path} answered ${status} ${JSON.stringify(body)?.slice(0, 600)}`;
  expect(statusesOf(method, path) ?? [`${status}`], `in the API document: ${context}`).toContain(`${status}`);
  if (status >= 400) {
    checkRefusal(status, requestId, body, context);
    return;
  }
  expect([200, 201, 202], context).toContain(status);
  expect(body, context).toMatchObject({ success: true });
  const { success: _, ...answer } = body as Record<string, unknown>;
  const route = routeOf(method, path.split('?')[0] ?? '');
  if (route) {
    const parsed = route.response.safeParse(answer);
    expect(parsed.error?.issues ?? [], context).toEqual([]);
    // A schema drops what it does not know: fields that come back missing are fields the contract does not name.
    expect(answer, context).toEqual(parsed.data);
  }
  checkTimes(answer, context);
}

function checkRefusal(status: number, requestId: string | null, body: unknown, context: string): void {
  expect(body, context).toMatchObject({ success: false, error: { code: expect.any(String) } });
  const { error, ...others } = body as Refusal;
  expect(others, context).toEqual({ success: false });
  expect(STATUS_OF[error.code], context).toBe(status);
  expect(error.message.trim(), context).not.toBe('');
  expect(error.request_id, context).toBe(requestId);
  const known = ['code', 'message', 'request_id', 'details'];
  expect(
    Object.keys(error).filter((name) => !known.includes(name)),
    context,
  ).toEqual([]);
  expect(error.message, context).not.toMatch(
    /\n\s+at |\bselect\b.*\bfrom\b|insert into|node_modules|\.ts:\d/i,
  );
  if (error.code === 'VALIDATION_ERROR') {
    expect(error.details, context).toEqual(expect.any(Array));
    for (const detail of error.details as unknown[]) {
      expect(detail, context).toEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) });
    }
  }
}

function checkTimes(value: unknown, context: string, name = ''): void {
  if (Array.isArray(value)) for (const item of value) checkTimes(item, context, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) checkTimes(item, context, key);
  } else if (typeof value === 'string' && /_at$|_until$|^at$|^timestamp$/.test(name)) {
    expect(value, `${name} in ${context}`).toMatch(INSTANT);
  }
}

/** The statuses that the API document names for a call; undefined where it has no such call. */
function statusesOf(method: string, path: string): string[] | undefined {
  documented ??= createApiDocument('0.0.0');
  const paths = Object.entries(documented.paths ?? {});
  const [own = ''] = path.split('?');
  const [, item] =
    paths.find(([template]) => template === own) ?? paths.find(([template]) => matches(template, own)) ?? [];
  const operation = item?.[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'];
  return operation && Object.keys(operation.responses ?? {});
}

let documented: ReturnType<typeof createApiDocument> | undefined;

/** The route of the contract that a method and a path below `/api/v1` belong to. */
function routeOf(method: string, path: string): Route | undefined {
  const all: Route[] = [...Object.values(routes), ...Object.values(systemRoutes)];
  const forms = all.flatMap((route) => [
    { method: route.method as string, template: route.path, route },
    ...(route.alsoGet === undefined ? [] : [{ method: 'GET', template: route.alsoGet, route }]),
  ]);
  const literal = forms.find((form) => form.method === method && form.template === path);
  if (literal) return literal.route;
  return forms.find(({ method: own, template }) => own === method && matches(template, path))?.route;
}

function matches(template: string, path: string): boolean {
  const parts = path.split('/');
  const names = template.split('/');
  return (
    parts.length === names.length &&
    names.every((name, index) => name === parts[index] || (name.startsWith('{') && parts[index] !== ''))
  );
}
