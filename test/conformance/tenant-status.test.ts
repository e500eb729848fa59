import { describe, expect, it } from 'vitest';
import { errorOf, expectRefused } from '../kit/api.ts';
import { UUID } from '../kit/contract-check.ts';
import { useService } from '../kit/service.ts';

const service = useService();
const DAY_MS = 86_400_000;

describe('Spec: Resources, Tenant; Endpoints, Status — GET /status', () => {
  it('answers tenant, usage and counts, and nothing else', async () => {
    const api = await service.signUp();
    const { status, body } = await api.get<'status'>('/status');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      tenant: { id: expect.stringMatching(UUID), display_name: 'Test agent', plan: 'local' },
      usage: { operations_this_month: 0, operations_limit: 2_147_483_647 },
      counts: { core: 0, working: 0, episodic: 0, semantic: 0 },
    });
    expect(body.tenant.id).toBe(api.tenantId);
  });

  it('trial_expires_at is present for the trial plan: 14 days', async () => {
    const { body } = await (await service.signUp({ plan: 'trial' })).get<'status'>('/status');
    expect(body.tenant.plan).toBe('trial');
    const end = new Date(service.kit.clock().getTime() + 14 * DAY_MS).toISOString();
    expect(body.tenant.trial_expires_at).toBe(end);
    expect(body.usage.operations_limit).toBe(10_000);
  });

  it('trial_expires_at is absent for other plans', async () => {
    const { body } = await (await service.signUp({ plan: 'standard' })).get<'status'>('/status');
    expect(body.tenant).not.toHaveProperty('trial_expires_at');
    expect(body.usage.operations_limit).toBe(1_000_000);
  });

  it('counts are the active memories of each type', async () => {
    const api = await service.signUp();
    const types = ['core', 'working', 'working', 'episodic', 'episodic', 'episodic', 'semantic'];
    const memories = types.map((type) => ({
      type,
      content: 'x',
      ...(type === 'core' ? { category: 'tools' } : {}),
    }));
    const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    await api.delete(`/memories/${body.memories[1]?.id}`);
    const status = await api.get<'status'>('/status');
    expect(status.body.counts).toEqual({ core: 1, working: 1, episodic: 3, semantic: 1 });
  });

  it('takes no parameters', async () => {
    const api = await service.signUp();
    await expectRefused(api, () => api.get('/status?verbose=1'), 'VALIDATION_ERROR', 'verbose');
  });
});

describe('Spec: Limits, monthly operations', () => {
  it('writes, recalls and queries count one each, a batch one per memory, reads of one memory nothing', async () => {
    const api = await service.signUp();
    const used = async () => (await api.get<'status'>('/status')).body.usage.operations_this_month;
    const { body } = await api.post<'remember'>('/memories', { type: 'working', content: 'tea' });
    expect(await used()).toBe(1);
    await api.post('/memories/recall', { query: 'tea' });
    await api.post('/memories/query', {});
    expect(await used()).toBe(3);
    const memories = [1, 2, 3].map((n) => ({ type: 'working', content: `tea ${n}` }));
    await api.post('/memories/batch', { memories });
    expect(await used()).toBe(6);
    await api.get(`/memories/${body.memory.id}`);
    await api.get('/status');
    expect(await used()).toBe(6);
  });

  it('a refused call does not count', async () => {
    const api = await service.signUp();
    await expectRefused(api, () => api.post('/memories', { type: 'core' }), 'VALIDATION_ERROR');
    expect((await api.get<'status'>('/status')).body.usage.operations_this_month).toBe(0);
  });

  it('the count starts again with the calendar month (UTC)', async () => {
    const api = await service.signUp();
    const now = service.kit.clock();
    service.kit.clock.set(new Date('2026-06-30T23:59:59.999Z'));
    await api.post('/memories', { type: 'working', content: 'tea' });
    expect((await api.get<'status'>('/status')).body.usage.operations_this_month).toBe(1);
    service.kit.clock.set(new Date('2026-07-01T00:00:00.000Z'));
    expect((await api.get<'status'>('/status')).body.usage.operations_this_month).toBe(0);
    service.kit.clock.set(now);
  });

  it('over the limit writes and recalls are refused; boot, compaction, sync, read, forget, export work', async () => {
    const api = await service.signUp({ plan: 'trial' });
    const { body } = await api.post<'remember'>('/memories', { type: 'working', content: 'tea' });
    await service.spend(api.tenantId, 9_999);
    const refused = [
      () => api.post('/memories', { type: 'working', content: 'x' }),
      () => api.post('/memories/batch', { memories: [{ type: 'working', content: 'x' }] }),
      () => api.patch(`/memories/${body.memory.id}`, { content: 'x' }),
      () => api.post('/memories/recall', { query: 'tea' }),
      () => api.get('/memories/search?query=tea'),
      () => api.post('/memories/query', {}),
    ];
    for (const call of refused) await expectRefused(api, call, 'QUOTA_EXCEEDED');
    await api.get('/memories/boot');
    await api.post('/webhooks/compaction', {});
    await api.post('/webhooks/memory-sync', { content: '# Now\ntea' });
    await api.get(`/memories/${body.memory.id}`);
    await api.get('/export');
    await api.delete(`/memories/${body.memory.id}`);
    await api.post(`/memories/${body.memory.id}/restore`);
  });

  it('a batch that would pass the limit stores nothing at all', async () => {
    const api = await service.signUp({ plan: 'trial' });
    await service.spend(api.tenantId, 9_999);
    const memories = [1, 2].map((n) => ({ type: 'working', content: `${n}` }));
    await expectRefused(api, () => api.post('/memories/batch', { memories }), 'QUOTA_EXCEEDED');
    await api.post('/memories', { type: 'working', content: 'the last one' });
  });

  it('concurrent writes never pass the limit together', async () => {
    const api = await service.signUp({ plan: 'trial' });
    await service.spend(api.tenantId, 9_995);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => api.post('/memories', { type: 'working', content: `${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expect(errorOf(answer).code).toBe('QUOTA_EXCEEDED');
    expect((await api.get<'status'>('/status')).body).toMatchObject({
      usage: { operations_this_month: 10_000 },
      counts: { working: 5 },
    });
  });
});
