import { type Route, routes } from '@svc-memory/core/contract';
import { cases } from '@svc-memory/core/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, errorOf } from '../kit/api.ts';
import { anyJson, around, bodySchema, type JsonSchema, validFor } from '../kit/schema-arbitrary.ts';
import { useService } from '../kit/service.ts';

const SEED = 20_260_301;
const RUNS = cases(5, 60);

vi.setConfig({ testTimeout: 120_000 });

const service = useService();
let api: Api;
let memoryId: string;
beforeAll(async () => {
  api = await service.signUp();
  const { body } = await api.post<'remember'>('/memories', { type: 'semantic', content: 'target' });
  memoryId = body.memory.id;
});

// What only a human may call refuses an API key before it looks at a body.
const ALL = Object.values(routes as Record<string, Route>).filter(({ access }) => access !== 'human');
const WITH_BODY = ALL.filter(({ method }) => method === 'POST' || method === 'PATCH');
const WITH_QUERY = ALL.flatMap((route) => {
  const path = route.method === 'GET' ? route.path : route.alsoGet;
  return path === undefined ? [] : [{ route, path }];
});

const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, memoryId);
const json = { 'Content-Type': 'application/json' };

/** Sends a body. That an answer has the contract's shape, whatever it is, is checked by the kit. */
async function sendBody({ method, path }: Route, body: unknown) {
  const answer = await api.send(method, concrete(path), { raw: JSON.stringify(body), headers: json });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  return answer;
}

describe('Every route, any JSON: never a 500, always the shape of the contract', () => {
  it.each(WITH_BODY.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const body = fc.oneof(
        { weight: 1, arbitrary: anyJson },
        { weight: 6, arbitrary: around(bodySchema(route)) },
      );
      await fc.assert(
        fc.asyncProperty(body, async (value) => {
          await sendBody(route, value);
        }),
        { seed: SEED, numRuns: RUNS },
      );
    },
  );

  it.each(WITH_QUERY.map(({ route, path }) => [path, route] as const))('GET %s', async (path, route) => {
    const names = Object.keys(bodySchema(route).properties ?? {});
    const name = fc.oneof(fc.constantFrom(...names, 'x', '__proto__'), fc.string());
    const value = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        '',
        '%00',
        '%FF',
        '%zz',
        'a,b,,',
        '1',
        '0.5',
        '-1',
        '1e9',
        'true',
        '2026-01-01',
        '[]',
        '%F0%9F%98%80',
      ),
    );
    const parameters = fc.array(fc.tuple(name, value), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(parameters, async (pairs) => {
        const query = pairs
          .map(([key, text]) => `${encodeURIComponent(key.toWellFormed())}=${text}`)
          .join('&');
        const answer = await api.send('GET', `${concrete(path)}?${query}`);
        expect(answer.status, query).toBeLessThan(500);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

/** One mistake: the fields to send, and the path the answer must name. */
interface Mistake {
  readonly body: Record<string, unknown>;
  readonly path: string;
}

const WRONG_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, null, ['x'], {}],
  integer: ['5', 0.5, true, null, [1], {}],
  number: ['0.5', true, null, [1], {}],
  boolean: ['true', 1, null, [], {}],
  array: ['x', 5, true, null, {}],
  object: ['x', 5, true, null, []],
};

/** Makes exactly one mistake in a valid body, of every kind the API document rules out. */
function mistakes(schema: JsonSchema): fc.Arbitrary<Mistake> {
  const kinds: fc.Arbitrary<{ path: string; value: unknown }>[] = [
    fc.constantFrom('colour', 'ID', 'tenant_id', 'meta', 'x y').map((path) => ({ path, value: 1 })),
    ...(schema.required ?? []).map((path) => fc.constant({ path, value: undefined })),
    ...Object.entries(schema.properties ?? {}).flatMap(([path, property]) =>
      wrongValues(property).map((value) => fc.constant({ path, value })),
    ),
  ];
  return fc.tuple(validFor(schema), fc.oneof(...kinds)).map(([valid, { path, value }]) => {
    const { [path]: _, ...others } = valid as Record<string, unknown>;
    return { path, body: value === undefined ? others : { ...others, [path]: value } };
  });
}

function wrongValues(schema: JsonSchema): unknown[] {
  const types = (schema.anyOf ?? [schema]).flatMap(({ type, enum: values }) => type ?? typeof values?.[0]);
  const allowed = new Set(types);
  const wrong = types
    .flatMap((type) => WRONG_TYPES[type] ?? [])
    .filter((value) => !allowed.has(jsonType(value)));
  if (schema.enum) wrong.push('no-such-value', String(schema.enum[0]).toUpperCase());
  if (schema.maxLength !== undefined) wrong.push('x'.repeat(schema.maxLength + 1));
  if (schema.minLength !== undefined && schema.minLength > 0) wrong.push('');
  if (schema.maximum !== undefined) wrong.push(schema.maximum + 1);
  if (schema.minimum !== undefined) wrong.push(schema.minimum - 1);
  if (schema.type === 'string') wrong.push('a\u0000b', '\ud800');
  if (schema.format === 'date-time')
    wrong.push('yesterday', '2026-02-30T00:00:00Z', '+012026-01-01T00:00:00Z');
  return wrong;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

describe('500 requests with one mistake each, made from the API document', () => {
  // A limit of a number that is also an integer's type is checked as both.
  const perRoute = Math.ceil(500 / WITH_BODY.length);

  it.each(WITH_BODY.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: 400, the field named, nothing stored',
    async (_, route) => {
      const schema = bodySchema(route);
      const before = await api.digest();
      await fc.assert(
        fc.asyncProperty(mistakes(schema), async ({ body, path }) => {
          const answer = await api.send(route.method, concrete(route.path), {
            raw: JSON.stringify(body),
            headers: json,
          });
          const { code, details, message } = errorOf(answer);
          expect([answer.status, code], message).toEqual([400, 'VALIDATION_ERROR']);
          const named = (details as { path: string }[]).map((detail) => detail.path);
          expect(
            named.some((name) => name === path || name.startsWith(`${path}.`)),
            `${path} should be named in ${message.slice(0, 300)} for ${JSON.stringify(body).slice(0, 300)}`,
          ).toBe(true);
        }),
        { seed: SEED, numRuns: perRoute },
      );
      expect(await api.digest()).toBe(before);
    },
  );
});
