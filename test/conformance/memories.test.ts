import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, errorOf, expectRefused } from '../kit/api.ts';
import { INSTANT, UUID } from '../kit/contract-check.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
});

const NOTE = { type: 'episodic', content: 'The kettle is blue.' };
const store = async (body: object = NOTE, as = api) =>
  (await as.post<'remember'>('/memories', body)).body.memory;

describe('Spec: Endpoints, Memories — POST /memories', () => {
  it('answers 201, success, and the memory with id, type, content, created_at', async () => {
    const { status, body } = await api.post<'remember'>('/memories', NOTE);
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, outcome: 'created' });
    expect(body.memory).toMatchObject({
      id: expect.stringMatching(UUID),
      type: 'episodic',
      content: 'The kettle is blue.',
      created_at: expect.stringMatching(INSTANT),
    });
  });

  it('takes every field the spec lists and answers all of them', async () => {
    const sent = {
      type: 'core',
      content: 'I drink tea.',
      category: 'routine',
      key: 'tea-habit',
      tags: ['tea', 'habit'],
      importance: 0.75,
      occurred_at: '2026-01-05T08:00:00.000Z',
      session_id: 'morning',
    };
    const memory = await store(sent);
    expect(memory).toEqual({
      ...sent,
      id: expect.stringMatching(UUID),
      created_at: service.kit.clock().toISOString(),
      updated_at: service.kit.clock().toISOString(),
      version: 1,
      source: { kind: 'agent', credential_id: api.keyId },
    });
  });

  it('a known key answers 200 and replaces what the memory says', async () => {
    const before = await store({ ...NOTE, key: 'kettle', tags: ['old'], importance: 0.9 });
    const { status, body } = await api.post<'remember'>('/memories', {
      ...NOTE,
      key: 'kettle',
      content: 'It is red.',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ outcome: 'updated', memory: { id: before.id, version: 2 } });
    expect(body.memory).toMatchObject({ content: 'It is red.', tags: [], importance: 0.5 });
  });

  it('20 concurrent upserts of one key make one memory', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        api.post<'remember'>('/memories', { ...NOTE, key: 'race', content: `Lap ${n}.` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.memory.id)).size).toBe(1);
    const versions = answers.map(({ body }) => body.memory.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    const { body } = await api.post<'query'>('/memories/query', { key: 'race' });
    const winner = answers.find(({ body: { memory } }) => memory.version === 20)?.body.memory;
    expect(body.memories).toEqual([winner]);
  });

  it('keys of one tenant mean nothing to another', async () => {
    const other = await service.signUp();
    const [mine, theirs] = [
      await store({ ...NOTE, key: 'shared' }),
      await store({ ...NOTE, key: 'shared' }, other),
    ];
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs.version).toBe(1);
  });
});

describe('Design 5: Idempotency-Key', () => {
  const headers = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  it('a replay answers what the first call answered and stores nothing more', async () => {
    const first = await api.post('/memories', NOTE, headers('once'));
    const digest = await api.digest();
    const replay = await api.post('/memories', NOTE, headers('once'));
    expect([replay.status, replay.body]).toEqual([first.status, first.body]);
    expect(await api.digest()).toBe(digest);
  });

  it('20 concurrent calls with one key store one memory and answer the same', async () => {
    const lone = await service.signUp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => lone.post('/memories', NOTE, headers('parallel'))),
    );
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([201, answers[0]?.body]);
    }
    expect((await lone.get<'status'>('/status')).body.counts.episodic).toBe(1);
  });

  it('the same key with another body is a conflict', async () => {
    await api.post('/memories', NOTE, headers('reused'));
    const send = () => api.post('/memories', { ...NOTE, content: 'Other.' }, headers('reused'));
    await expectRefused(api, send, 'CONFLICT');
  });

  it('a refused call does not use the key up', async () => {
    await expectRefused(api, () => api.post('/memories', {}, headers('retry')), 'VALIDATION_ERROR');
    expect((await api.post('/memories', NOTE, headers('retry'))).status).toBe(201);
  });

  it('after 24 hours the key is new again', async () => {
    const first = await api.post<'remember'>('/memories', NOTE, headers('daily'));
    service.kit.clock.advance(24 * 3_600_000 + 1);
    const second = await api.post<'remember'>('/memories', NOTE, headers('daily'));
    expect(second.body.memory.id).not.toBe(first.body.memory.id);
  });

  it.each(['', 'a b', 'k'.repeat(256)])('%j is refused', async (key) => {
    const send = () => api.post('/memories', NOTE, headers(key));
    await expectRefused(api, send, 'VALIDATION_ERROR', 'Idempotency-Key');
  });

  it('belongs to one tenant', async () => {
    const other = await service.signUp();
    await api.post('/memories', NOTE, headers('same'));
    expect((await other.post('/memories', { ...NOTE, content: 'x' }, headers('same'))).status).toBe(201);
  });
});

describe('Spec: Endpoints, Memories — GET /memories/{id}', () => {
  it('answers one memory, the same as on create', async () => {
    const memory = await store();
    const { status, body } = await api.get<'get'>(`/memories/${memory.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, memory });
  });

  it('finds an id in upper case', async () => {
    const { id } = await store();
    expect((await api.get<'get'>(`/memories/${id.toUpperCase()}`)).body.memory.id).toBe(id);
  });
});

describe('Spec: Endpoints, Memories — PATCH /memories/{id}', () => {
  const CHANGES = {
    content: 'New.',
    category: 'tools',
    tags: ['new'],
    importance: 0.1,
    occurred_at: '2025-05-05T05:05:05.000Z',
    key: 'renamed',
    type: 'semantic',
  };

  it.each(Object.entries(CHANGES))('changes %s alone, and counts the version up', async (field, value) => {
    const before = await store({ ...NOTE, tags: ['old'] });
    service.kit.clock.advance(1000);
    const { status, body } = await api.patch(`/memories/${before.id}`, { [field]: value });
    expect(status).toBe(200);
    const memory = { ...before, [field]: value, version: 2, updated_at: service.kit.clock().toISOString() };
    expect(body).toEqual({ success: true, outcome: 'updated', memory });
    expect((await api.get<'get'>(`/memories/${before.id}`)).body.memory).toEqual(memory);
    await api.patch(`/memories/${before.id}`, { key: null });
  });

  it('changing nothing leaves the version alone', async () => {
    const before = await store();
    const { status, body } = await api.patch(`/memories/${before.id}`, { content: before.content });
    expect([status, body.outcome, body.memory]).toEqual([200, 'unchanged', before]);
  });

  it('without any field is refused', async () => {
    const { id } = await store();
    await expectRefused(api, () => api.patch(`/memories/${id}`, {}), 'VALIDATION_ERROR');
  });

  it.each(['created_at', 'version', 'source', 'tenant_id', 'archived_at', 'similarity', 'session_id', 'x'])(
    'cannot set %s',
    async (field) => {
      const { id } = await store();
      const send = () => api.patch(`/memories/${id}`, { [field]: 'x' });
      await expectRefused(api, send, 'VALIDATION_ERROR', field);
    },
  );

  it('an id in the body is refused, the same or another', async () => {
    const [{ id }, other] = [await store(), await store()];
    for (const value of [id, other.id]) {
      const send = () => api.patch(`/memories/${id}`, { id: value, content: 'x' });
      await expectRefused(api, send, 'VALIDATION_ERROR', 'id');
    }
  });

  it('a type of core needs a category', async () => {
    const { id } = await store();
    const send = () => api.patch(`/memories/${id}`, { type: 'core' });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'category');
    expect((await api.patch(`/memories/${id}`, { type: 'core', category: 'tools' })).status).toBe(200);
    const clear = () => api.patch(`/memories/${id}`, { category: null });
    await expectRefused(api, clear, 'VALIDATION_ERROR', 'category');
  });

  it('If-Match with the current version applies, with an older one is a conflict', async () => {
    const { id } = await store();
    const match = (version: string) => ({ headers: { 'If-Match': version } });
    expect((await api.patch(`/memories/${id}`, { content: 'b' }, match('"1"'))).status).toBe(200);
    const stale = () => api.patch(`/memories/${id}`, { content: 'c' }, match('"1"'));
    await expectRefused(api, stale, 'CONFLICT');
  });

  it.each(['', '*', 'W/"1"', '"x"', '0', '"1", "2"', '-1', '1e3'])(
    'If-Match %j is refused',
    async (version) => {
      const { id } = await store();
      const send = () => api.patch(`/memories/${id}`, { content: 'c' }, { headers: { 'If-Match': version } });
      await expectRefused(api, send, 'VALIDATION_ERROR', 'If-Match');
    },
  );

  it('of 10 concurrent changes with the same If-Match exactly one applies', async () => {
    const { id } = await store();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        api.patch(`/memories/${id}`, { content: `v${n}` }, { headers: { 'If-Match': '1' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(errorOf(answer).code).toBe('CONFLICT');
    }
  });

  it('a key that another active memory has is a conflict', async () => {
    await store({ ...NOTE, key: 'taken' });
    const { id } = await store();
    await expectRefused(api, () => api.patch(`/memories/${id}`, { key: 'taken' }), 'CONFLICT');
  });
});

describe('Spec: Endpoints, Memories — DELETE /memories/{id}', () => {
  it('archives and says until when the memory can be restored: 30 days', async () => {
    const { id } = await store();
    const { status, body } = await api.delete(`/memories/${id}`);
    expect(status).toBe(200);
    const now = service.kit.clock();
    expect(body).toEqual({
      success: true,
      memory: {
        id,
        archived_at: now.toISOString(),
        restorable_until: new Date(now.getTime() + 30 * 86_400_000).toISOString(),
      },
    });
  });
});

describe('Design 5: POST /memories/batch', () => {
  it('answers 201 and the memories in the order sent', async () => {
    const memories = Array.from({ length: 500 }, (_, n) => ({ type: 'working', content: `Item ${n}.` }));
    const { status, body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    expect(status).toBe(201);
    expect(body.memories.map(({ content }) => content)).toEqual(memories.map(({ content }) => content));
    expect(body.results).toHaveLength(500);
  });

  it.each([0, 250, 499])('one wrong memory at %d refuses all and is named', async (wrong) => {
    const memories = Array.from({ length: 500 }, (_, n) => ({
      type: 'working',
      content: n === wrong ? '' : `Item ${n}.`,
    }));
    const send = () => api.post('/memories/batch', { memories });
    await expectRefused(api, send, 'VALIDATION_ERROR', `memories.${wrong}.content`);
  });

  it('updates what is known and creates the rest', async () => {
    const before = await store({ ...NOTE, key: 'b1' });
    const memories = [
      { ...NOTE, key: 'b1', content: 'one' },
      { ...NOTE, key: 'b2', content: 'two' },
    ];
    const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    expect(body.results.map(({ outcome }) => outcome)).toEqual(['updated', 'created']);
    expect(body.memories[0]).toMatchObject({ id: before.id, content: 'one', version: 2 });
  });

  it.each([
    ['none', []],
    ['501', Array.from({ length: 501 }, () => NOTE)],
    ['no list', NOTE],
    ['null', null],
  ])('%s is refused', async (_, memories) => {
    const send = () => api.post('/memories/batch', { memories });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'memories');
  });

  it('a key given twice is refused', async () => {
    const memories = [
      { ...NOTE, key: 'twin' },
      { ...NOTE, key: 'other' },
      { ...NOTE, key: 'twin' },
    ];
    const send = () => api.post('/memories/batch', { memories });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'memories.2.key');
  });
});

describe('Design 5: GET /memories/{id}/history', () => {
  it('lists every version, newest first, with its author and what happened', async () => {
    const { id } = await store();
    await api.patch(`/memories/${id}`, { content: 'Second.' });
    await api.delete(`/memories/${id}`);
    await api.post(`/memories/${id}/restore`);
    const { body } = await api.get<'history'>(`/memories/${id}/history`);
    expect(body.versions.map(({ version, change, content }) => [version, change, content])).toEqual([
      [4, 'restored', 'Second.'],
      [3, 'archived', 'Second.'],
      [2, 'updated', 'Second.'],
      [1, 'created', 'The kettle is blue.'],
    ]);
    for (const { source } of body.versions) {
      expect(source).toEqual({ kind: 'agent', credential_id: api.keyId });
    }
  });
});

describe("Threat 1: another tenant's memory answers as if it did not exist", () => {
  it.each([
    ['GET', '', undefined],
    ['GET', '/history', undefined],
    ['PATCH', '', '{"content":"mine now"}'],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
  ])('%s /memories/{id}%s', async (method, suffix, raw) => {
    const owner = await service.signUp();
    const { id } = await store(NOTE, owner);
    const headers = { 'Content-Type': 'application/json' };
    const call = (which: string) =>
      api.send(method, `/memories/${which}${suffix}`, raw === undefined ? {} : { raw, headers });
    const digest = await owner.digest();
    const foreign = await expectRefused(api, () => call(id), 'NOT_FOUND');
    const missing = await expectRefused(api, () => call(crypto.randomUUID()), 'NOT_FOUND');
    expect(foreign.message.replaceAll(id, '')).toBe(missing.message.replace(/[0-9a-f-]{36}/, ''));
    expect(await owner.digest()).toBe(digest);
  });
});
