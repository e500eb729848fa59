import { describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
const DAY_MS = 86_400_000;
const NOTE = { type: 'episodic', content: 'The heron stood on the wreck.' };
const SOUL = { type: 'core', category: 'soul', content: 'I am Ada, calm and exact.' };

const store = async (api: Api, body: object = NOTE) =>
  (await api.post<'remember'>('/memories', body)).body.memory;

/** Whether the ways an agent finds memories show this one. */
async function foundBy(api: Api, id: string): Promise<Record<string, boolean>> {
  const recalled = await api.post<'recall'>('/memories/recall', {
    query: 'heron on the wreck',
    threshold: 0,
  });
  const queried = await api.post<'query'>('/memories/query', { limit: 100 });
  const exported = await api.get<'export'>('/export');
  const booted = await api.get<'boot'>('/memories/boot?preview=true');
  const archived = await api.get<'archived'>('/memories/archived');
  return {
    recall: recalled.body.results.some((memory) => memory.id === id),
    query: queried.body.memories.some((memory) => memory.id === id),
    export: JSON.stringify(exported.body.export.memories).includes(id),
    boot: booted.body.injection.includes('The heron stood'),
    counts: (await api.get<'status'>('/status')).body.counts.episodic === 1,
    archive: archived.body.memories.some((memory) => memory.id === id),
  };
}

const EVERYWHERE = { recall: true, query: true, export: true, boot: true, counts: true, archive: false };
const ARCHIVE_ONLY = {
  recall: false,
  query: false,
  export: false,
  boot: false,
  counts: false,
  archive: true,
};

const pending = async (api: Api) => (await api.get<'guardianQueue'>('/guardian?status=cooling')).body.entries;

describe('Spec: States and transitions — active to archived', () => {
  it('an archived memory is in none of recall, query, export, boot and counts, and listed as archived', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    expect(await foundBy(api, id)).toEqual(EVERYWHERE);
    await api.delete(`/memories/${id}`);
    expect(await foundBy(api, id)).toEqual(ARCHIVE_ONLY);
  });

  it('a second DELETE and a PATCH answer NOT_FOUND', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    await api.delete(`/memories/${id}`);
    await expectRefused(api, () => api.delete(`/memories/${id}`), 'NOT_FOUND');
    await expectRefused(api, () => api.patch(`/memories/${id}`, { content: 'x' }), 'NOT_FOUND');
  });

  it('archiving frees the key', async () => {
    const api = await service.signUp();
    const { id } = await store(api, { ...NOTE, key: 'k' });
    await api.delete(`/memories/${id}`);
    expect((await store(api, { ...NOTE, key: 'k' })).id).not.toBe(id);
  });
});

describe('Spec: States and transitions — archived to active (restore)', () => {
  it('restore brings the memory back everywhere, as it was', async () => {
    const api = await service.signUp();
    const before = await store(api, { ...NOTE, key: 'k', tags: ['bird'], importance: 0.8 });
    await api.delete(`/memories/${before.id}`);
    const { status, body } = await api.post<'restore'>(`/memories/${before.id}/restore`);
    expect(status).toBe(200);
    expect(body.memory).toEqual({ ...before, version: 3, updated_at: body.memory.updated_at });
    expect(await foundBy(api, before.id)).toEqual(EVERYWHERE);
  });

  it('works for 30 days, to the last millisecond', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    await api.delete(`/memories/${id}`);
    service.kit.clock.advance(30 * DAY_MS - 1);
    expect((await api.post(`/memories/${id}/restore`)).status).toBe(200);
  });

  it('after 30 days the memory is gone for every call', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    await api.delete(`/memories/${id}`);
    service.kit.clock.advance(30 * DAY_MS);
    await expectRefused(api, () => api.post(`/memories/${id}/restore`), 'NOT_FOUND');
    await expectRefused(api, () => api.get(`/memories/${id}`), 'NOT_FOUND');
    await expectRefused(api, () => api.get(`/memories/${id}/history`), 'NOT_FOUND');
    expect((await api.get<'archived'>('/memories/archived')).body.memories).toEqual([]);
  });

  it('deleted again, a memory has 30 days anew', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    await api.delete(`/memories/${id}`);
    service.kit.clock.advance(20 * DAY_MS);
    await api.post(`/memories/${id}/restore`);
    await api.delete(`/memories/${id}`);
    service.kit.clock.advance(20 * DAY_MS);
    expect((await api.post(`/memories/${id}/restore`)).status).toBe(200);
  });

  it('restoring an active memory is a conflict', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    await expectRefused(api, () => api.post(`/memories/${id}/restore`), 'CONFLICT');
  });

  it('restoring while another memory has the key is a conflict', async () => {
    const api = await service.signUp();
    const { id } = await store(api, { ...NOTE, key: 'k' });
    await api.delete(`/memories/${id}`);
    await store(api, { ...NOTE, key: 'k' });
    await expectRefused(api, () => api.post(`/memories/${id}/restore`), 'CONFLICT');
  });

  it('of concurrent restores one wins', async () => {
    const api = await service.signUp();
    const { id } = await store(api);
    await api.delete(`/memories/${id}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(`/memories/${id}/restore`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('the archive lists the last archived first, page by page', async () => {
    const api = await service.signUp();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id } = await store(api);
      service.kit.clock.advance(n === 2 ? 0 : 1000);
      await api.delete(`/memories/${id}`);
      ids.unshift(id);
    }
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await api.get<'archived'>(`/memories/archived?limit=2${cursor}`);
      seen.push(...body.memories.map(({ id }) => id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(seen[0]).toBe(ids[0]);
    expect(seen.at(-1)).toBe(ids.at(-1));
  });
});

describe('Spec: States and transitions — soul and identity', () => {
  it.each(['soul', 'identity'])('DELETE of a core memory of category %s is FORBIDDEN', async (category) => {
    const api = await service.signUp();
    const before = await store(api, { ...SOUL, category });
    await expectRefused(api, () => api.delete(`/memories/${before.id}`), 'FORBIDDEN');
    expect((await api.get<'get'>(`/memories/${before.id}`)).body.memory).toEqual(before);
  });

  it.each(['relationship', 'operations', 'tools', 'routine', 'reorient', 'accounts'])(
    'a core memory of category %s can be deleted',
    async (category) => {
      const api = await service.signUp();
      const { id } = await store(api, { ...SOUL, category });
      expect((await api.delete(`/memories/${id}`)).status).toBe(200);
    },
  );
});

describe('Spec: States and transitions — Guardian', () => {
  it.each(['soul', 'identity'])('PATCH of a core memory of category %s is queued: 202', async (category) => {
    const api = await service.signUp();
    const before = await store(api, { ...SOUL, category });
    const { status, body } = await api.patch(`/memories/${before.id}`, { content: 'I am Eve.' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ success: true, outcome: 'queued', memory: before });
    const until = new Date(service.kit.clock().getTime() + DAY_MS).toISOString();
    expect(body.entry).toMatchObject({
      memory_id: before.id,
      status: 'cooling',
      cooling_until: until,
      current: { content: SOUL.content },
      proposed: { content: 'I am Eve.' },
      decided_at: null,
    });
    expect(body.entry?.drift).toBeGreaterThan(0);
    expect(body.entry?.drift).toBeLessThanOrEqual(1);
    expect((await api.get<'get'>(`/memories/${before.id}`)).body.memory).toEqual(before);
    expect(await pending(api)).toEqual([body.entry]);
  });

  it.each([
    ['to a category that can be deleted', { category: 'routine' }],
    ['to a type that can be deleted', { type: 'working' }],
    ['to neither', { type: 'working', category: null }],
    ['of its importance only', { importance: 0.1 }],
    ['of its key only', { key: 'other' }],
  ])('a change %s is queued too', async (_, changes) => {
    const api = await service.signUp();
    const { id } = await store(api, SOUL);
    expect((await api.patch(`/memories/${id}`, changes)).status).toBe(202);
    await expectRefused(api, () => api.delete(`/memories/${id}`), 'GUARDIAN_PROTECTED');
  });

  it('an upsert by key is queued, alone and within a batch', async () => {
    const api = await service.signUp();
    const { id } = await store(api, { ...SOUL, key: 'a' });
    const other = await store(api, { ...SOUL, key: 'b' });
    const alone = await api.post<'remember'>('/memories', { ...SOUL, key: 'a', content: 'I am Eve.' });
    expect([alone.status, alone.body.outcome]).toEqual([202, 'queued']);
    const memories = [{ ...SOUL, key: 'b', content: 'I am Eve.' }];
    const batch = await api.post<'rememberBatch'>('/memories/batch', { memories });
    expect([batch.status, batch.body.results[0]?.outcome]).toEqual([202, 'queued']);
    for (const memory of [id, other.id]) {
      expect((await api.get<'get'>(`/memories/${memory}`)).body.memory.content).toBe(SOUL.content);
    }
  });

  it('in its cooling period any change or deletion answers GUARDIAN_PROTECTED with the entry', async () => {
    const api = await service.signUp();
    const { id } = await store(api, { ...SOUL, key: 'me' });
    const { body } = await api.patch(`/memories/${id}`, { content: 'I am Eve.' });
    const calls = [
      () => api.patch(`/memories/${id}`, { content: 'I am Eva.' }),
      () => api.patch(`/memories/${id}`, { importance: 1 }),
      () => api.delete(`/memories/${id}`),
      () => api.post('/memories', { ...SOUL, key: 'me', content: 'I am Eva.' }),
      () => api.post('/memories/batch', { memories: [NOTE, { ...SOUL, key: 'me', content: 'Eva' }] }),
    ];
    for (const call of calls) {
      const error = await expectRefused(api, call, 'GUARDIAN_PROTECTED');
      expect(error.details).toMatchObject({ entry: { id: body.entry?.id, memory_id: id } });
    }
  });

  it('of concurrent changes one is queued, the others are told of it', async () => {
    const api = await service.signUp();
    const { id } = await store(api, SOUL);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => api.patch(`/memories/${id}`, { content: `I am number ${n}.` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(403)]);
    expect(await pending(api)).toHaveLength(1);
  });

  it('a change that changes nothing is not queued', async () => {
    const api = await service.signUp();
    const { id } = await store(api, SOUL);
    const { status, body } = await api.patch(`/memories/${id}`, { content: SOUL.content });
    expect([status, body.outcome]).toEqual([200, 'unchanged']);
    expect(await pending(api)).toEqual([]);
  });

  it('other core categories change at once', async () => {
    const api = await service.signUp();
    const { id } = await store(api, { ...SOUL, category: 'tools' });
    expect((await api.patch(`/memories/${id}`, { content: 'x' })).body.outcome).toBe('updated');
  });

  it('the queue filters by status and refuses unknown ones', async () => {
    const api = await service.signUp();
    const { id } = await store(api, SOUL);
    await api.patch(`/memories/${id}`, { content: 'I am Eve.' });
    expect((await api.get<'guardianQueue'>('/guardian?status=cooling')).body.entries).toHaveLength(1);
    expect((await api.get<'guardianQueue'>('/guardian?status=rejected')).body.entries).toEqual([]);
    await expectRefused(api, () => api.get('/guardian?status=hot'), 'VALIDATION_ERROR', 'status');
  });

  it.each(['approve', 'reject'])('an API key cannot %s a change', async (verb) => {
    const api = await service.signUp();
    const { id } = await store(api, SOUL);
    const { body } = await api.patch(`/memories/${id}`, { content: 'I am Eve.' });
    await expectRefused(api, () => api.post(`/guardian/${body.entry?.id}/${verb}`, {}), 'FORBIDDEN');
  });

  it('a withdrawn change leaves the memory as it was and free for another', async () => {
    const api = await service.signUp();
    const { id } = await store(api, SOUL);
    const { body } = await api.patch(`/memories/${id}`, { content: 'I am Eve.' });
    const withdrawn = await api.post<'withdrawChange'>(`/guardian/${body.entry?.id}/withdraw`, {});
    expect(withdrawn.body.entry.status).toBe('withdrawn');
    expect((await api.get<'get'>(`/memories/${id}`)).body.memory.content).toBe(SOUL.content);
    expect((await api.patch(`/memories/${id}`, { content: 'I am Eva.' })).status).toBe(202);
  });

  it('when the cooling period ends, a small drift is applied and a large one waits for the human', async () => {
    const api = await service.signUp();
    const [small, large] = [await store(api, SOUL), await store(api, SOUL)];
    await api.patch(`/memories/${small.id}`, { content: `${SOUL.content} ` });
    await api.patch(`/memories/${large.id}`, { type: 'working' });
    service.kit.clock.advance(DAY_MS);
    await service.kit.engine.background.run('guardian.expire-cooling');
    const { memory } = (await api.get<'get'>(`/memories/${small.id}`)).body;
    expect([memory.content, memory.version]).toEqual([`${SOUL.content} `, 2]);
    expect((await api.get<'get'>(`/memories/${large.id}`)).body.memory.type).toBe('core');
    const { entries } = (await api.get<'guardianQueue'>('/guardian?status=waiting')).body;
    expect(entries.map(({ memory_id }) => memory_id)).toEqual([large.id]);
    await expectRefused(api, () => api.delete(`/memories/${large.id}`), 'GUARDIAN_PROTECTED');
  });
});
