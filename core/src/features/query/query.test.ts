import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

describe('query', () => {
  const kit = useTestEngine();
  let agent: AgentMemory;
  beforeAll(async () => {
    agent = (await kit.tenant()).agent();
    const on = (day: number) => `2026-01-0${day}T10:00:00Z`;
    await agent.rememberBatch({
      memories: [
        { type: 'episodic', content: 'Met Ann at the fair', occurred_at: on(1), tags: ['people', 'fair'] },
        { type: 'episodic', content: 'Annual report sent', occurred_at: on(2), session_id: 's1' },
        {
          type: 'semantic',
          content: 'ANN likes jazz',
          occurred_at: on(3),
          tags: ['people'],
          importance: 0.9,
        },
        { type: 'core', category: 'tools', content: 'Use C++ (not C)', occurred_at: on(4), key: 'language' },
      ],
    });
  });

  const contents = async (input: Parameters<AgentMemory['query']>[0]) =>
    (await agent.query(input)).memories.map(({ content }) => content);

  it('answers newest first without filters', async () => {
    expect(await contents({})).toEqual([
      'Use C++ (not C)',
      'ANN likes jazz',
      'Annual report sent',
      'Met Ann at the fair',
    ]);
  });

  it.each([
    [{ type: 'episodic' }, ['Annual report sent', 'Met Ann at the fair']],
    [{ category: 'tools' }, ['Use C++ (not C)']],
    [{ tags: ['people'] }, ['ANN likes jazz', 'Met Ann at the fair']],
    [{ tags: ['people', 'fair'] }, ['Met Ann at the fair']],
    [{ tags: ['nobody'] }, []],
    [{ since: '2026-01-03' }, ['Use C++ (not C)', 'ANN likes jazz']],
    [{ until: '2026-01-02' }, ['Annual report sent', 'Met Ann at the fair']],
    [{ since: '2026-01-02T10:00:00Z', until: '2026-01-02T10:00:00Z' }, ['Annual report sent']],
    [{ key: 'language' }, ['Use C++ (not C)']],
    [{ session_id: 's1' }, ['Annual report sent']],
    [{ importance_min: 0.9 }, ['ANN likes jazz']],
    [{ source: 'human' }, []],
    [{ source: 'agent', category: 'tools' }, ['Use C++ (not C)']],
    [
      { sort: 'importance' },
      ['ANN likes jazz', 'Use C++ (not C)', 'Annual report sent', 'Met Ann at the fair'],
    ],
    [{ order: 'asc' }, ['Met Ann at the fair', 'Annual report sent', 'ANN likes jazz', 'Use C++ (not C)']],
    [{ entity: 'ann' }, ['ANN likes jazz', 'Met Ann at the fair']],
    [{ entity: 'C++' }, ['Use C++ (not C)']],
    [{ entity: '.*' }, []],
    [{ type: 'semantic', entity: 'Ann', since: '2026-01-01' }, ['ANN likes jazz']],
  ] as const)('%j', async (filters, expected) => {
    expect(await contents(filters as Parameters<AgentMemory['query']>[0])).toEqual(expected);
  });

  it('pages through everything once, though memories are stored between the pages', async () => {
    const own = (await kit.tenant()).agent();
    await own.rememberBatch({
      memories: Array.from({ length: 25 }, (_, n) => ({ type: 'working' as const, content: `m${n}` })),
    });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await own.query({ limit: 10, ...(cursor ? { cursor } : {}) });
      seen.push(...page.memories.map(({ content }) => content));
      cursor = page.next_cursor;
      kit.clock.advance(1000);
      await own.remember({ type: 'working', content: 'late' });
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `m${24 - n}`));
  });

  it.each([
    { sort: 'importance', order: 'desc' },
    { sort: 'importance', order: 'asc' },
    { sort: 'updated_at', order: 'desc' },
    { sort: 'occurred_at', order: 'asc' },
  ] as const)('pages through everything once by %j', async (sorted) => {
    const own = (await kit.tenant()).agent();
    await own.rememberBatch({
      memories: Array.from({ length: 12 }, (_, n) => ({
        type: 'episodic' as const,
        content: `m${n}`,
        importance: (n % 3) / 10 + 0.1,
      })),
    });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await own.query({ ...sorted, limit: 5, ...(cursor ? { cursor } : {}) });
      seen.push(...page.memories.map(({ content }) => content));
      cursor = page.next_cursor;
    }
    expect(seen.toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `m${n}`).toSorted());
    const { memories } = await own.query({ ...sorted, limit: 100 });
    expect(seen).toEqual(memories.map(({ content }) => content));
  });

  it('lists the most important first, of equal ones the newest, whatever their types and writers', async () => {
    const { agent: as } = await kit.tenant();
    const days = ['2026-03-03', '2026-01-01', '2026-02-02', '2026-05-05', '2026-04-04'];
    for (const [n, occurred_at] of days.entries()) {
      const type = (['episodic', 'semantic', 'working'] as const)[n % 3] ?? 'working';
      const draft = { type, occurred_at, importance: 0.5 };
      await as().remember({ ...draft, content: `${occurred_at} by the agent` });
      await as({ source: 'import', credentialId: null }).remember({
        ...draft,
        content: `${occurred_at} from outside`,
        importance: n === 0 ? 0.9 : 0.5,
      });
    }
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await as().query({ sort: 'importance', limit: 3, ...(cursor ? { cursor } : {}) });
      seen.push(...page.memories.map(({ content }) => content.slice(0, 10)));
      cursor = page.next_cursor;
    }
    const twice = [...days]
      .sort()
      .reverse()
      .flatMap((day) => [day, day]);
    expect(seen).toEqual(['2026-03-03', ...twice.filter((_, place) => place !== 4)]);
    const { memories } = await as().query({ sort: 'importance', type: 'semantic' });
    expect(memories.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => 'semantic'));
  });

  it('puts what was changed last first, where asked to', async () => {
    const own = (await kit.tenant()).agent();
    const { memory } = await own.remember({ type: 'semantic', content: 'The first one.' });
    kit.clock.advance(1_000);
    await own.remember({ type: 'semantic', content: 'A second thing entirely.' });
    kit.clock.advance(1_000);
    await own.update({ id: memory.id, importance: 0.9 });
    const { memories } = await own.query({ sort: 'updated_at' });
    expect(memories.map(({ id }) => id)[0]).toBe(memory.id);
  });

  it('refuses the cursor of a list that is sorted otherwise', async () => {
    const { next_cursor: byTime } = await agent.query({ limit: 1 });
    const { next_cursor: byImportance } = await agent.query({ limit: 1, sort: 'importance' });
    for (const input of [
      { cursor: byTime ?? '', sort: 'importance' as const },
      { cursor: byImportance ?? '' },
    ]) {
      await expect(agent.query(input)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'cursor' }],
      });
    }
  });

  it.each(['x', 'bm9wZQ', ''])('refuses the cursor %j', async (cursor) => {
    await expect(agent.query({ cursor })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'cursor' }],
    });
  });
});
