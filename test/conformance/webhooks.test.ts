import { describe, expect, it } from 'vitest';
import { expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();

describe('Spec: Endpoints, Webhooks — POST /webhooks/compaction', () => {
  it.each([
    ['no body', undefined],
    ['an empty body', {}],
  ])('%s answers injection, estimated_tokens and metadata', async (_, sent) => {
    const api = await service.signUp();
    await api.post('/memories', { type: 'core', category: 'soul', content: 'I am Ada.' });
    const { status, body } = await api.post<'compaction'>('/webhooks/compaction', sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      injection: expect.stringContaining('I am Ada.'),
      estimated_tokens: expect.any(Number),
      metadata: {
        is_post_compaction: true,
        timestamp: service.kit.clock().toISOString(),
        stored_turns: 0,
      },
    });
    expect(Number.isInteger(body.estimated_tokens)).toBe(true);
  });

  it('the transcript is stored as episodic memory, once, however often it is sent', async () => {
    const api = await service.signUp();
    const transcript = [
      { role: 'user', content: 'Please order the blue paint.' },
      { role: 'assistant', content: 'I ordered two cans of blue paint.' },
    ];
    const send = () =>
      api.post<'compaction'>('/webhooks/compaction', { phase: 'pre', session_id: 's1', transcript });
    expect((await send()).body.metadata.stored_turns).toBe(2);
    expect((await send()).body.metadata.stored_turns).toBe(0);
    const { body } = await api.post<'query'>('/memories/query', { session_id: 's1' });
    expect(body.memories.map(({ type, source }) => [type, source.kind])).toEqual([
      ['episodic', 'webhook'],
      ['episodic', 'webhook'],
    ]);
    const recalled = await api.post<'recall'>('/memories/recall', { query: 'blue paint order' });
    expect(JSON.stringify(recalled.body.results)).toContain('two cans of blue paint');
  });

  it('never exceeds the token budget', async () => {
    const api = await service.signUp();
    await api.post('/boot-config', { token_budget: 256 });
    const memories = Array.from({ length: 50 }, (_, n) => ({
      type: 'semantic',
      content: `${n} ${'字 '.repeat(400)}`,
    }));
    await api.post('/memories/batch', { memories });
    const { body } = await api.post<'compaction'>('/webhooks/compaction', { include_semantic: true });
    expect(body.estimated_tokens).toBeLessThanOrEqual(256);
  });

  it.each([
    ['context_hint', 5],
    ['context_hint', ''],
    ['include_semantic', 'yes'],
    ['include_semantic', null],
    ['phase', 'during'],
    ['session_id', 7],
    ['hint', 'x'],
  ])('%s %j is refused', async (field, value) => {
    const api = await service.signUp();
    const send = () => api.post('/webhooks/compaction', { [field]: value });
    await expectRefused(api, send, 'VALIDATION_ERROR', field);
  });

  it.each([
    [[{ role: 'user' }]],
    [[{ content: 'x' }]],
    [[{ role: 'user', content: 'x', mood: 'y' }]],
    [[{ role: 'user', content: 'a\u0000' }]],
    [[{ role: 'user', content: 'x', occurred_at: 'now' }]],
    [{ role: 'user', content: 'x' }],
    [5],
    [''],
  ])('the transcript %j is refused', async (transcript) => {
    const api = await service.signUp();
    const send = () => api.post('/webhooks/compaction', { transcript });
    const error = await expectRefused(api, send, 'VALIDATION_ERROR');
    expect(JSON.stringify(error.details)).toMatch(/"path":"transcript/);
  });
});

describe('Spec: Endpoints, Webhooks — POST /webhooks/memory-sync', () => {
  const sync = (api: Awaited<ReturnType<typeof service.signUp>>, content: string, key?: string) =>
    api.post<'syncWorking'>('/webhooks/memory-sync', { content, ...(key === undefined ? {} : { key }) });

  it('syncs working memory: stores the document under its key', async () => {
    const api = await service.signUp();
    const { status, body } = await sync(api, 'Write the report.', 'todo');
    expect([200, 201]).toContain(status);
    expect(body.memory).toMatchObject({ type: 'working', key: 'todo', content: 'Write the report.' });
    expect(body.memory.source.kind).toBe('sync');
    expect(body.changes).toEqual({ created: 1, updated: 0, unchanged: 0, archived: 0 });
  });

  it.each([
    ['content', {}],
    ['content', { content: '' }],
    ['content', { content: 5 }],
    ['content', { content: 'a\u0000b' }],
    ['content', { content: 'x'.repeat(524_289) }],
    ['key', { content: 'x', key: '' }],
    ['key', { content: 'x', key: 'a#b' }],
    ['key', { content: 'x', key: 7 }],
    ['file', { content: 'x', file: 'SVC.md' }],
  ])('%s is refused where wrong', async (path, body) => {
    const api = await service.signUp();
    await expectRefused(api, () => api.post('/webhooks/memory-sync', body), 'VALIDATION_ERROR', path);
  });
});
