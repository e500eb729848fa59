import type { Event } from '@svc-memory/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
const heard: Event[] = [];
beforeAll(() => {
  const event = (happened: Event) => {
    heard.push(happened);
  };
  service.kit.engine.use({ name: 'listener', hooks: { event } });
});
beforeEach(() => {
  heard.length = 0;
});
const types = () => heard.map(({ type }) => type);

describe('Spec: Events', () => {
  it('memory.stored when a memory is successfully stored, and not when it is refused', async () => {
    const api = await service.signUp();
    const { body } = await api.post<'remember'>('/memories', { type: 'working', content: 'canary-91' });
    await expectRefused(api, () => api.post('/memories', { type: 'working' }), 'VALIDATION_ERROR');
    expect(heard).toMatchObject([
      { type: 'memory.stored', tenantId: api.tenantId, data: { memory_id: body.memory.id, type: 'working' } },
    ]);
  });

  it('one memory.stored for each memory of a batch, and for each change', async () => {
    const api = await service.signUp();
    const memories = [1, 2, 3].map((n) => ({ type: 'working', content: `${n}` }));
    const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    await api.patch(`/memories/${body.memories[0]?.id}`, { content: 'new' });
    expect(types()).toEqual(Array(4).fill('memory.stored'));
  });

  it.each([
    ['POST /memories/recall', 'POST', '/memories/recall', '{"query":"x"}'],
    ['GET /memories/search', 'GET', '/memories/search?query=x', undefined],
    ['POST /memories/query', 'POST', '/memories/query', '{}'],
    ['GET /memories/query', 'GET', '/memories/query', undefined],
  ])('memory.recalled when %s runs', async (_, method, path, raw) => {
    const api = await service.signUp();
    const headers = { 'Content-Type': 'application/json' };
    await api.send(method, path, raw === undefined ? {} : { raw, headers });
    expect(types()).toEqual(['memory.recalled']);
  });

  it.each(['/export', '/memories/export'])('memory.exported when GET %s runs', async (path) => {
    const api = await service.signUp();
    await api.get(path);
    expect(types()).toEqual(['memory.exported']);
  });

  it('billing.threshold at 80 % and at 100 % of the plan, once each a month', async () => {
    const api = await service.signUp({ plan: 'trial' });
    const store = () => api.post('/memories', { type: 'working', content: 'x' });
    const thresholds = () => heard.filter(({ type }) => type === 'billing.threshold').map(({ data }) => data);
    await service.spend(api.tenantId, 7_998);
    await store();
    expect(thresholds()).toEqual([]);
    await store();
    await store();
    expect(thresholds()).toMatchObject([{ share: 0.8, operations: 8_000, operations_limit: 10_000 }]);
    await service.spend(api.tenantId, 1_998);
    await store();
    await expectRefused(api, store, 'QUOTA_EXCEEDED');
    expect(thresholds()).toMatchObject([{ share: 0.8 }, { share: 1 }]);
  });

  it('carry ids, never content', async () => {
    const api = await service.signUp();
    const key = 'canary-key';
    await api.post('/memories', { type: 'working', content: 'canary-92', key, tags: ['canary-tag'] });
    await api.post('/memories/recall', { query: 'canary-92' });
    await api.get('/export');
    expect(heard).toHaveLength(3);
    expect(JSON.stringify(heard)).not.toContain('canary');
  });

  it('memory.compacted when episodic memories are summarized', async () => {
    const api = await service.signUp();
    const memories = [1, 2, 3].map((day) => ({
      type: 'episodic',
      content: `On day ${day} the canary-93 release went out.`,
      session_id: 'release',
      occurred_at: `2026-01-0${day}T12:00:00Z`,
    }));
    await api.post('/memories/batch', { memories });
    heard.length = 0;
    const { status } = await api.post('/reflect', {});
    expect(status).toBe(202);
    await service.kit.engine.background.run('jobs.work');
    expect(heard).toMatchObject([
      { type: 'memory.stored', data: { type: 'semantic' } },
      { type: 'memory.compacted', tenantId: api.tenantId, data: { sources: 3, archived: false } },
      { type: 'job.finished', data: { kind: 'reflect', status: 'done' } },
    ]);
    expect(JSON.stringify(heard)).not.toContain('canary');
  });
});
