import type { Route } from '@svc-memory/core/contract';
import fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that the contract's requests use. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A route's request as the API document shows it, without the path parameters. */
export function bodySchema(route: Route): JsonSchema {
  const schema = z.toJSONSchema(route.request, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name));
  const required = (schema.required ?? []).filter((name) => !inPath.includes(name));
  return { ...schema, properties: Object.fromEntries(fields), required };
}

/** Texts that break things: prototype names, controls, bidi, surrogates, SQL, paths, templates, numbers, times. */
const NASTY = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '😀',
  '👩‍👩‍👧‍👦',
  '\u202Eevil',
  '\uFEFF',
  '\uFFFF',
  'e\u0301'.repeat(50),
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE memories; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '{{7*7}}',
  '\u0024{7*7}',
  '(a+)+$',
  '[',
  '1e400',
  'NaN',
  'null',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999-14:00',
  '+294277-01-01T00:00:00Z',
  '# Heading\n```\n- [core] x',
  'x'.repeat(300),
);
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(-1, -0, 0, 0.5, 1, 1e21, 2 ** 53, 2_147_483_648, Number.MIN_VALUE, Number.MAX_VALUE),
);

/** Any JSON, mostly small, now and then nasty. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.oneof(NASTY, fc.string({ unit: 'binary' }), number, fc.boolean(), fc.constant(null)),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) },
  { weight: 1, arbitrary: fc.array(NASTY, { maxLength: 40 }) },
);

/** Values a schema allows, as far as JSON Schema can say it. */
export function validFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validFor));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 1e6) });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validFor(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, Math.max(4, schema.minItems ?? 0)),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, validFor(property)]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    default:
      return anyJson;
  }
}

function text({ format, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const min = new Date('1970-01-01T00:00:00Z');
    const max = new Date('2100-01-01T00:00:00Z');
    return fc.date({ min, max, noInvalidDate: true }).map((moment) => moment.toISOString());
  }
  if (format === 'uuid') return fc.uuid();
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) })
    .map((value) => (value.trim() === '' ? 'plain words' : value));
}

/** Bodies around a schema: valid ones in which some fields hold anything, are missing, or are too many. */
export function around(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(schema.properties ?? {});
  const broken = fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        fc.oneof({ weight: 2, arbitrary: validFor(property) }, { weight: 1, arbitrary: anyJson }),
      ]),
    ),
    { requiredKeys: [] },
  );
  const extra = fc.dictionary(fc.oneof(NASTY, fc.string()), anyJson, { maxKeys: 1, noNullPrototype: true });
  const object = names.length === 0 ? fc.constant({}) : broken;
  return fc.oneof(
    { weight: 3, arbitrary: object },
    { weight: 1, arbitrary: fc.tuple(object, extra).map(([one, other]) => ({ ...one, ...other })) },
  );
}
