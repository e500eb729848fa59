import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
});

const NOTE = { type: 'semantic', content: 'x' };
const CORE = { type: 'core', category: 'tools', content: 'x' };
const headers = { 'Content-Type': 'application/json' };
const LONE = '\\ud800';

const FAR_YEARS = [
  '+010000-01-01T00:00:00Z',
  '+294277-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  '0001-01-01T00:00:00+01:00',
];
const NO_TIMES = [
  'yesterday',
  '',
  ' ',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01',
  '2026-01-01T',
  '2026-1-1T0:0:0Z',
  '1767225600',
  '2026-01-01T00:00:00+99:00',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  '2026-W01-1',
  'now()',
  "2026-01-01T00:00:00Z'; --",
  'infinity',
  'epoch',
];

/** A field, a value that is wrong in it, and the path that must be named. */
const WRONG: [string, unknown, string?][] = [
  ...[
    undefined,
    null,
    '',
    'CORE',
    'Core',
    'core ',
    'toString',
    '__proto__',
    'constructor',
    5,
    true,
    ['core'],
    {},
  ].map((value): [string, unknown] => ['type', value]),
  ...[
    undefined,
    null,
    '',
    ' ',
    '\n\t\u00A0',
    5,
    true,
    ['x'],
    { text: 'x' },
    'x'.repeat(32_769),
    'a\u0000b',
    '\u0000',
  ].map((value): [string, unknown] => ['content', value]),
  ...['Soul', 'memories', '', 'soul,identity', 5, ['soul'], {}, 'hasOwnProperty'].map(
    (value): [string, unknown] => ['category', value],
  ),
  ...[
    '',
    ' ',
    'k'.repeat(257),
    'k'.repeat(10_240),
    'a\u0000b',
    'a\nb',
    'a\u0007b',
    'a\u0085b',
    5,
    ['k'],
    {},
  ].map((value): [string, unknown] => ['key', value]),
  ...['tea', 5, true, {}, { 0: 'tea', length: 1 }].map((value): [string, unknown] => ['tags', value]),
  ['tags', Array.from({ length: 33 }, (_, n) => `t${n}`)],
  ['tags', Array.from({ length: 10_001 }, (_, n) => `t${n}`)],
  ...[5, null, true, ['tea'], {}, '', ' ', 't'.repeat(65), 't'.repeat(1_000_000), 'a\u0000', 'a\nb'].map(
    (value): [string, unknown, string] => ['tags', ['fine', value], 'tags.1'],
  ),
  ...[-0.1, 1.1, 1.0000001, -1, 1e308, '0.5', '', true, null, [0.5], {}].map((value): [string, unknown] => [
    'importance',
    value,
  ]),
  ...[...NO_TIMES, ...FAR_YEARS, 5, 1_767_225_600_000, null, true, {}, []].map((value): [string, unknown] => [
    'occurred_at',
    value,
  ]),
  ...['', 's'.repeat(257), 'a\u0000', 5, {}].map((value): [string, unknown] => ['session_id', value]),
];

const short = (value: unknown) => JSON.stringify(value)?.slice(0, 40) ?? 'missing';
const cases = WRONG.map(([field, value, path = field]) => [field, short(value), value, path] as const);

describe('Bad input C: POST /memories', () => {
  it.each(cases)('%s: %s is refused, naming the field', async (field, _, value, path) => {
    await expectRefused(
      api,
      () => api.post('/memories', { ...NOTE, [field]: value }),
      'VALIDATION_ERROR',
      path,
    );
  });

  it.each(['content', 'key', 'session_id'])('a lone surrogate in %s is refused', async (field) => {
    for (const text of [LONE, `a${LONE}b`, '\\udc00', '\\udc00\\ud800', '\\ud83d']) {
      const fields = { ...NOTE, [field]: 'MARK' };
      const raw = JSON.stringify(fields).replace('MARK', text);
      await expectRefused(
        api,
        () => api.send('POST', '/memories', { raw, headers }),
        'VALIDATION_ERROR',
        field,
      );
    }
  });

  it('a lone surrogate in a tag is refused', async () => {
    const raw = `{"type":"semantic","content":"x","tags":["a","${LONE}"]}`;
    const send = () => api.send('POST', '/memories', { raw, headers });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'tags.1');
  });

  it('a pair of surrogates written as escapes is one character', async () => {
    const raw = '{"type":"semantic","content":"\\ud83d\\ude00"}';
    const answer = await api.send('POST', '/memories', { raw, headers });
    expect(answer.body).toMatchObject({ memory: { content: '😀' } });
  });

  it.each(['1e-400', '0.1e1', '5E-1', '1.0', '0e9'])(
    'importance %s is a number within 0..1',
    async (value) => {
      const raw = `{"type":"semantic","content":"As important as ${value}","importance":${value}}`;
      const answer = await api.send('POST', '/memories', { raw, headers });
      expect(answer.body).toMatchObject({ memory: { importance: Number(value) } });
    },
  );

  it.each([
    'contents',
    'Content',
    'CONTENT',
    'text',
    'meta',
    'userId',
    'id',
    'tenant_id',
    'tenantId',
    'created_at',
    'updated_at',
    'archived_at',
    'restorable_until',
    'version',
    'source',
    'similarity',
    'outcome',
    'success',
    '',
    ' ',
    '0',
    'toString',
    'hasOwnProperty',
    'a.b',
    'ключ',
  ])('the unknown field %j is refused by name', async (field) => {
    const send = () => api.post('/memories', { ...NOTE, [field]: 'x' });
    const error = await expectRefused(api, send, 'VALIDATION_ERROR', field);
    expect(error.message).toContain('not a known field');
  });

  it.each([
    ['__proto__', '{"__proto__":{"type":"core"},"content":"x"}'],
    ['__proto__', '{"type":"semantic","content":"x","__proto__":{"importance":1}}'],
    ['constructor', '{"type":"semantic","content":"x","constructor":{"prototype":{"polluted":true}}}'],
    ['prototype', '{"type":"semantic","content":"x","prototype":{"polluted":true}}'],
  ])('prototype keys change nothing: %s', async (field, raw) => {
    const send = () => api.send('POST', '/memories', { raw, headers });
    await expectRefused(api, send, 'VALIDATION_ERROR', field);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('a name as long as a body is refused', async () => {
    const send = () => api.post('/memories', { ...NOTE, ['n'.repeat(100_000)]: 1 });
    const error = await expectRefused(api, send, 'VALIDATION_ERROR');
    expect(error.message.length).toBeLessThan(2_000);
  });

  it('10,000 unknown fields are refused with a short answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n]));
    const error = await expectRefused(
      api,
      () => api.post('/memories', { ...NOTE, ...many }),
      'VALIDATION_ERROR',
    );
    expect(JSON.stringify(error).length).toBeLessThan(20_000);
  });

  it('a refused value is not echoed', async () => {
    const secret = 'svc_looks_like_a_secret_in_the_wrong_field';
    const error = await expectRefused(
      api,
      () => api.post('/memories', { ...NOTE, importance: secret }),
      'VALIDATION_ERROR',
    );
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  it('core without category is refused', async () => {
    const { category: _, ...body } = CORE;
    const error = await expectRefused(api, () => api.post('/memories', body), 'VALIDATION_ERROR', 'category');
    expect(error.message).toContain('core');
    await expectRefused(
      api,
      () => api.post('/memories', { ...body, category: null }),
      'VALIDATION_ERROR',
      'category',
    );
  });
});

describe('Bad input C: the same within POST /memories/batch', () => {
  it.each(cases.filter((_, index) => index % 4 === 0))(
    '%s: %s is refused with its place',
    async (field, _, value, path) => {
      const memories = [NOTE, { ...NOTE, [field]: value }];
      const send = () => api.post('/memories/batch', { memories });
      await expectRefused(api, send, 'VALIDATION_ERROR', `memories.1.${path}`);
    },
  );
});

describe('Bad input C: the same with PATCH /memories/{id}', () => {
  // A key or category may be taken away, and what is not named does not change.
  const wrong = cases.filter(
    ([field, , value]) =>
      field !== 'session_id' &&
      value !== undefined &&
      !(value === null && ['key', 'category'].includes(field)),
  );

  it.each(wrong)('%s: %s is refused, naming the field', async (field, _, value, path) => {
    const { body } = await api.post<'remember'>('/memories', NOTE);
    const send = () => api.patch(`/memories/${body.memory.id}`, { [field]: value });
    await expectRefused(api, send, 'VALIDATION_ERROR', path);
  });
});

describe('Bad input D: ids', () => {
  const NO_IDS = [
    'not-a-uuid',
    '0'.repeat(36),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '%7B0190b7a4-0000-7000-8000-000000000000%7D',
    '0190b7a4-0000-7000-8000-000000000000%0A',
    '%200190b7a4-0000-7000-8000-000000000000',
    '0190b7a400007000800000000000000',
    '1',
    '-1',
    'null',
    'undefined',
    '*',
    '%25',
    "'%20OR%20'1'='1",
    '__proto__',
    '%F0%9F%94%91',
    '%00',
    '%2e%2e%2f',
    'x'.repeat(2_000),
  ];
  const calls = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/history'],
    ['POST', '/restore'],
  ] as const;
  const call = (method: string, id: string, suffix: string) =>
    api.send(method, `/memories/${id}${suffix}`, {
      ...(method === 'PATCH' ? { raw: '{"content":"x"}', headers } : {}),
    });

  it.each(NO_IDS)('%s is not found, for every method', async (id) => {
    for (const [method, suffix] of calls) {
      await expectRefused(api, () => call(method, id, suffix), 'NOT_FOUND');
    }
  });

  it('no id, an unknown one and a foreign one are told apart by nothing', async () => {
    const other = await service.signUp();
    const { body } = await other.post<'remember'>('/memories', NOTE);
    const digest = await other.digest();
    for (const [method, suffix] of calls) {
      const errors = [];
      for (const id of ['nope', crypto.randomUUID(), body.memory.id]) {
        const { request_id: _, ...error } = await expectRefused(
          api,
          () => call(method, id, suffix),
          'NOT_FOUND',
        );
        errors.push(error);
      }
      expect(errors[1]).toEqual(errors[0]);
      expect(errors[2]).toEqual(errors[0]);
    }
    expect(await other.digest()).toBe(digest);
  });
});
