import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonObject } from './json.ts';

const failure = (text: string) => {
  try {
    parseJsonObject(text);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('was accepted');
};

describe('a JSON body', () => {
  it('is what JSON.parse makes of it, for every object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
        fc.constantFrom(undefined, 2, '\t'),
        (value, space) => {
          const text = JSON.stringify(value, null, space);
          expect(parseJsonObject(text)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('is accepted exactly when JSON.parse accepts it, for damaged documents too', () => {
    const document = fc.json({ maxDepth: 4 }).map((text) => `{"a":${text}}`);
    const damage = fc.tuple(
      document,
      fc.nat(),
      fc.constantFrom('', '"', '{', ']', ',', '\\', '-', '0', 'e', '\n', 'u'),
    );
    fc.assert(
      fc.property(damage, ([text, place, put]) => {
        const at = place % (text.length + 1);
        const damaged = text.slice(0, at) + put + text.slice(at + 1);
        expect(accepts(parseJsonObject, damaged)).toBe(accepts(parseObjectLoosely, damaged));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{"a": tru}', 'line 1, column 7: a JSON value is expected'],
    ['{"a": 1', 'line 1, column 8: the JSON ends too early'],
    ['{\n  "a": 1,\n}', 'line 3, column 1: a field name in double quotes is expected'],
    ['{"a": "x}', 'line 1, column 7: this string does not end'],
    ['{"a": 01}', 'line 1, column 8: "," or "}" is expected'],
    ['{} {}', 'line 1, column 4: nothing may follow the JSON document'],
    ["{'a': 1}", 'line 1, column 2: a field name in double quotes is expected'],
    ['{"a": "\\x"}', 'line 1, column 9: this escape does not exist in JSON'],
  ])('%j is refused with its position', (text, where) => {
    expect(failure(text)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(where),
    });
  });

  it.each(['null', '[]', '"x"', '1', 'true'])('%s is refused: the top level must be an object', (text) => {
    expect(failure(text)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('JSON object'),
    });
  });

  it.each(['{"a":1e400}', '{"a":-1e400}', '{"a":[9e999]}', `{"a":1${'0'.repeat(400)}}`])(
    '%.20s is refused: too large',
    (text) => {
      expect(failure(text).message).toContain('too large');
    },
  );

  it.each(['{"a":Infinity}', '{"a":NaN}', '{"a":-}', '{"a":.5}', '{"a":+1}'])('%s is no number', (text) => {
    expect(failure(text).code).toBe('VALIDATION_ERROR');
  });

  it('may be nested 32 deep and no deeper', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(parseJsonObject(nested(32))).toBeDefined();
    expect(failure(nested(33)).message).toContain('at most 32 deep');
    expect(failure(nested(200_000)).message).toContain('at most 32 deep');
  });

  it('may not have a field name longer than 256 characters', () => {
    expect(failure(`{"${'k'.repeat(257)}":1}`).message).toContain('256');
    expect(failure(`{"${'k'.repeat(257)}":1}`).message.length).toBeLessThan(200);
  });

  it('counts the last of a repeated field', () => {
    expect(parseJsonObject('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});

function parseObjectLoosely(text: string): unknown {
  const value: unknown = JSON.parse(text, (_key, item: unknown) => {
    if (typeof item === 'number' && !Number.isFinite(item)) throw new SyntaxError();
    return item;
  });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError();
  return value;
}

function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
