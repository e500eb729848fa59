import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
const ids: Record<string, string> = {};

const MEMORIES = [
  { key: 'garden', type: 'semantic', content: 'Tomatoes grow best in full sun.', tags: ['garden', 'food'] },
  { key: 'dog', type: 'episodic', content: 'Our dog Biscuit hid under the porch during the storm.' },
  { key: 'boat', type: 'episodic', content: 'We repaired the rudder of the sailing boat.', tags: ['boat'] },
  {
    key: 'mast',
    type: 'episodic',
    content: 'The mast of the sailing boat needs new paint.',
    tags: ['boat', 'todo'],
  },
  { key: 'tax', type: 'working', content: 'The tax form is due on Friday.', importance: 0.9 },
  { key: 'who', type: 'core', category: 'identity', content: 'I am Ada and I like sailing.', importance: 1 },
];

beforeAll(async () => {
  api = await service.signUp();
  const memories = MEMORIES.map((memory, n) => ({
    ...memory,
    occurred_at: `2026-02-0${n + 1}T10:00:00Z`,
    ...(memory.key === 'dog' ? { session_id: 'storm' } : {}),
  }));
  const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
  for (const { key, id } of body.memories) ids[key ?? ''] = id;
});

const recall = async (body: object) => (await api.post<'recall'>('/memories/recall', body)).body.results;
const query = async (body: object) => (await api.post<'query'>('/memories/query', body)).body.memories;
const keys = (found: readonly { readonly key: string | null }[]) => found.map(({ key }) => key);

describe('Spec: Endpoints, Recall and query — POST /memories/recall', () => {
  it('answers success and results with id, type, content, similarity, occurred_at', async () => {
    const { status, body } = await api.post<'recall'>('/memories/recall', { query: 'dog in the storm' });
    expect(status).toBe(200);
    expect(body.results[0]).toMatchObject({
      id: ids.dog,
      type: 'episodic',
      content: 'Our dog Biscuit hid under the porch during the storm.',
      similarity: expect.any(Number),
      occurred_at: '2026-02-02T10:00:00.000Z',
    });
  });

  it('query is required', async () => {
    for (const body of [{}, { query: '' }, { query: ' \n' }, { query: null }, { query: ['dog'] }]) {
      await expectRefused(api, () => api.post('/memories/recall', body), 'VALIDATION_ERROR', 'query');
    }
  });

  it('types filters; all types by default', async () => {
    const all = await recall({ query: 'sailing boat', threshold: 0 });
    expect(new Set(all.map(({ type }) => type))).toEqual(
      new Set(['core', 'working', 'episodic', 'semantic']),
    );
    const some = await recall({ query: 'sailing boat', threshold: 0, types: ['core', 'semantic'] });
    expect(keys(some).sort()).toEqual(['garden', 'who']);
  });

  it.each([[[]], [['dream']], [['Core']], ['core'], [[null]]])('types %j is refused', async (types) => {
    const answer = () => api.post('/memories/recall', { query: 'x', types });
    const { details } = await expectRefused(api, answer, 'VALIDATION_ERROR');
    expect(JSON.stringify(details)).toMatch(/"path":"types/);
  });

  it('limit is 10 by default and never exceeded', async () => {
    const crowd = await service.signUp();
    const memories = Array.from({ length: 30 }, (_, n) => ({
      type: 'episodic',
      content: `Harbour log ${n}: the tide turned at ${n} o'clock.`,
    }));
    await crowd.post('/memories/batch', { memories });
    const count = async (body: object) =>
      (await crowd.post<'recall'>('/memories/recall', { query: 'harbour tide', threshold: 0, ...body })).body
        .results.length;
    expect(await count({})).toBe(10);
    expect(await count({ limit: 1 })).toBe(1);
    expect(await count({ limit: 25 })).toBe(25);
    expect(await count({ limit: 100 })).toBe(30);
  });

  it.each([0, 101, -1, 2.5, '5', null, 1e300])('limit %j is refused', async (limit) => {
    const send = () => api.post('/memories/recall', { query: 'x', limit });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'limit');
  });

  it('threshold is 0.5 by default', async () => {
    const standard = await recall({ query: 'sailing boat' });
    expect(standard).toEqual(await recall({ query: 'sailing boat', threshold: 0.5 }));
    const everything = await recall({ query: 'sailing boat', threshold: 0 });
    expect(everything.length).toBeGreaterThan(standard.length);
    expect(keys(standard)).toEqual(keys(everything.filter(({ similarity }) => similarity >= 0.5)));
  });

  it.each([0, 0.3, 0.5, 0.8, 1])('no result is below a threshold of %d', async (threshold) => {
    for (const { similarity } of await recall({ query: 'paint the mast', threshold })) {
      expect(similarity).toBeGreaterThanOrEqual(threshold);
    }
  });

  it.each([-0.1, 1.1, '0.5', null, true])('threshold %j is refused', async (threshold) => {
    const send = () => api.post('/memories/recall', { query: 'x', threshold });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'threshold');
  });

  it.each(['sailing boat', 'dog', 'zebra quantum', 'a', '???', '🐕', "'; --", 'ß'.repeat(4096)])(
    'similarity is within 0..1 and does not rise from one result to the next: %s',
    async (text) => {
      const similarities = (await recall({ query: text, threshold: 0 })).map(({ similarity }) => similarity);
      expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
      for (const similarity of similarities) {
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
      }
    },
  );

  it('what has nothing to do with anything finds nothing by default', async () => {
    expect(await recall({ query: 'quarterly blockchain compliance webinar' })).toEqual([]);
  });

  it('finds by meaning, not only by the same words', async () => {
    expect(keys(await recall({ query: 'What pet do we have?', threshold: 0, limit: 2 }))).toContain('dog');
  });

  it.each([
    ['category', { category: 'identity' }, ['who']],
    ['tags, all of them', { tags: ['boat', 'todo'] }, ['mast']],
    ['since', { since: '2026-02-05T00:00:00Z' }, ['tax', 'who']],
    ['until, a whole day', { until: '2026-02-01' }, ['garden']],
    ['session_id', { session_id: 'storm' }, ['dog']],
  ])('filters by %s', async (_, filter, expected) => {
    const found = await recall({ query: 'sailing boat dog tomatoes tax', threshold: 0, ...filter });
    expect(keys(found).sort()).toEqual(expected);
  });

  it('max_tokens bounds the contents taken together', async () => {
    const found = await recall({ query: 'sailing boat', threshold: 0, max_tokens: 25 });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(MEMORIES.length);
  });

  it('an unknown field is refused by name', async () => {
    const send = () => api.post('/memories/recall', { query: 'x', top_k: 3 });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'top_k');
  });

  it('shows nothing of another tenant', async () => {
    const other = await service.signUp();
    const { body } = await other.post<'recall'>('/memories/recall', { query: 'sailing boat', threshold: 0 });
    expect(body.results).toEqual([]);
  });
});

describe('Spec: Endpoints, Recall and query — GET /memories/search', () => {
  it.each([
    ['query=sailing+boat', { query: 'sailing boat' }],
    ['query=sailing%20boat&limit=2&threshold=0', { query: 'sailing boat', limit: 2, threshold: 0 }],
    [
      'query=boat&threshold=0&types=episodic,core',
      { query: 'boat', threshold: 0, types: ['episodic', 'core'] },
    ],
    [
      'query=boat&threshold=0&types=episodic&types=core',
      { query: 'boat', threshold: 0, types: ['episodic', 'core'] },
    ],
    ['query=boat&threshold=0&tags=boat,todo', { query: 'boat', threshold: 0, tags: ['boat', 'todo'] }],
    [
      'query=boat&threshold=0.0&since=2026-02-03&until=2026-02-04',
      { query: 'boat', threshold: 0, since: '2026-02-03', until: '2026-02-04' },
    ],
    ['query=what%3F+a%26b%3Dc&threshold=0', { query: 'what? a&b=c', threshold: 0 }],
  ])('?%s answers what the POST form does', async (parameters, body) => {
    const get = await api.get<'recall'>(`/memories/search?${parameters}`);
    expect(get.status).toBe(200);
    expect(get.body.results).toEqual(await recall(body));
  });

  it.each([
    ['', 'query'],
    ['query=', 'query'],
    ['query=a&query=b', 'query'],
    ['query=a&limit=ten', 'limit'],
    ['query=a&limit=0x10', 'limit'],
    ['query=a&limit=1&limit=2', 'limit'],
    ['query=a&limit=', 'limit'],
    ['query=a&threshold=NaN', 'threshold'],
    ['query=a&threshold=1e999', 'threshold'],
    ['query=a&types=dream', 'types.0'],
    ['query=a&q=b', 'q'],
    ['query=a&__proto__=b', '__proto__'],
    ['query=a&constructor[prototype]=b', 'constructor[prototype]'],
    ['query=%00', 'query'],
    ['query=%ED%A0%80', 'query'],
    ['query=%zz', 'query'],
    ['query=%FF', 'query'],
  ])('?%s is refused, naming %s', async (parameters, path) => {
    await expectRefused(api, () => api.get(`/memories/search?${parameters}`), 'VALIDATION_ERROR', path);
  });
});

describe('Spec: Endpoints, Recall and query — POST /memories/query', () => {
  it('answers memories, newest occurred_at first, and next_cursor', async () => {
    const { status, body } = await api.post<'query'>('/memories/query', {});
    expect(status).toBe(200);
    expect(keys(body.memories)).toEqual(['who', 'tax', 'mast', 'boat', 'dog', 'garden']);
    expect(body.next_cursor).toBeNull();
  });

  it('without a body is the same as with an empty one', async () => {
    expect((await api.post<'query'>('/memories/query')).body.memories).toEqual(await query({}));
  });

  it.each([
    [{ type: 'episodic' }, ['mast', 'boat', 'dog']],
    [{ category: 'identity' }, ['who']],
    [{ tags: ['boat'] }, ['mast', 'boat']],
    [{ tags: ['boat', 'todo'] }, ['mast']],
    [{ tags: [] }, ['who', 'tax', 'mast', 'boat', 'dog', 'garden']],
    [{ since: '2026-02-05' }, ['who', 'tax']],
    [{ since: '2026-02-05T10:00:00.001Z' }, ['who']],
    [{ until: '2026-02-02' }, ['dog', 'garden']],
    [{ until: '2026-02-02T09:59:59.999Z' }, ['garden']],
    [{ since: '2026-02-02T12:00:00+02:00', until: '2026-02-03' }, ['boat', 'dog']],
    [{ key: 'tax' }, ['tax']],
    [{ session_id: 'storm' }, ['dog']],
    [{ importance_min: 0.9 }, ['who', 'tax']],
    [{ entity: 'biscuit' }, ['dog']],
    [{ entity: 'bisc' }, []],
    [{ entity: '.*' }, []],
    [{ entity: '%' }, []],
    [{ entity: '(a+)+$' }, []],
    [{ type: 'episodic', tags: ['boat'], until: '2026-02-03' }, ['boat']],
    [{ limit: 2 }, ['who', 'tax']],
  ])('%j finds %j, alike in the GET form', async (filters, expected) => {
    expect(keys(await query(filters))).toEqual(expected);
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) {
      if (Array.isArray(value)) for (const item of value) parameters.append(name, item);
      else parameters.set(name, String(value));
    }
    const { body } = await api.get<'query'>(`/memories/query?${parameters}`);
    expect(keys(body.memories)).toEqual(expected);
  });

  it('limit is 10 by default', async () => {
    const crowd = await service.signUp();
    const memories = Array.from({ length: 12 }, (_, n) => ({ type: 'working', content: `x${n}` }));
    await crowd.post('/memories/batch', { memories });
    expect((await crowd.post<'query'>('/memories/query', {})).body.memories).toHaveLength(10);
  });

  it('pages show every memory once, though others are stored and changed meanwhile', async () => {
    const crowd = await service.signUp();
    const memories = Array.from({ length: 25 }, (_, n) => ({
      type: 'working',
      content: `${n}`,
      occurred_at: `2026-01-0${1 + (n % 3)}T00:00:00Z`,
    }));
    const stored = await crowd.post<'rememberBatch'>('/memories/batch', { memories });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await crowd.post<'query'>('/memories/query', {
        limit: 4,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...body.memories.map(({ id }) => id));
      cursor = body.next_cursor;
      await crowd.post('/memories', { type: 'working', content: 'meanwhile' });
    }
    const known = new Set(stored.body.memories.map(({ id }) => id));
    const shown = seen.filter((id) => known.has(id));
    expect(new Set(shown)).toEqual(known);
    expect(shown).toHaveLength(known.size);
  });

  it.each([
    ['type', 'dream'],
    ['type', ['core']],
    ['category', 'Soul'],
    ['tags', 'boat'],
    ['since', 'yesterday'],
    ['until', '2026-02-30'],
    ['since', 1_700_000_000],
    ['limit', 0],
    ['limit', 101],
    ['cursor', 'not-a-cursor'],
    ['cursor', Buffer.from('["2026-01-01T00:00:00.000Z","x"]').toString('base64url')],
    ['importance_min', 2],
    ['entity', ''],
    ['key', 'a\u0000b'],
    ['contents', 'x'],
  ])('%s %j is refused', async (field, value) => {
    const send = () => api.post('/memories/query', { [field]: value });
    await expectRefused(api, send, 'VALIDATION_ERROR', field);
  });

  it("another tenant's cursor shows nothing of that tenant", async () => {
    const { body } = await api.post<'query'>('/memories/query', { limit: 1 });
    const other = await service.signUp();
    const page = await other.post<'query'>('/memories/query', { cursor: body.next_cursor });
    expect(page.body.memories).toEqual([]);
  });
});
