import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory, Input } from '../../../app/contract.ts';
import { rows } from '../../../kernel/database/database.ts';
import { useTestEngine } from '../../../testing/engine.fixture.ts';
import { startTestEngine, type TestEngine } from '../../../testing/index.ts';

const KEY = { source: 'agent' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000a' };
const LEAKED = { source: 'agent' as const, credentialId: '01a1fd19-0000-7000-8000-0000000000ff' };
const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000b' };
const NOTHING = { archived: 0, restored: 0, reverted: 0, queued: 0, cancelled: 0, skipped: 0 };

describe('undo', () => {
  const kit = useTestEngine();

  const meet = async () => {
    const { agent: as, tenantId } = await kit.tenant();
    return { agent: as(KEY), leaked: as(LEAKED), human: as(HUMAN), tenantId };
  };
  /** A moment after all that was and before all that will be. */
  const between = () => {
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    kit.clock.advance(1_000);
    return since;
  };

  it('archives what the source created and gives back what it changed, archived or renamed', async () => {
    const { agent, leaked, human } = await meet();
    const { memories } = await agent.rememberBatch({
      memories: [
        { type: 'semantic', content: 'Likes green tea', key: 'drink', tags: ['taste'] },
        { type: 'working', content: 'Plan the trip', key: 'plan' },
        { type: 'episodic', content: 'Met Ben in Paris' },
      ],
    });
    const [drink, plan, met] = memories;
    const since = between();
    await leaked.remember({ type: 'semantic', content: 'Likes poison', key: 'drink' });
    await leaked.update({ id: plan?.id ?? '', content: 'Plan the theft', importance: 1 });
    await leaked.update({ id: plan?.id ?? '', key: 'theft' });
    await leaked.forget({ id: met?.id ?? '' });
    const planted = await leaked.remember({ type: 'working', content: 'Planted', key: 'plan' });

    const told = await human.undo({ source: 'agent', since, dry_run: true });
    expect(told.preview?.map(({ action, memory, content }) => [action, memory.content, content])).toEqual(
      expect.arrayContaining([
        ['reverted', 'Likes poison', 'Likes green tea'],
        ['reverted', 'Plan the theft', 'Plan the trip'],
        ['restored', 'Met Ben in Paris', 'Met Ben in Paris'],
        ['archived', 'Planted', null],
      ]),
    );
    const { changes, preview } = await human.undo({ source: 'agent', since });
    expect(changes).toEqual({ ...NOTHING, archived: 1, restored: 1, reverted: 2 });
    expect([told.changes, preview]).toEqual([changes, undefined]);
    for (const before of memories) {
      const { version: _, updated_at: __, source: ___, ...fields } = before;
      expect((await agent.get({ id: before.id })).memory).toMatchObject(fields);
    }
    await expect(agent.get({ id: planted.memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { versions } = await agent.history({ id: drink?.id ?? '' });
    expect(versions.map(({ change, source }) => [change, source.kind])).toEqual([
      ['undone', 'human'],
      ['updated', 'agent'],
      ['created', 'agent'],
    ]);
    const { results } = await agent.recall({ query: 'green tea in Paris', threshold: 0 });
    expect(results.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Likes green tea', 'Met Ben in Paris']),
    );
    expect(results.map(({ content }) => content).join()).not.toMatch(/poison|theft|Planted/);
  });

  it('repeated, changes nothing more', async () => {
    const { agent, human } = await meet();
    const { memory } = await agent.remember({ type: 'working', content: 'before' });
    const since = between();
    await agent.update({ id: memory.id, content: 'after' });
    await human.undo({ source: 'agent', since });
    const once = await agent.history({ id: memory.id });
    for (const again of [human, agent]) {
      expect((await again.undo({ source: 'agent', since })).changes).toEqual(NOTHING);
    }
    expect(await agent.history({ id: memory.id })).toEqual(once);
  });

  it('by the agent itself holds just as well', async () => {
    const { agent } = await meet();
    const { memory } = await agent.remember({ type: 'working', content: 'before' });
    const since = between();
    await agent.update({ id: memory.id, content: 'after' });
    for (let n = 0; n < 3; n += 1) await agent.undo({ source: 'agent', since });
    const { versions } = await agent.history({ id: memory.id });
    expect(versions.map(({ content }) => content)).toEqual(['before', 'after', 'before']);
    const tools = await agent.remember({ type: 'core', category: 'tools', content: 'I use vim.' });
    const then = between();
    await agent.forget({ id: tools.memory.id });
    expect((await agent.undo({ source: 'agent', since: then })).changes).toEqual({ ...NOTHING, restored: 1 });
  });

  it('keeps what others changed since, field by field', async () => {
    const { agent, human } = await meet();
    const { memory } = await agent.remember({ type: 'semantic', content: 'Likes tea', tags: ['old'] });
    const since = between();
    await agent.update({ id: memory.id, content: 'Likes poison', importance: 0.9 });
    await human.update({ id: memory.id, tags: ['checked'] });
    const planted = await agent.remember({ type: 'semantic', content: 'Planted' });
    await human.update({ id: planted.memory.id, content: 'Rewritten by the human' });
    await human.undo({ source: 'agent', since });
    expect((await agent.get({ id: memory.id })).memory).toMatchObject({
      content: 'Likes tea',
      importance: 0.5,
      tags: ['checked'],
    });
    expect((await agent.get({ id: planted.memory.id })).memory.content).toBe('Rewritten by the human');
  });

  it('of two sources in either order leads to the same', async () => {
    for (const order of [
      ['agent', 'sync'],
      ['sync', 'agent'],
    ] as const) {
      const { agent, human } = await meet();
      const { memory } = await human.remember({ type: 'working', content: 'A', key: 'doc' });
      const since = between();
      await agent.update({ id: memory.id, content: 'B' });
      await agent.syncWorking({ content: 'C', key: 'doc' });
      for (const source of order) await human.undo({ source, since });
      expect((await agent.get({ id: memory.id })).memory.content).toBe('A');
    }
  });

  it('of one credential leaves the other keys of the same agent alone', async () => {
    const { agent, leaked, human } = await meet();
    const since = between();
    const good = await agent.remember({ type: 'working', content: 'good' });
    const bad = await leaked.remember({ type: 'working', content: 'bad' });
    const both = await agent.remember({ type: 'working', content: 'of both', key: 'both' });
    await leaked.update({ id: both.memory.id, importance: 0 });
    await human.update({ id: good.memory.id, importance: 1 });
    const soul = (content: string) => ({ type: 'core' as const, category: 'soul' as const, content });
    const { memories } = await human.rememberBatch({ memories: [soul('I am calm.'), soul('I am kind.')] });
    await agent.update({ id: memories[0]?.id ?? '', content: 'I am good.' });
    await leaked.update({ id: memories[1]?.id ?? '', content: 'I am bad.' });
    const asked = { source: 'agent', since, credential_id: LEAKED.credentialId } as const;
    const undone = { ...NOTHING, archived: 1, reverted: 1, cancelled: 1 };
    expect((await human.undo({ ...asked, dry_run: true })).changes).toEqual(undone);
    expect((await human.undo(asked)).changes).toEqual(undone);
    expect((await human.undo(asked)).changes).toEqual(NOTHING);
    const { entries } = await human.guardianQueue({ status: 'cooling' });
    expect(entries.map(({ proposed }) => proposed?.content)).toEqual(['I am good.']);
    expect((await agent.get({ id: good.memory.id })).memory).toMatchObject({
      content: 'good',
      importance: 1,
    });
    expect((await agent.get({ id: both.memory.id })).memory).toEqual({
      ...both.memory,
      version: 3,
      updated_at: expect.any(String),
      source: expect.anything(),
    });
    await expect(agent.get({ id: bad.memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await human.undo({ source: 'human', since });
    expect((await agent.get({ id: good.memory.id })).memory.importance).toBe(good.memory.importance);
  });

  it('leaves a memory for whose change somebody else asks, and a dry run tells so', async () => {
    const { agent, leaked, human } = await meet();
    const { memory: early } = await human.remember({
      type: 'core',
      category: 'soul',
      content: 'I am early.',
    });
    await agent.update({ id: early.id, content: 'I am late.' });
    const since = between();
    const soul = (key: string) => ({
      type: 'core' as const,
      category: 'soul' as const,
      content: `I am ${key}.`,
      key,
    });
    for (const [asker, key] of [
      [leaked, 'one'],
      [agent, 'two'],
    ] as const) {
      const { memory } = await leaked.remember(soul(key));
      await asker.update({ id: memory.id, content: 'I am bad.' });
    }
    const { memory } = await leaked.remember(soul('three'));
    const three = { ...soul('three'), content: 'I am imported.' };
    await agent.import({ files: [{ name: 'three.json', content: JSON.stringify([three]) }] });
    await kit.engine.background.run('jobs.work');
    for (const [asked, changes] of [
      [{ credential_id: LEAKED.credentialId }, { archived: 1, cancelled: 1, skipped: 2 }],
      [{}, { archived: 1, cancelled: 1, skipped: 1 }],
    ] as const) {
      const undo = { source: 'agent', since, ...asked } as const;
      expect((await human.undo({ ...undo, dry_run: true })).changes).toEqual({ ...NOTHING, ...changes });
      expect((await human.undo(undo)).changes).toEqual({ ...NOTHING, ...changes });
    }
    expect((await agent.get({ id: memory.id })).memory.content).toBe('I am three.');
  });

  it('an agent cannot undo what its human wrote', async () => {
    const { agent } = await meet();
    await expect(agent.undo({ source: 'human', since: '2020-01-01' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('of protected memories needs the human: the agent only asks', async () => {
    const { agent, human } = await meet();
    const { memory } = await agent.remember({ type: 'core', category: 'soul', content: 'I am Ada.' });
    const since = between();
    const { entry } = await agent.update({ id: memory.id, content: 'I am Mallory.' });
    await human.approveChange({ id: entry?.id ?? '' });
    const planted = await agent.remember({ type: 'core', category: 'identity', content: 'I am Eve.' });

    // A dry run asks the Guardian for nothing, and what it would end counts as ended.
    for (const [as, changes] of [
      [agent, { ...NOTHING, queued: 2 }],
      [human, { ...NOTHING, archived: 1, reverted: 1 }],
    ] as const) {
      expect((await as.undo({ source: 'agent', since, dry_run: true })).changes).toEqual(changes);
    }
    expect((await agent.undo({ source: 'agent', since })).changes).toEqual({ ...NOTHING, queued: 2 });
    expect((await human.undo({ source: 'agent', since, dry_run: true })).changes).toEqual({
      ...NOTHING,
      archived: 1,
      reverted: 1,
      cancelled: 2,
    });
    expect((await agent.get({ id: memory.id })).memory.content).toBe('I am Mallory.');
    expect((await agent.get({ id: planted.memory.id })).memory.content).toBe('I am Eve.');
    const { entries } = await human.guardianQueue({ status: 'cooling' });
    expect(entries.find(({ memory_id }) => memory_id === planted.memory.id)?.proposed).toBeNull();

    expect((await human.undo({ source: 'agent', since })).changes).toEqual({
      ...NOTHING,
      archived: 1,
      reverted: 1,
      cancelled: 2,
    });
    expect((await agent.get({ id: memory.id })).memory.content).toBe('I am Ada.');
    await expect(agent.get({ id: planted.memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('by the agent removes no memory of a soul category, whatever its type', async () => {
    const { agent } = await meet();
    const { memory } = await agent.remember({
      type: 'semantic',
      category: 'soul',
      content: 'I love the sea.',
    });
    const { changes } = await agent.undo({ source: 'agent', since: memory.created_at });
    expect(changes).toEqual({ ...NOTHING, queued: 1 });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
  });

  it('gives swapped keys back, and leaves a key that somebody else has taken', async () => {
    const { agent, human } = await meet();
    const one = (await agent.remember({ type: 'working', content: 'one', key: 'a' })).memory;
    const two = (await agent.remember({ type: 'working', content: 'two', key: 'b' })).memory;
    const three = (await agent.remember({ type: 'working', content: 'three', key: 'c' })).memory;
    const since = between();
    await agent.update({ id: one.id, key: null });
    await agent.update({ id: two.id, key: 'a' });
    await agent.update({ id: one.id, key: 'b' });
    await agent.update({ id: three.id, key: null, content: 'poison' });
    await human.remember({ type: 'working', content: 'mine', key: 'c' });
    await human.undo({ source: 'agent', since });
    expect((await agent.get({ id: one.id })).memory.key).toBe('a');
    expect((await agent.get({ id: two.id })).memory.key).toBe('b');
    expect((await agent.get({ id: three.id })).memory).toMatchObject({ content: 'three', key: null });
  });

  it('works through more memories than fit into one transaction', async () => {
    const { agent, human } = await meet();
    const since = between();
    for (let n = 0; n < 3; n += 1) {
      await agent.rememberBatch({
        memories: Array.from({ length: 150 }, (_, i) => ({
          type: 'episodic' as const,
          content: `Flood ${n} ${i}`,
        })),
      });
    }
    const told = await human.undo({ source: 'agent', since, dry_run: true });
    expect([told.changes, told.preview?.length]).toEqual([{ ...NOTHING, archived: 450 }, 100]);
    expect((await human.undo({ source: 'agent', since })).changes).toEqual(told.changes);
    expect((await agent.status()).counts.episodic).toBe(0);
  });

  it('restores the state byte for byte, whatever the source did', async () => {
    const at = fc.nat({ max: 5 });
    const content = fc
      .string({ minLength: 1, maxLength: 12 })
      .map((text) => `x${text.replaceAll('\u0000', '')}`);
    const key = fc.constantFrom('k1', 'k2', 'k3', null);
    const step = fc.oneof(
      fc.record({ do: fc.constant('create' as const), content, key }),
      fc.record({ do: fc.constant('update' as const), at, content, tags: fc.subarray(['t1', 't2']) }),
      fc.record({ do: fc.constant('rename' as const), at, key }),
      fc.record({ do: fc.constant('forget' as const), at }),
      fc.record({ do: fc.constant('restore' as const), at }),
    );
    type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
    const perform = async (as: AgentMemory, ids: string[], action: Step) => {
      const id = 'at' in action ? (ids[action.at % Math.max(1, ids.length)] ?? '') : '';
      const draft: Input<'remember'> = {
        type: 'working',
        content: 'content' in action ? action.content : '-',
      };
      try {
        if (action.do === 'create') {
          const { memory } = await as.remember({ ...draft, ...(action.key ? { key: action.key } : {}) });
          if (!ids.includes(memory.id)) ids.push(memory.id);
        } else if (action.do === 'update')
          await as.update({ id, content: action.content, tags: action.tags });
        else if (action.do === 'rename') await as.update({ id, key: action.key });
        else await as[action.do]({ id });
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|CONFLICT)$/) });
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        async (before, after) => {
          const { agent, human, tenantId } = await meet();
          const ids: string[] = [];
          for (const action of before) await perform(human, ids, action);
          const was = await snapshot(kit, tenantId);
          const since = between();
          for (const action of after) {
            kit.clock.advance(1_000);
            await perform(agent, ids, action);
          }
          await human.undo({ source: 'agent', since });
          expect(await snapshot(kit, tenantId)).toEqual(was);
        },
      ),
      { numRuns: 25 },
    );
  });
});

it('an undo whose caller goes away leaves each fact that it has changed in its place', async () => {
  const kit = await startTestEngine();
  const { agent: as } = await kit.tenant();
  const [agent, human] = [as(KEY), as(HUMAN)];
  const gone = new AbortController();
  const on = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
  const tell = async (who: AgentMemory, port: number, day: number) => {
    kit.clock.advance(7_200_000);
    const content = `The staging server listens on port ${port}.`;
    return (await who.remember({ type: 'semantic', content, valid_from: on(day) })).memory.id;
  };
  const first = await tell(agent, 8001, 3);
  await tell(human, 8002, 5);
  kit.clock.advance(7_200_000);
  const since = kit.clock().toISOString();
  await agent.update({ id: first, valid_from: on(6) });
  await tell(human, 8003, 7);
  kit.engine.use({ name: 'gone', hooks: { 'memory:stored': () => gone.abort() } });
  await human.undo({ source: 'agent', since }, { signal: gone.signal });
  expect(gone.signal.aborted).toBe(true);
  for (const [day, port] of [
    [4, 8001],
    [6, 8002],
    [8, 8003],
  ] as const) {
    const { memories } = await agent.query({ as_of: on(day), type: 'semantic' });
    expect(memories.map(({ content }) => content)).toEqual([`The staging server listens on port ${port}.`]);
  }
  await kit.close();
});

/** Everything active, and everything recall knows, as the database holds it. */
function snapshot(kit: TestEngine, tenantId: string) {
  return kit.engine.database.read(tenantId, async (tx) => ({
    memories: await rows(
      tx,
      sql`SELECT id, type, category, content, key, tags, importance, occurred_at, created_at, session_id, length
          FROM memories WHERE tenant_id = ${tenantId} AND archived_at IS NULL ORDER BY id`,
    ),
    terms: await rows(
      tx,
      sql`SELECT memory_id, term, frequency, length FROM memory_terms WHERE tenant_id = ${tenantId} ORDER BY 1, 2`,
    ),
    vectors: await rows(
      tx,
      sql`SELECT memory_id, model, embedding::text FROM memory_vectors WHERE tenant_id = ${tenantId} ORDER BY 1`,
    ),
  }));
}
