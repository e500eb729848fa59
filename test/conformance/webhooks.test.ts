import { describe, expect, it } from 'vitest';
import { expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
const SESSION_KEY = /svs_[0-9A-Za-z]{36}/;

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

  it('the post-compaction variant starts with a recovery header, the boot variant does not', async () => {
    const api = await service.signUp();
    const recovery = await api.post<'compaction'>('/webhooks/compaction', {});
    const boot = await api.get<'boot'>('/memories/boot');
    const header = (text: string) => text.split('\n')[0] ?? '';
    expect(header(recovery.body.injection)).toMatch(/^# .*recover/i);
    expect(header(boot.body.injection)).not.toMatch(/recover/i);
  });

  it('phase pre says so and answers the boot variant', async () => {
    const api = await service.signUp();
    const { body } = await api.post<'compaction'>('/webhooks/compaction', { phase: 'pre' });
    expect(body.metadata.is_post_compaction).toBe(false);
    expect(body.injection).not.toMatch(/^# .*recover/i);
    expect(body.injection).not.toMatch(SESSION_KEY);
  });

  it('context_hint and include_semantic decide about semantic memories', async () => {
    const api = await service.signUp();
    await api.post('/memories', { type: 'semantic', content: 'Gaskets of pump 3 are size 40.' });
    const injection = async (body: object) =>
      (await api.post<'compaction'>('/webhooks/compaction', body)).body.injection;
    expect(await injection({ context_hint: 'gaskets of the pump' })).toContain('size 40');
    expect(await injection({ include_semantic: true })).toContain('size 40');
    expect(await injection({ include_semantic: false })).not.toContain('size 40');
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

  it('a transcript as text is split into memories', async () => {
    const api = await service.signUp();
    const transcript = 'User: hello there\nAssistant: good day\nUser: how is the roof?';
    const { body } = await api.post<'compaction'>('/webhooks/compaction', { phase: 'pre', transcript });
    expect(body.metadata.stored_turns).toBeGreaterThan(0);
    expect((await api.get<'status'>('/status')).body.counts.episodic).toBeGreaterThan(0);
  });

  it('what was remembered before the compaction is in the recovery after it', async () => {
    const api = await service.signUp();
    await api.post('/memories', { type: 'working', content: 'Halfway through the harbour audit.' });
    const transcript = [{ role: 'user', content: 'Remember: berth 12 is closed.' }];
    await api.post('/webhooks/compaction', { phase: 'pre', session_id: 's', transcript });
    const { body } = await api.post<'compaction'>('/webhooks/compaction', { phase: 'post', session_id: 's' });
    expect(body.injection).toContain('harbour audit');
    expect(body.injection).toContain('berth 12 is closed');
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

  it('a replay with the same Idempotency-Key keeps no session key', async () => {
    const api = await service.signUp();
    const headers = { 'Idempotency-Key': 'compaction-1' };
    const first = await api.post<'compaction'>('/webhooks/compaction', {}, { headers });
    const second = await api.post<'compaction'>('/webhooks/compaction', {}, { headers });
    const keys = [first, second].map(({ body }) => SESSION_KEY.exec(body.injection)?.[0]);
    expect(keys[1] === undefined || keys[1] !== keys[0]).toBe(true);
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

  it('the same document again changes nothing', async () => {
    const api = await service.signUp();
    const document = '# Plan\nstep one\n\n# Open\nask Maria';
    const first = await sync(api, document, 'plan');
    const again = await sync(api, document, 'plan');
    const { created } = first.body.changes;
    expect(again.body.changes).toEqual({ created: 0, updated: 0, unchanged: created, archived: 0 });
    expect(again.body.memory).toEqual(first.body.memory);
  });

  it('a long document is split at headings, so that recall finds the part; what left it is archived', async () => {
    const api = await service.signUp();
    const part = (title: string, text: string) => `# ${title}\n${text} ${'padding words '.repeat(100)}\n\n`;
    const roof = part('Roof', 'The roof needs slate.');
    const boiler = part('Boiler', 'The boiler needs a valve.');
    await sync(api, roof + boiler, 'house');
    const { body } = await api.post<'recall'>('/memories/recall', { query: 'boiler valve', threshold: 0 });
    expect(body.results[0]?.key).toMatch(/^house#/);
    expect(body.results[0]?.content).not.toContain('slate');
    const shorter = await sync(api, roof, 'house');
    expect(shorter.body.changes.archived).toBe(1);
    const { working } = (await api.get<'export'>('/export')).body.export.memories;
    expect(JSON.stringify(working)).not.toContain('valve');
  });

  it('leaves other documents and other memories alone', async () => {
    const api = await service.signUp();
    await api.post('/memories', { type: 'working', content: 'mine', key: 'own' });
    await sync(api, 'one', 'a');
    await sync(api, 'two', 'b');
    await sync(api, 'three', 'b');
    const { body } = await api.post<'query'>('/memories/query', { type: 'working' });
    expect(body.memories.map(({ content }) => content).sort()).toEqual(['mine', 'one', 'three']);
  });

  it('concurrent syncs of one document leave one of them whole', async () => {
    const api = await service.signUp();
    const documents = Array.from({ length: 6 }, (_, n) => `# A\nversion ${n}\n\n# B\nversion ${n}`);
    await Promise.all(documents.map((document) => sync(api, document, 'd')));
    const { body } = await api.post<'query'>('/memories/query', { type: 'working' });
    const versions = new Set(body.memories.flatMap(({ content }) => content.match(/version \d/g) ?? []));
    expect(versions.size).toBe(1);
  });

  it('a key that belongs to a memory of another type is a conflict', async () => {
    const api = await service.signUp();
    await api.post('/memories', { type: 'core', category: 'soul', content: 'I am Ada.', key: 'me' });
    await expectRefused(api, () => sync(api, 'I am Eve.', 'me'), 'CONFLICT');
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
