import { z } from 'zod';
import type { CallOptions, Route } from '../app/contract.ts';
import { invalid } from '../kernel/contract/errors.ts';
import { parseInput } from '../kernel/contract/parse.ts';
import type { Connection } from './options.ts';

/** A call as it goes over the wire, the same in every attempt. */
export interface WireRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether it may be sent again although an earlier attempt may have been carried out. */
  readonly repeatable: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Maps one call to HTTP by its route: path parameters, then query (GET, DELETE) or JSON body (POST, PATCH). */
export function buildRequest(
  connection: Connection,
  route: Route,
  input: unknown,
  options: CallOptions,
): WireRequest {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('', 'the input must be an object');
  }
  const { path, rest } = fillPath(route, input as Fields);
  const hasBody = route.method === 'POST' || route.method === 'PATCH';
  const search = hasBody ? '' : queryString(rest);
  return {
    url: `${connection.url}/api/v1${path}${search}`,
    init: {
      method: route.method,
      headers: headers(connection, route, options, hasBody),
      ...(hasBody ? { body: toJson(rest) } : {}),
      // The key must never travel on to wherever a redirect points.
      redirect: 'manual',
      credentials: 'omit',
    },
    repeatable: isRepeatable(route),
  };
}

function fillPath(route: Route, input: Fields): { path: string; rest: Fields } {
  const rest = { ...input };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    // Parsed here already, since "", ".." or "archived" in place of an id would address another route.
    const parameter = z.object({ [name]: route.request.shape[name] ?? z.string() });
    const value = parseInput(parameter, { [name]: rest[name] })[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path, rest };
}

function queryString(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) query.append(name, item instanceof Date ? toIso(name, item) : String(item));
    }
  }
  return query.size > 0 ? `?${query}` : '';
}

function toJson(fields: Fields): string {
  for (const [name, value] of Object.entries(fields)) if (value instanceof Date) toIso(name, value);
  try {
    return JSON.stringify(fields);
  } catch {
    throw invalid('', 'the input cannot be written as JSON: it holds a BigInt or refers to itself');
  }
}

function toIso(name: string, value: Date): string {
  if (Number.isNaN(value.getTime())) throw invalid(name, 'is an invalid Date');
  return value.toISOString();
}

function headers(connection: Connection, route: Route, options: CallOptions, hasBody: boolean) {
  const all: Record<string, string> = {
    Accept: 'application/json',
    Authorization: `Bearer ${connection.apiKey}`,
  };
  if (hasBody) all['Content-Type'] = 'application/json';
  const key = options.idempotencyKey ?? (takesKey(route) ? crypto.randomUUID() : undefined);
  if (key !== undefined) all['Idempotency-Key'] = headerText('idempotencyKey', key);
  if (options.ifMatch !== undefined) all['If-Match'] = `"${options.ifMatch}"`;
  const sessionKey = options.sessionKey ?? (route.access === 'session' ? connection.sessionKey : undefined);
  if (sessionKey !== undefined) all['X-Session-Key'] = headerText('sessionKey', sessionKey);
  return all;
}

function headerText(name: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw invalid(name, 'must be printable ASCII characters without spaces');
  return value;
}

/** True for calls that write and whose answer the service keeps for a replay. */
function takesKey(route: Route): boolean {
  return route.method !== 'GET' && route.access !== 'read' && route.idempotent !== false;
}

function isRepeatable(route: Route): boolean {
  return route.method === 'GET' || route.access === 'read' || takesKey(route);
}
