import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../contract/index.ts';
import { startTestEngine, type TestEngine } from '../testing/index.ts';

const DAY_MS = 86_400_000;

describe('memories', () => {
  let kit: TestEngine;
  beforeAll(async () => {
    kit = await startTestEngine();
  });
  afterAll(() => kit.close());

  const newAgent = async (): Promise<AgentMemory> => (await kit.tenant()).agent();

  it('fills in the defaults of the spec on create', async () => {
    const agent = await newAgent();
    const { outcome, memory } = await agent.remember({ type: 'episodic', content: 'Shipped v2' });
    const now = kit.clock().toISOString();
    expect(outcome).toBe('created');
    expect(memory).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'episodic',
      content: 'Shipped v2',
      category: null,
      key: null,
      tags: [],
      importance: 0.5,
      occurred_at: now,
      created_at: now,
      updated_at: now,
      version: 1,
      source: { kind: 'agent', credential_id: null },
    });
    expect(await agent.get({ id: memory.id })).toEqual({ memory });
  });

  it('keeps text byte for byte, whatever it holds', async () => {
    const agent = await newAgent();
    const content =
      '  <script>alert(1)</script>\r\n\t"quotes" \\ {braces}, \u202e rtl 👩‍👩‍👧 e\u0301 \u0007 \'; DROP TABLE memories;-- ';
    const tags = ['a,b', 'c"d', '{e}', '\\', 'NULL'];
    const { memory } = await agent.remember({ type: 'working', content, tags, key: 'k"e\\y' });
    const read = await agent.get({ id: memory.id });
    expect(read.memory).toMatchObject({ content, tags, key: 'k"e\\y' });
    expect((await agent.query({ tags: ['c"d', '\\'] })).memories.map(({ id }) => id)).toEqual([memory.id]);
  });

  it('drops a byte order mark before the text and keeps one inside', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({ type: 'working', content: '\uFEFFa\uFEFFb' });
    expect((await agent.get({ id: memory.id })).memory.content).toBe('a\uFEFFb');
  });

  it('updates in place when the key is known, and counts the version up each time', async () => {
    const agent = await newAgent();
    const first = await agent.remember({
      type: 'semantic',
      content: 'Likes tea',
      key: 'drink',
      tags: ['taste'],
    });
    const second = await agent.remember({ type: 'semantic', content: 'Likes green tea', key: 'drink' });
    const third = await agent.remember({ type: 'semantic', content: 'Likes green tea', key: 'drink' });
    expect([first.outcome, second.outcome, third.outcome]).toEqual(['created', 'updated', 'updated']);
    expect([second.memory.id, third.memory.id]).toEqual([first.memory.id, first.memory.id]);
    expect(third.memory).toMatchObject({ version: 3, content: 'Likes green tea', tags: [] });
    const { results } = await agent.recall({ query: 'green tea', threshold: 0 });
    expect(results.map(({ content }) => content)).toEqual(['Likes green tea']);
  });

  it('makes one memory of concurrent upserts of one key', async () => {
    const agent = await newAgent();
    const writes = Array.from({ length: 12 }, (_, n) =>
      agent.remember({ type: 'working', content: `draft ${n}`, key: 'draft' }),
    );
    const stored = await Promise.all(writes);
    expect(new Set(stored.map(({ memory }) => memory.id)).size).toBe(1);
    expect(stored.map(({ memory }) => memory.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });

  it('keys are per tenant', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const mine = await one.remember({ type: 'working', content: 'mine', key: 'shared' });
    const theirs = await other.remember({ type: 'working', content: 'theirs', key: 'shared' });
    expect(theirs.outcome).toBe('created');
    expect((await one.get({ id: mine.memory.id })).memory.content).toBe('mine');
    await expect(other.get({ id: mine.memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    'not-a-uuid',
    '00000000-0000-7000-8000-000000000000',
    '{01a1fd19-b9ae-712a-a876-ca131a388ab2}',
    '',
  ])("the id %j gets the same answer as another tenant's", async (id) => {
    const [one, other] = [await newAgent(), await newAgent()];
    const { memory } = await one.remember({ type: 'working', content: 'mine' });
    const answer = (asked: string) =>
      other.get({ id: asked }).then(JSON.stringify, (error: Error) => error.message);
    expect(await answer(id)).toBe(await answer(memory.id));
    expect((await one.get({ id: memory.id.toUpperCase() })).memory).toEqual(memory);
  });

  it('a key does not change a memory into another type', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({ type: 'working', content: 'draft', key: 'plan' });
    await expect(agent.remember({ type: 'semantic', content: 'fact', key: 'plan' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { memory_id: memory.id, type: 'working' },
    });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
  });

  it.each([
    ['content', { content: ' \n\t ' }],
    ['content', { content: 'a\u0000b' }],
    ['content', { content: '\ud800' }],
    ['content', { content: 'x'.repeat(32_769) }],
    ['importance', { importance: 1.01 }],
    ['importance', { importance: Number.POSITIVE_INFINITY }],
    ['occurred_at', { occurred_at: 'yesterday' }],
    ['occurred_at', { occurred_at: '2026-02-30T10:00:00Z' }],
    ['occurred_at', { occurred_at: '2026-02-01T10:00:00' }],
    ['occurred_at', { occurred_at: '+294277-01-01T00:00:00Z' }],
    ['tags.0', { tags: ['  '] }],
    ['tags', { tags: Array.from({ length: 33 }, (_, n) => `t${n}`) }],
    ['key', { key: 'a\nb' }],
    ['category', { category: 'spirit' }],
    ['__proto__', JSON.parse('{"__proto__": {"type": "core"}}')],
  ])('names %s when it is wrong: %j', async (path, wrong) => {
    const agent = await newAgent();
    await expect(agent.remember({ type: 'working', content: 'x', ...wrong })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path, message: expect.any(String) }],
    });
    expect((await agent.status()).counts.working).toBe(0);
  });

  it('changes only the named fields', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({
      type: 'core',
      category: 'tools',
      content: 'Use ripgrep',
      tags: ['cli'],
      key: 'grep',
    });
    const { outcome, memory: changed } = await agent.update({ id: memory.id, importance: 0.9 });
    expect(outcome).toBe('updated');
    expect(changed).toEqual({ ...memory, importance: 0.9, version: 2 });
    const cleared = await agent.update({ id: memory.id, type: 'semantic', category: null, key: null });
    expect(cleared.memory).toMatchObject({ type: 'semantic', category: null, key: null, version: 3 });
  });

  it('a patch that changes nothing leaves the version alone', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({ type: 'working', content: 'same' });
    expect(await agent.update({ id: memory.id, content: 'same' })).toEqual({ outcome: 'unchanged', memory });
  });

  it('refuses a patch that would leave a core memory without category', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({ type: 'semantic', content: 'fact' });
    await expect(agent.update({ id: memory.id, type: 'core' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'category', message: expect.stringContaining('core') }],
    });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
  });

  it('a patch with an old version is a conflict and changes nothing', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({ type: 'working', content: 'one' });
    await agent.update({ id: memory.id, content: 'two' }, { ifMatch: 1 });
    await expect(agent.update({ id: memory.id, content: 'three' }, { ifMatch: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { version: 2 },
    });
    expect((await agent.get({ id: memory.id })).memory.content).toBe('two');
  });

  it('a patch to a key that another memory has is a conflict', async () => {
    const agent = await newAgent();
    await agent.remember({ type: 'working', content: 'one', key: 'taken' });
    const { memory } = await agent.remember({ type: 'working', content: 'two' });
    await expect(agent.update({ id: memory.id, key: 'taken' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('history lists every version with its author, newest first', async () => {
    const { agent } = await kit.tenant();
    const { memory } = await agent().remember({ type: 'semantic', content: 'v1' });
    kit.clock.advance(1000);
    await agent({ source: 'human', credentialId: null }).update({ id: memory.id, content: 'v2' });
    await agent().forget({ id: memory.id });
    await agent().restore({ id: memory.id });
    const { versions } = await agent().history({ id: memory.id });
    expect(
      versions.map(({ version, change, content, source }) => [version, change, content, source.kind]),
    ).toEqual([
      [4, 'restored', 'v2', 'agent'],
      [3, 'archived', 'v2', 'agent'],
      [2, 'updated', 'v2', 'human'],
      [1, 'created', 'v1', 'agent'],
    ]);
    expect(Date.parse(versions[0]?.at ?? '')).toBeGreaterThan(Date.parse(versions[3]?.at ?? ''));
  });

  describe('archive', () => {
    it('takes a memory out of recall, query, export and counts, and restore brings all back', async () => {
      const agent = await newAgent();
      const { memory } = await agent.remember({
        type: 'semantic',
        content: 'The vault code is 7421',
        key: 'vault',
      });
      const seen = async () => [
        (await agent.recall({ query: 'vault code 7421', threshold: 0 })).results.length,
        (await agent.query({})).memories.length,
        (await agent.export()).export.memories.semantic.length,
        (await agent.status()).counts.semantic,
      ];
      expect(await seen()).toEqual([1, 1, 1, 1]);
      const { memory: archived } = await agent.forget({ id: memory.id });
      expect(archived).toEqual({
        id: memory.id,
        archived_at: kit.clock().toISOString(),
        restorable_until: new Date(kit.clock().getTime() + 30 * DAY_MS).toISOString(),
      });
      expect(await seen()).toEqual([0, 0, 0, 0]);
      expect((await agent.archived()).memories.map(({ id }) => id)).toEqual([memory.id]);
      await expect(agent.get({ id: memory.id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        details: { archived_at: archived.archived_at, restorable_until: archived.restorable_until },
      });
      expect((await agent.restore({ id: memory.id })).memory).toMatchObject({ id: memory.id, key: 'vault' });
      expect(await seen()).toEqual([1, 1, 1, 1]);
      expect((await agent.archived()).memories).toEqual([]);
    });

    it('forgetting twice finds nothing, restoring twice is a conflict', async () => {
      const agent = await newAgent();
      const { memory } = await agent.remember({ type: 'working', content: 'x' });
      await agent.forget({ id: memory.id });
      await expect(agent.forget({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await agent.restore({ id: memory.id });
      await expect(agent.restore({ id: memory.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('frees the key; restoring is a conflict while another memory has it', async () => {
      const agent = await newAgent();
      const { memory } = await agent.remember({ type: 'working', content: 'old', key: 'plan' });
      await agent.forget({ id: memory.id });
      const next = await agent.remember({ type: 'working', content: 'new', key: 'plan' });
      expect(next.outcome).toBe('created');
      await expect(agent.restore({ id: memory.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('a change to an archived memory is refused', async () => {
      const agent = await newAgent();
      const { memory } = await agent.remember({ type: 'working', content: 'x' });
      await agent.forget({ id: memory.id });
      await expect(agent.update({ id: memory.id, content: 'y' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });

    it('is gone after 30 days, and not a moment before', async () => {
      const agent = await newAgent();
      const { memory } = await agent.remember({ type: 'working', content: 'x' });
      await agent.forget({ id: memory.id });
      kit.clock.advance(30 * DAY_MS - 1);
      expect((await agent.archived()).memories).toHaveLength(1);
      kit.clock.advance(1);
      expect((await agent.archived()).memories).toEqual([]);
      await expect(agent.restore({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(agent.get({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('batch', () => {
    it('stores all in the order given', async () => {
      const agent = await newAgent();
      const memories = Array.from({ length: 40 }, (_, n) => ({
        type: 'episodic' as const,
        content: `turn ${n}`,
      }));
      const answer = await agent.rememberBatch({ memories });
      expect(answer.memories.map(({ content }) => content)).toEqual(memories.map(({ content }) => content));
      expect(answer.results.every(({ outcome }) => outcome === 'created')).toBe(true);
    });

    it('stores nothing when one memory is wrong, and names it', async () => {
      const agent = await newAgent();
      const memories = [
        { type: 'working' as const, content: 'good' },
        { type: 'core' as const, content: 'no category' },
      ];
      await expect(agent.rememberBatch({ memories })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'memories.1.category', message: expect.any(String) }],
      });
      expect((await agent.status()).counts.working).toBe(0);
    });

    it('refuses a key given twice', async () => {
      const agent = await newAgent();
      const memory = { type: 'working' as const, content: 'x', key: 'same' };
      await expect(agent.rememberBatch({ memories: [memory, memory] })).rejects.toMatchObject({
        details: [{ path: 'memories.1.key', message: 'is the same as memories.0.key' }],
      });
    });

    it('rolls all back when a later memory is protected', async () => {
      const agent = await newAgent();
      await agent.remember({ type: 'core', category: 'soul', content: 'I am Ada', key: 'soul' });
      const change = { type: 'core' as const, category: 'soul' as const, content: 'I am Eve', key: 'soul' };
      await agent.remember(change);
      const memories = [{ type: 'working' as const, content: 'collateral' }, change];
      await expect(agent.rememberBatch({ memories })).rejects.toMatchObject({ code: 'GUARDIAN_PROTECTED' });
      expect((await agent.status()).counts.working).toBe(0);
    });
  });
});
