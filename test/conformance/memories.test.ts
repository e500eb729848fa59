import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
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
      valid_from: sent.occurred_at,
      created_at: service.kit.clock().toISOString(),
      updated_at: service.kit.clock().toISOString(),
      version: 1,
      source: { kind: 'agent', credential_id: api.keyId },
    });
  });
});

describe('statuses tell how a call ended', () => {
  const SOUL = { type: 'core', category: 'soul', content: 'I am Ada, calm and exact.' };

  it('a change that waits with the Guardian answers 202, alone and within a batch', async () => {
    const { id } = await store({ ...SOUL, key: 'a' });
    await store({ ...SOUL, key: 'b' });
    await store({ ...SOUL, key: 'c' });
    const change = { ...SOUL, content: 'I am Eve.' };
    const answers = [
      await api.patch(`/memories/${id}`, { content: change.content }),
      await api.post('/memories', { ...change, key: 'b' }),
      await api.post('/memories/batch', { memories: [{ ...change, key: 'c' }] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await expectRefused(api, () => api.delete(`/memories/${id}`), 'GUARDIAN_PROTECTED');
  });

  it('a deletion that is not allowed answers 403, a second restore 409', async () => {
    const [soul, note] = [await store(SOUL), await store()];
    await expectRefused(api, () => api.delete(`/memories/${soul.id}`), 'FORBIDDEN');
    expect((await api.delete(`/memories/${note.id}`)).status).toBe(200);
    expect((await api.post(`/memories/${note.id}/restore`)).status).toBe(200);
    await expectRefused(api, () => api.post(`/memories/${note.id}/restore`), 'CONFLICT');
  });

  it('an unknown status of the Guardian queue is refused by name', async () => {
    await expectRefused(api, () => api.get('/guardian?status=hot'), 'VALIDATION_ERROR', 'status');
  });

  it('the archive is read page by page by query parameters', async () => {
    const own = await service.signUp();
    for (let n = 0; n < 3; n += 1) await own.delete(`/memories/${(await store(NOTE, own)).id}`);
    const first = await own.get<'archived'>('/memories/archived?limit=2');
    const cursor = encodeURIComponent(first.body.next_cursor ?? '');
    const second = await own.get<'archived'>(`/memories/archived?limit=2&cursor=${cursor}`);
    expect([first.body.memories.length, second.body.memories.length]).toEqual([2, 1]);
  });
});

describe('Design 5: Idempotency-Key', () => {
  const headers = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  it('a replay answers status and body of the first call', async () => {
    const first = await api.post('/memories', NOTE, headers('once'));
    const replay = await api.post('/memories', NOTE, headers('once'));
    expect([replay.status, replay.body]).toEqual([first.status, first.body]);
  });

  it('a refused call does not use the key up', async () => {
    await expectRefused(api, () => api.post('/memories', {}, headers('retry')), 'VALIDATION_ERROR');
    expect((await api.post('/memories', NOTE, headers('retry'))).status).toBe(201);
  });

  it.each(['', 'a b', 'k'.repeat(256)])('%j is refused', async (key) => {
    const send = () => api.post('/memories', NOTE, headers(key));
    await expectRefused(api, send, 'VALIDATION_ERROR', 'Idempotency-Key');
  });
});

describe('Spec: Endpoints, Memories — PATCH /memories/{id}', () => {
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

  it.each(['', '""', '*', 'W/"1"', '"x"', 'abc', '0', '"0"', '"1", "2"', '-1', '1.5', '1e3'])(
    'If-Match %j is refused',
    async (version) => {
      const { id } = await store();
      const send = () => api.patch(`/memories/${id}`, { content: 'c' }, { headers: { 'If-Match': version } });
      await expectRefused(api, send, 'VALIDATION_ERROR', 'If-Match');
    },
  );
});

describe('Design 5: POST /memories/batch', () => {
  it('answers 201 and the memories in the order sent', async () => {
    const memories = Array.from({ length: 500 }, (_, n) => ({ type: 'working', content: `Item ${n}.` }));
    const { status, body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    expect(status).toBe(201);
    expect(body.memories.map(({ content }) => content)).toEqual(memories.map(({ content }) => content));
    expect(body.results.map(({ outcome }) => outcome)).toEqual(memories.map(() => 'created'));
  });

  it.each([0, 250, 499])('one wrong memory at %d refuses all and is named', async (wrong) => {
    const memories = Array.from({ length: 500 }, (_, n) => ({
      type: 'working',
      content: n === wrong ? '' : `Item ${n}.`,
    }));
    const send = () => api.post('/memories/batch', { memories });
    await expectRefused(api, send, 'VALIDATION_ERROR', `memories.${wrong}.content`);
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
});
