import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../app/contract.ts';
import { processorMs } from '../../testing/processor-time.ts';
import { parseInput } from './parse.ts';

const failure = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('the name __proto__', () => {
  it.each([
    ['tags.__proto__', '{"tags":{"__proto__":"hidden"}}'],
    ['tags.__proto__', '{"tags":{"a":"full","__proto__":"hidden"}}'],
    ['types.__proto__', '{"types":{"__proto__":"hidden"}}'],
    ['categories.__proto__', '{"categories":{"__proto__":{"x":1}}}'],
    ['__proto__', '{"__proto__":{"default":"hidden"}}'],
  ])('is refused where it stands: %s', (path, json) => {
    const thrown = failure(() => parseInput(routes.setVisibility.request, JSON.parse(json)));
    expect(thrown).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });

  it('is refused within lists, and an input that refers to itself ends', () => {
    const schema = z.object({ list: z.array(z.record(z.string(), z.unknown())) });
    expect(failure(() => parseInput(schema, JSON.parse('{"list":[{},{"__proto__":1}]}')))).toMatchObject({
      details: [{ path: 'list.1.__proto__' }],
    });
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(parseInput(schema, { list: [loop] }).list[0]).toHaveProperty('self');
  });

  it('is any text as a value', () => {
    const memory = { type: 'working', content: '__proto__', tags: ['__proto__'], key: '__proto__' };
    expect(parseInput(routes.remember.request, memory)).toEqual(memory);
  });
});

describe('a text', () => {
  it.each([
    ['content', { type: 'working', content: '' }, 'must not be empty'],
    ['content', { type: 'working', content: ' \n' }, 'must not be blank'],
    ['key', { type: 'working', content: 'x', key: '' }, 'must not be empty'],
    ['key', { type: 'working', content: 'x', key: ' ' }, 'must not be blank'],
    ['key', { type: 'working', content: 'x', key: 'a\u001b' }, 'must not contain control characters'],
    [
      'key',
      { type: 'working', content: 'x', key: 'a\u0000' },
      'must not contain NUL characters or unpaired surrogates',
    ],
  ])('is told once what is wrong with %s: %o', (path, memory, message) => {
    const parse = () => parseInput(routes.remember.request, memory);
    expect(failure(parse)).toMatchObject({ details: [{ path, message }] });
  });
});

describe('a field of several types', () => {
  const parse = (transcript: unknown) => failure(() => parseInput(routes.compaction.request, { transcript }));
  it.each([
    [5, 'transcript', 'must be a string or an array'],
    ['', 'transcript', 'must not be empty'],
    ['x'.repeat(524_289), 'transcript', 'must be at most 524288 characters'],
    [[5], 'transcript.0', 'must be an object'],
    [[{ role: 'user', content: 'x' }, { role: 'user' }], 'transcript.1.content', 'is required'],
    [[{ role: 'user', content: [{ type: 'text' }] }], 'transcript.0.content', 'must be a string'],
    [[{ role: 'user', content: 'x', told: 1 }], 'transcript.0.told', 'is not a known field'],
  ])('names what is wrong in the one that was sent: %#', (transcript, path, message) => {
    expect(parse(transcript)).toMatchObject({ details: [{ path, message }] });
  });
});

describe('a period', () => {
  const named = [
    ['recall', { query: 'x' }],
    ['query', {}],
    ['scheduleItems', {}],
    ['memoryCalendar', {}],
  ] as const;
  it.each(named)('of %s does not end before it begins', (name, others) => {
    const parse = (since: string, until: string) =>
      failure(() => parseInput(routes[name].request, { ...others, since, until }));
    for (const [since, until] of [
      ['2026-05-02', '2026-05-01'],
      ['2026-05-01T10:00:00', '2026-05-01T09:59:59.999Z'],
      ['2026-05-01T10:00:00+02:00', '2026-05-01T10:00:00+03:00'],
    ] as const) {
      expect(parse(since, until)).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'since: must not be after until',
        details: [{ path: 'since' }],
      });
    }
    for (const [since, until] of [
      ['2026-05-01', '2026-05-01'],
      ['2026-05-01T23:00:00', '2026-05-01'],
      ['2026-05-01T10:00:00Z', '2026-05-01T12:00:00+02:00'],
    ] as const) {
      expect(parse(since, until)).not.toHaveProperty('code');
    }
  });

  it('types are named a few times at most', () => {
    const types = Array.from({ length: 10_000 }, () => 'semantic');
    const thrown = failure(() => parseInput(routes.recall.request, { query: 'x', types }));
    expect(thrown).toMatchObject({ details: [{ path: 'types', message: 'must be a list of at most 4' }] });
  });
});

it.each([
  ['a text where a list belongs', { supersedes: 'x'.repeat(30) }, 'supersedes: must be an array'],
  ['an empty list where a text belongs', { user_id: [] }, 'user_id: must be a string'],
  ['one rule that two checks keep', { key: 'x'.repeat(300) }, 'key: must be at most 256 characters'],
])('%s is told once, and not as a wrong length', (_, wrong, message) => {
  const thrown = failure(() =>
    parseInput(routes.remember.request, { type: 'working', content: 'x', ...wrong }),
  );
  expect(thrown).toMatchObject({ code: 'VALIDATION_ERROR', message });
});

it('tells of thousands of wrong fields at the cost of finding them', () => {
  const wrong = { type: 'working', content: 'x', key: '', tags: Array.from({ length: 20 }, () => '') };
  const batch = { memories: Array.from({ length: 500 }, () => wrong) };
  const { request } = routes.rememberBatch;
  const began = processorMs();
  expect(request.safeParse(batch).error?.issues).toHaveLength(21 * 500);
  const found = processorMs();
  expect(failure(() => parseInput(request, batch))).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(processorMs() - found).toBeLessThan(6 * (found - began));
});
