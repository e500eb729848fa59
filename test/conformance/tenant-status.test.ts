import { describe, expect, it } from 'vitest';
import { expectRefused } from '../kit/api.ts';
import { UUID } from '../kit/contract-check.ts';
import { useService } from '../kit/service.ts';

const service = useService();
const DAY_MS = 86_400_000;

describe('Spec: Resources, Tenant; Endpoints, Status — GET /status', () => {
  it('answers tenant, usage, counts and what waits for the human, and nothing else', async () => {
    const api = await service.signUp();
    const { status, body } = await api.get<'status'>('/status');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      tenant: { id: expect.stringMatching(UUID), display_name: 'Test agent', plan: 'local' },
      usage: { operations_this_month: 0, operations_limit: 2_147_483_647 },
      billing: {
        plan: 'local',
        period_start: '2026-03-01T00:00:00.000Z',
        period_end: '2026-04-01T00:00:00.000Z',
      },
      counts: { core: 0, working: 0, episodic: 0, semantic: 0 },
      storage: { memory_bytes: 0, is_estimate: false },
      distress: { open: false, unheard: 0 },
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
    const memories = types.map((type, n) => ({
      type,
      content: `x${n}`,
      ...(type === 'core' ? { category: 'tools' } : {}),
    }));
    const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    await api.delete(`/memories/${body.memories[1]?.id}`);
    const status = await api.get<'status'>('/status');
    expect(status.body.counts).toEqual({ core: 1, working: 1, episodic: 3, semantic: 1 });
  });

  it('storage is the bytes of the contents of active memories', async () => {
    const api = await service.signUp();
    const contents = ['x', 'Grüße', '日本語', 'z'.repeat(30_000)];
    const memories = contents.map((content) => ({ type: 'semantic', content }));
    const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    const stored = async () => (await api.get<'status'>('/status')).body.storage;
    const bytes = Buffer.byteLength(contents.join(''));
    expect(await stored()).toEqual({ memory_bytes: bytes, is_estimate: false });
    await api.delete(`/memories/${body.memories[3]?.id}`);
    expect(await stored()).toEqual({ memory_bytes: bytes - 30_000, is_estimate: false });
  });

  it('storage of many memories of one type is estimated from the latest', async () => {
    const api = await service.signUp();
    const remember = (size: number, content: string, occurred_at: string) =>
      api.post('/memories/batch', {
        memories: Array.from({ length: size }, () => ({ type: 'episodic', content, occurred_at })),
      });
    await remember(50, 'a'.repeat(400), '2026-01-01T00:00:00Z');
    for (let batch = 0; batch < 3; batch += 1) await remember(100, 'b'.repeat(100), '2026-01-02T00:00:00Z');
    await api.post('/memories', { type: 'working', content: 'tea' });
    const { storage } = (await api.get<'status'>('/status')).body;
    expect(storage).toEqual({ memory_bytes: 350 * 100 + 3, is_estimate: true });
  });

  it('storage is not told to a human from whom anything is withheld', async () => {
    const { tenantId } = await service.signUp();
    const agent = service.kit.engine.agent(tenantId);
    const human = service.kit.engine.agent(tenantId, { source: 'human', credentialId: null });
    await agent.remember({ type: 'semantic', content: 'tea', tags: ['private'] });
    const whole = { memory_bytes: 3, is_estimate: false };
    expect((await human.status()).storage).toEqual(whole);
    for (const level of ['redacted', 'hidden'] as const) {
      const { session_key: sessionKey } = await agent.sessionKey();
      await agent.setVisibility({ tags: { private: level } }, { sessionKey });
      expect(await human.status()).not.toHaveProperty('storage');
      expect((await agent.status()).storage).toEqual(whole);
    }
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
    const memories = Array.from({ length: 3 }, () => ({ type: 'working', content: 'the same' }));
    await api.post('/memories/batch', { memories });
    expect(await used()).toBe(6);
    await api.get(`/memories/${body.memory.id}`);
    await api.get(`/memories/${body.memory.id}/history`);
    await api.get('/status');
    expect(await used()).toBe(6);
  });

  it('a refused call does not count', async () => {
    const api = await service.signUp();
    await expectRefused(api, () => api.post('/memories', { type: 'core' }), 'VALIDATION_ERROR');
    await expectRefused(api, () => api.delete(`/memories/${crypto.randomUUID()}`), 'NOT_FOUND');
    expect((await api.get<'status'>('/status')).body.usage.operations_this_month).toBe(0);
  });

  it('the count starts again with the calendar month (UTC)', async () => {
    const api = await service.signUp();
    const now = service.kit.clock();
    service.kit.clock.set(new Date('2026-06-30T23:59:59.999Z'));
    await api.post('/memories', { type: 'working', content: 'tea' });
    expect((await api.get<'status'>('/status')).body.usage.operations_this_month).toBe(1);
    service.kit.clock.set(new Date('2026-07-01T00:00:00.000Z'));
    const { usage, billing } = (await api.get<'status'>('/status')).body;
    expect(usage.operations_this_month).toBe(0);
    expect(billing).toMatchObject({
      period_start: '2026-07-01T00:00:00.000Z',
      period_end: '2026-08-01T00:00:00.000Z',
    });
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
});
