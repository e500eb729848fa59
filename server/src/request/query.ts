import { type FieldIssue, type Route, SvcError } from '@svc-memory/core/contract';
import { z } from 'zod';
import { parseJson } from './json.ts';

type Kind = 'string' | 'number' | 'boolean' | 'list' | 'object';
type Read = { readonly value: unknown } | { readonly issue: string };
type QueryReader = (url: string) => Record<string, unknown>;

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

interface JsonSchema {
  readonly type?: string;
  readonly items?: { readonly type?: string };
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Prepares the reading of a route's fields from a query string. What type a parameter has comes from the route's
 * schema: numbers, `true|false|1|0`, lists comma-separated, repeated or as JSON, objects as JSON; everything else is text.
 *
 * @param pathParameters Fields that are in the path and so not in the query.
 * @returns A reader of request targets; it throws `VALIDATION_ERROR` naming every unknown, repeated or mistyped
 *   parameter and leaves ranges and formats to the route's schema.
 */
export function createQueryReader(route: Route, pathParameters: readonly string[]): QueryReader {
  // Found out at the first call: for all routes it takes a third of what a start does beside the database.
  let known: ReadonlyMap<string, Kind> | undefined;
  return (url) => {
    known ??= parameterKinds(route, pathParameters);
    const kinds = known;
    const issues: FieldIssue[] = [];
    const fields = new Map<string, unknown>();
    for (const [name, values] of group(url, issues)) {
      const kind = kinds.get(name);
      const value = kind ? coerce(kind, values) : unknown([...kinds.keys()]);
      if ('issue' in value) issues.push({ path: name, message: value.issue });
      else fields.set(name, value.value);
    }
    if (issues.length > 0) throw refuse(issues);
    return Object.fromEntries(fields);
  };
}

/** The query of a request target as browsers write it, for what is no operation. The target may name any host, even none. */
export function searchParamsOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}

/** Refuses any query string: the route takes its fields from the body. */
export const refuseQuery: QueryReader = (url) => {
  const issues: FieldIssue[] = [];
  for (const name of group(url, issues).keys()) {
    issues.push({ path: name, message: 'belongs into the JSON body, this route has no query parameters' });
  }
  if (issues.length > 0) throw refuse(issues);
  return {};
};

/** How each field of a route that is not in the path is written in a query string. */
export function parameterKinds(route: Route, pathParameters: readonly string[]): ReadonlyMap<string, Kind> {
  const schema = z.toJSONSchema(route.request, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return new Map(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => !pathParameters.includes(name))
      .map(([name, property]) => [name, kindOf(name, property)]),
  );
}

function kindOf(name: string, { type, items }: JsonSchema): Kind {
  if (type === 'string' || type === 'boolean' || type === 'number') return type;
  if (type === 'object') return type;
  if (type === 'integer') return 'number';
  if (type === 'array' && items?.type === 'string') return 'list';
  throw new TypeError(
    `The field ${name} has no form as a query parameter; give the route none, or extend this.`,
  );
}

function coerce(kind: Kind, values: readonly string[]): Read {
  const [text = '', ...others] = values;
  if (kind === 'list') return { value: values.flatMap(entriesOf) };
  if (others.length > 0) return { issue: 'must be given only once' };
  if (kind === 'string') return { value: text };
  if (kind === 'object') return parseObject(text);
  if (kind === 'boolean') {
    const value = BOOLEANS.get(text);
    return value === undefined ? { issue: 'must be true or false' } : { value };
  }
  const isNumber = NUMBER.test(text) && Number.isFinite(Number(text));
  return isNumber ? { value: Number(text) } : { issue: 'must be a number' };
}

/** The entries of a list. As JSON, such as `["Smith, Ada"]`, they may hold commas. */
function entriesOf(text: string): readonly string[] {
  if (!text.startsWith('[')) return text.split(',');
  try {
    const parsed = parseJson(text);
    const isList = Array.isArray(parsed) && parsed.every((entry) => typeof entry === 'string');
    if (isList) return parsed;
  } catch {
    // A text may begin so, too.
  }
  return text.split(',');
}

function parseObject(text: string): Read {
  try {
    return { value: parseJson(text) };
  } catch {
    return { issue: 'must be JSON, such as {"room":"hall"}' };
  }
}

function unknown(known: readonly string[]): Read {
  const hint = known.length > 0 ? `known parameters: ${known.join(', ')}` : 'this route has none';
  return { issue: `is not a known parameter; ${hint}` };
}

function group(url: string, issues: FieldIssue[]): Map<string, string[]> {
  const start = url.indexOf('?');
  const groups = new Map<string, string[]>();
  for (const pair of start < 0 ? [] : url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined)
      issues.push({ path: '', message: 'the query string is not valid percent-encoded UTF-8' });
    else if (value === undefined) issues.push({ path: name, message: 'must be valid percent-encoded UTF-8' });
    else groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return groups;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function refuse(issues: readonly FieldIssue[]): SvcError {
  const details = issues.slice(0, 20);
  const message = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  return new SvcError('VALIDATION_ERROR', message, { details });
}
