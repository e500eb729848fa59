import type { AgentMemory } from '@svc-memory/core/contract';
import { describe, expect, it } from 'vitest';
import { UUID } from '../kit/contract-check.ts';
import { type Door, expectRefused } from './door.ts';

const NOTE = { type: 'episodic', content: 'The kettle is blue.' } as const;
const DAY_MS = 86_400_000;

/** Storing, reading and changing memories. */
export function describeMemories(door: Door): void {
  const store = async (agent: AgentMemory, more: object = {}) =>
    (await agent.remember({ ...NOTE, ...more })).memory;

  describe('memories', () => {
    it('A new memory gets the defaults, and is read as it was answered', async () => {
      const { agent, agentId } = await door.newLone();
      const { outcome, memory } = await agent.remember(NOTE);
      const now = door.clock().toISOString();
      expect(outcome).toBe('created');
      expect(memory).toEqual({
        ...NOTE,
        ...{ id: expect.stringMatching(UUID), category: null, key: null, tags: [], importance: 0.5 },
        ...{ occurred_at: now, valid_from: now, created_at: now, updated_at: now, version: 1 },
        source: { kind: 'agent', credential_id: agentId },
      });
      expect(await agent.get({ id: memory.id })).toEqual({ memory });
    });

    it('Text is kept byte for byte, whatever it holds', async () => {
      const agent = await door.newAgent();
      const content =
        '  <script>alert(1)</script>\r\n\t"quotes" \\ {braces}, \u202e rtl 👩‍👩‍👧 e\u0301 \u0007 \'; DROP TABLE memories;-- ';
      const tags = ['a,b', 'c"d', '{e}', '\\', 'NULL'];
      const { id } = await store(agent, { content, tags, key: 'k"e\\y' });
      expect((await agent.get({ id })).memory).toMatchObject({ content, tags, key: 'k"e\\y' });
      expect((await agent.query({ tags: ['c"d', '\\'] })).memories.map((one) => one.id)).toEqual([id]);
    });

    it('A byte order mark before the text is dropped, one inside is kept', async () => {
      const agent = await door.newAgent();
      const { id } = await store(agent, { content: '\uFEFFa\uFEFFb' });
      expect((await agent.get({ id })).memory.content).toBe('a\uFEFFb');
    });

    it('A known key replaces what is given and only that, and counts the version up', async () => {
      const agent = await door.newAgent();
      const taste = { type: 'semantic', key: 'drink' } as const;
      const first = await agent.remember({
        ...taste,
        content: 'Likes tea',
        tags: ['taste'],
        importance: 0.9,
      });
      const second = await agent.remember({ ...taste, content: 'Likes green tea' });
      const third = await agent.remember({ ...taste, content: 'Likes white tea', tags: [] });
      expect([first.outcome, second.outcome, third.outcome]).toEqual(['created', 'updated', 'updated']);
      const { id, created_at } = first.memory;
      const kept = { id, created_at, importance: 0.9 };
      expect(second.memory).toMatchObject({
        ...kept,
        version: 2,
        content: 'Likes green tea',
        tags: ['taste'],
      });
      expect(third.memory).toMatchObject({ ...kept, version: 3, content: 'Likes white tea', tags: [] });
      const { results } = await agent.recall({ query: 'green tea', threshold: 0 });
      expect(results.map(({ content }) => content)).toEqual(['Likes white tea']);
      expect(Object.keys(results[0] ?? {})).not.toContain('updated_at');
      const asked = { query: 'green tea', threshold: 0, include_times: true };
      expect((await agent.recall(asked)).results).toMatchObject([
        { created_at, updated_at: third.memory.updated_at },
      ]);
      expect((await agent.query({ key: 'drink' })).memories).toEqual([third.memory]);
    });

    it('Concurrent upserts of one key make one memory, and the last version is what is stored', async () => {
      const agent = await door.newAgent();
      const stored = await Promise.all(
        Array.from({ length: 20 }, (_, n) => agent.remember({ ...NOTE, key: 'race', content: `Lap ${n}.` })),
      );
      expect(stored.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(new Set(stored.map(({ memory }) => memory.id)).size).toBe(1);
      const versions = stored.map(({ memory }) => memory.version).sort((a, b) => a - b);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      const winner = stored.find(({ memory }) => memory.version === 20)?.memory;
      expect((await agent.query({ key: 'race' })).memories).toEqual([winner]);
    });

    it('Keys of one agent mean nothing to another', async () => {
      const [one, other] = [await door.newAgent(), await door.newAgent()];
      const mine = await store(one, { key: 'shared', content: 'mine' });
      const theirs = await store(other, { key: 'shared', content: 'theirs' });
      expect([theirs.version, theirs.id === mine.id]).toEqual([1, false]);
      expect((await one.get({ id: mine.id })).memory.content).toBe('mine');
    });

    it.each(['not-a-uuid', '00000000-0000-7000-8000-000000000000', '{01a1fd19-b9ae-712a-a876-ca131a388ab2}'])(
      "The id %j is answered as another agent's is",
      async (id) => {
        const [one, other] = [await door.newAgent(), await door.newAgent()];
        const memory = await store(one);
        const answer = (asked: string) =>
          other.get({ id: asked }).then(JSON.stringify, ({ code, message }) => `${code} ${message}`);
        expect(await answer(id)).toBe(await answer(memory.id));
        expect((await one.get({ id: memory.id.toUpperCase() })).memory).toEqual(memory);
      },
    );

    it.each([
      ['content', { content: ' \n\t ' }],
      ['content', { content: 'a\u0000b' }],
      ['content', { content: '\ud800' }],
      ['content', { content: 'x'.repeat(32_769) }],
      ['importance', { importance: 1.01 }],
      ['importance', { importance: Number.POSITIVE_INFINITY }],
      ['occurred_at', { occurred_at: 'yesterday' }],
      ['occurred_at', { occurred_at: '2026-02-30T10:00:00Z' }],
      ['occurred_at', { occurred_at: '+294277-01-01T00:00:00Z' }],
      ['tags.0', { tags: ['  '] }],
      ['tags', { tags: Array.from({ length: 33 }, (_, n) => `t${n}`) }],
      ['key', { key: 'a\nb' }],
      ['category', { category: 'spirit' }],
      ['__proto__', JSON.parse('{"__proto__": {"type": "core"}}')],
    ])('A wrong %s is refused by name: %j', async (path, wrong) => {
      const lone = await door.newLone();
      await expectRefused(lone, () => store(lone.agent, wrong), 'VALIDATION_ERROR', path);
    });

    it('History lists every version with its author, newest first', async () => {
      const { agent, human, agentId, humanId } = await door.newPair();
      const { id } = await store(agent, { content: 'v1' });
      door.clock.advance(1000);
      await human.update({ id, content: 'v2' });
      await agent.forget({ id });
      await agent.restore({ id });
      const { versions } = await agent.history({ id });
      const byAgent = { kind: 'agent', credential_id: agentId };
      expect(
        versions.map(({ version, change, content, source }) => [version, change, content, source]),
      ).toEqual([
        [4, 'restored', 'v2', byAgent],
        [3, 'archived', 'v2', byAgent],
        [2, 'updated', 'v2', { kind: 'human', credential_id: humanId }],
        [1, 'created', 'v1', byAgent],
      ]);
      expect(Date.parse(versions[0]?.at ?? '')).toBeGreaterThan(Date.parse(versions[3]?.at ?? ''));
    });
  });

  describe('changes', () => {
    const CHANGES = {
      ...{ content: 'New.', category: 'tools', tags: ['new'], importance: 0.1 },
      ...{ occurred_at: '2025-05-05T05:05:05.000Z', key: 'renamed', type: 'semantic' },
    };

    it.each(Object.entries(CHANGES))('A change of %s changes that alone', async (field, value) => {
      const agent = await door.newAgent();
      const before = await store(agent, { tags: ['old'] });
      door.clock.advance(1000);
      const answer = await agent.update({ id: before.id, [field]: value });
      // What a memory says holds from when it occurred.
      const start = field === 'occurred_at' ? { valid_from: value } : {};
      const updated_at = door.clock().toISOString();
      const memory = { ...before, ...start, [field]: value, version: 2, updated_at };
      expect(answer).toEqual({ outcome: 'updated', memory });
      expect((await agent.get({ id: before.id })).memory).toEqual(memory);
    });

    it('Category and key can be cleared', async () => {
      const agent = await door.newAgent();
      const { id } = await store(agent, { type: 'core', category: 'tools', key: 'grep' });
      const { memory } = await agent.update({ id, type: 'semantic', category: null, key: null });
      expect(memory).toMatchObject({ type: 'semantic', category: null, key: null, version: 2 });
    });

    it('A change that changes nothing leaves the version alone', async () => {
      const agent = await door.newAgent();
      const memory = await store(agent);
      const { id, content } = memory;
      expect(await agent.update({ id, content })).toEqual({ outcome: 'unchanged', memory });
    });

    it('A core memory keeps a category', async () => {
      const lone = await door.newLone();
      const { id } = await store(lone.agent);
      const change = (fields: object) => () => lone.agent.update({ id, ...fields });
      await expectRefused(lone, change({ type: 'core' }), 'VALIDATION_ERROR', 'category');
      await lone.agent.update({ id, type: 'core', category: 'tools' });
      await expectRefused(lone, change({ category: null }), 'VALIDATION_ERROR', 'category');
    });

    it('A change of an older version than the stored one is a conflict', async () => {
      const lone = await door.newLone();
      const { id } = await store(lone.agent);
      await lone.agent.update({ id, content: 'two' }, { ifMatch: 1 });
      const late = () => lone.agent.update({ id, content: 'three' }, { ifMatch: 1 });
      expect((await expectRefused(lone, late, 'CONFLICT')).details).toEqual({ version: 2 });
    });

    it('A deletion of an older version than the stored one is a conflict, and deletes nothing', async () => {
      const lone = await door.newLone();
      const { id } = await store(lone.agent);
      await lone.agent.update({ id, content: 'two' });
      const late = () => lone.agent.forget({ id }, { ifMatch: 1 });
      expect((await expectRefused(lone, late, 'CONFLICT')).details).toEqual({ version: 2 });
      expect((await lone.agent.forget({ id }, { ifMatch: 2 })).memory.archived_at).toBeDefined();
    });

    it('Where no version is compared, one that is named is refused and nothing stored', async () => {
      const lone = await door.newLone();
      const { agent } = lone;
      const draft = { type: 'semantic', content: 'one', key: 'plan' } as const;
      await agent.remember(draft);
      const { item } = await agent.createWipItem({ title: 'a plan' });
      const path = '/memories/a.md';
      const stale = { ifMatch: 99 };
      const calls = [
        () => agent.remember({ ...draft, content: 'two' }, stale),
        () => agent.rememberBatch({ memories: [{ ...draft, content: 'two' }] }, stale),
        () => agent.syncWorking({ key: 'notes', content: '# Notes' }, stale),
        () => agent.updateWipItem({ id: item.id, title: 'another plan' }, stale),
        () => agent.deleteWipItem({ id: item.id }, stale),
        () => agent.fileCommand({ command: 'create', path, file_text: 'text' }, stale),
        () => agent.fileCommand({ command: 'view', path }, stale),
      ];
      for (const call of calls) await expectRefused(lone, call, 'VALIDATION_ERROR', 'If-Match');
    });

    it('Of concurrent changes of one version exactly one applies', async () => {
      const agent = await door.newAgent();
      const { id } = await store(agent);
      const asked = await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) => agent.update({ id, content: `v${n}` }, { ifMatch: 1 })),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      expect(new Set(refused)).toEqual(new Set(['CONFLICT']));
    });

    it('A key that another active memory has is a conflict', async () => {
      const lone = await door.newLone();
      await store(lone.agent, { key: 'taken' });
      const { id } = await store(lone.agent);
      await expectRefused(lone, () => lone.agent.update({ id, key: 'taken' }), 'CONFLICT');
    });
  });

  describe('batches', () => {
    it('A batch updates what is known and creates the rest', async () => {
      const agent = await door.newAgent();
      const before = await store(agent, { key: 'b1' });
      const memories = [
        { ...NOTE, key: 'b1', content: 'one' },
        { ...NOTE, key: 'b2', content: 'two' },
      ];
      const answer = await agent.rememberBatch({ memories });
      expect(answer.results.map(({ outcome }) => outcome)).toEqual(['updated', 'created']);
      expect(answer.memories[0]).toMatchObject({ id: before.id, content: 'one', version: 2 });
    });

    it('A batch with one wrong memory stores none, and names it', async () => {
      const lone = await door.newLone();
      const memories = [NOTE, { type: 'core' as const, content: 'no category' }];
      const call = () => lone.agent.rememberBatch({ memories });
      await expectRefused(lone, call, 'VALIDATION_ERROR', 'memories.1.category');
    });

    it('A batch that gives a key twice is refused', async () => {
      const lone = await door.newLone();
      const memory = { ...NOTE, key: 'same' };
      const call = () => lone.agent.rememberBatch({ memories: [memory, memory] });
      expect((await expectRefused(lone, call, 'VALIDATION_ERROR')).details).toEqual([
        { path: 'memories.1.key', message: 'is the same as memories.0.key' },
      ]);
    });

    it('A batch is rolled back when a later memory is protected', async () => {
      const lone = await door.newLone();
      const change = { type: 'core', category: 'soul', content: 'I am Eve', key: 'soul' } as const;
      await lone.agent.remember({ ...change, content: 'I am Ada' });
      await lone.agent.remember(change);
      const call = () => lone.agent.rememberBatch({ memories: [NOTE, change] });
      await expectRefused(lone, call, 'GUARDIAN_PROTECTED');
    });
  });

  describe('idempotency keys', () => {
    it('A repeated call answers what the first answered and stores nothing more', async () => {
      const { agent, digest } = await door.newLone();
      const first = await agent.remember(NOTE, { idempotencyKey: 'once' });
      const before = await digest();
      door.clock.advance(5_000);
      expect(await agent.remember(NOTE, { idempotencyKey: 'once' })).toEqual(first);
      expect(await digest()).toBe(before);
    });

    it('Concurrent calls with one key store one memory and answer the same', async () => {
      const agent = await door.newAgent();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => agent.remember(NOTE, { idempotencyKey: 'parallel' })),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect((await agent.status()).counts.episodic).toBe(1);
    });

    it('A key that was used for another input is a conflict', async () => {
      const lone = await door.newLone();
      const options = { idempotencyKey: 'reused' };
      await lone.agent.remember(NOTE, options);
      const other = () => lone.agent.remember({ ...NOTE, content: 'Other.' }, options);
      await expectRefused(lone, other, 'CONFLICT');
    });

    it('A key is new again after 24 hours', async () => {
      const agent = await door.newAgent();
      const options = { idempotencyKey: 'daily' };
      const first = await agent.remember(NOTE, options);
      door.clock.advance(DAY_MS + 1);
      expect((await agent.remember(NOTE, options)).memory.id).not.toBe(first.memory.id);
    });

    it('A key belongs to one agent', async () => {
      const [one, other] = [await door.newAgent(), await door.newAgent()];
      const options = { idempotencyKey: 'same' };
      await one.remember(NOTE, options);
      const { outcome } = await other.remember(NOTE, options);
      expect(outcome).toBe('created');
    });
  });
}
