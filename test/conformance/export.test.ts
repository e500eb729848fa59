import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
  const memories = [
    { type: 'core', category: 'soul', content: 'I am Ada.' },
    { type: 'working', content: 'draft', key: 'k', tags: ['a', 'b'], importance: 0.9 },
    { type: 'episodic', content: 'second', occurred_at: '2026-02-02T00:00:00Z', session_id: 's' },
    { type: 'episodic', content: 'first', occurred_at: '2026-02-01T00:00:00Z' },
    { type: 'semantic', content: 'gone' },
  ];
  const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
  await api.delete(`/memories/${body.memories[4]?.id}`);
});

describe.each(['/export', '/memories/export'])(
  'Spec: Resources, Export document; Endpoints, Status, health, dashboard, export — GET %s',
  (path) => {
    it('answers version, exported_at, tenant_id and the memories by type', async () => {
      const { status, body } = await api.get<'export'>(path);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(['export', 'success']);
      expect(body.export).toEqual({
        version: '1',
        exported_at: service.kit.clock().toISOString(),
        tenant_id: api.tenantId,
        memories: {
          core: [expect.objectContaining({ content: 'I am Ada.', category: 'soul' })],
          working: [expect.objectContaining({ key: 'k', tags: ['a', 'b'], importance: 0.9 })],
          episodic: [
            expect.objectContaining({ content: 'first' }),
            expect.objectContaining({ content: 'second', session_id: 's' }),
          ],
          semantic: [],
        },
        archived: [expect.objectContaining({ content: 'gone', version: 2, change: 'archived' })],
        history: [expect.objectContaining({ content: 'gone', version: 1, change: 'created' })],
      });
    });

    it('holds every memory as GET /memories/{id} shows it', async () => {
      const { memories } = (await api.get<'export'>(path)).body.export;
      for (const memory of Object.values(memories).flat()) {
        expect((await api.get<'get'>(`/memories/${memory.id}`)).body.memory).toEqual(memory);
      }
    });

    it('of an agent without memories has four empty lists', async () => {
      const empty = await service.signUp();
      const { memories, archived, history } = (await empty.get<'export'>(path)).body.export;
      expect(memories).toEqual({ core: [], working: [], episodic: [], semantic: [] });
      expect({ archived, history }).toEqual({ archived: [], history: [] });
    });

    it('refuses unknown parameters', async () => {
      await expectRefused(api, () => api.get(`${path}?fields=id`), 'VALIDATION_ERROR', 'fields');
    });
  },
);

describe('Spec: Endpoints — both paths of the export', () => {
  it('answer the same', async () => {
    const [one, other] = [await api.get<'export'>('/export'), await api.get<'export'>('/memories/export')];
    expect(other.body).toEqual(one.body);
  });
});

describe('Spec: Endpoints, Status, health, dashboard, export — GET /health', () => {
  it('answers status ok and a timestamp, without a key', async () => {
    const { status, body } = await service.withKey('').get('/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', version: expect.any(String) });
    expect(body).toMatchObject({ database: service.kit.engine.database.kind });
    const { timestamp } = body as unknown as { timestamp: string };
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
  });

  it('a wrong key does not make it fail', async () => {
    expect((await service.withKey('nonsense').get('/health')).status).toBe(200);
  });

  it('/ready answers while the database does', async () => {
    expect((await service.withKey('').get('/ready')).body).toMatchObject({ success: true, status: 'ready' });
  });

  it('GET /dashboard shows account, counts, recent memories, the Guardian queue, stability and visibility', async () => {
    const api = await service.signUp();
    const soul = { type: 'core', category: 'soul', content: 'I am Ada.' };
    const { body: stored } = await api.post<'remember'>('/memories', soul);
    const { body: queued } = await api.patch(`/memories/${stored.memory.id}`, { content: 'I am Eve.' });
    await api.post('/memories', { type: 'episodic', content: 'An episode.' });
    await api.post('/memories', { type: 'working', content: 'A task.' });
    const { status, body } = await api.get<'dashboard'>('/dashboard');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      tenant: { id: api.tenantId },
      counts: { core: 1, working: 1, episodic: 1, semantic: 0 },
      recent_episodic: [{ content: 'An episode.' }],
      working: [{ content: 'A task.' }],
      guardian: [{ id: queued.entry?.id, status: 'cooling' }],
      stability: { changes: { asked: 1 } },
      visibility: { default: 'full' },
      distress: null,
    });
  });
});
