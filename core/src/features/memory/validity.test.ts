import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { watched } from '../recall/in-memory-index/index-cache.fixture.ts';

const kit = useTestEngine();

/** An agent by both indexes of recall: the database, and this process. */
async function bothIndexes(prepare: (agent: AgentMemory) => Promise<void>) {
  const { tenantId, agent } = await kit.tenant();
  await prepare(agent());
  const holding = watched(kit, 8 * 1024 ** 2);
  await holding.untilHeld(tenantId);
  return [agent(), holding.engine.agent(tenantId)];
}

const found = async (agent: AgentMemory, input: Omit<Parameters<AgentMemory['recall']>[0], 'query'> = {}) => {
  const { results } = await agent.recall({ query: 'where is the lantern kept', threshold: 0, ...input });
  return results.map(({ content }) => content).sort();
};

const DAY = 86_400_000;

describe('when a memory holds', () => {
  it('is from when it occurred, unless its author says otherwise', async () => {
    const agent = (await kit.tenant()).agent();
    const remember = async (times: { occurred_at?: string; valid_from?: string; valid_to?: string }) =>
      (await agent.remember({ type: 'semantic', content: 'The lantern hangs in the hall.', ...times }))
        .memory;
    const day = '2026-01-05T00:00:00.000Z';
    expect(await remember({ occurred_at: day })).toMatchObject({ valid_from: day });
    expect(
      await remember({ occurred_at: day, valid_from: '2025-12-01', valid_to: '2026-02-01' }),
    ).toMatchObject({
      occurred_at: day,
      valid_from: '2025-12-01T00:00:00.000Z',
      valid_to: '2026-02-01T00:00:00.000Z',
    });
  });

  it('can be changed, opened again, and stands in the history and in an export', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory } = await agent.remember({
      type: 'semantic',
      content: 'The lantern hangs in the hall.',
      occurred_at: '2026-01-05',
      valid_to: '2026-02-01',
      metadata: { room: 'hall' },
    });
    const { memory: open } = await agent.update({ id: memory.id, valid_to: null, valid_from: '2026-01-02' });
    expect(open).not.toHaveProperty('valid_to');
    expect(open).toMatchObject({ valid_from: '2026-01-02T00:00:00.000Z', metadata: { room: 'hall' } });
    const { versions } = await agent.history({ id: memory.id });
    expect(versions.map(({ valid_to }) => valid_to)).toEqual([undefined, '2026-02-01T00:00:00.000Z']);
    const document = (await agent.export()).export;
    const other = (await kit.tenant()).agent();
    await other.import({
      format: 'svc',
      files: [{ name: 'export.json', content: JSON.stringify(document) }],
    });
    await kit.engine.background.run('jobs.work');
    const [restored] = (await other.query({ type: 'semantic' })).memories;
    expect(restored).toMatchObject({ valid_from: '2026-01-02T00:00:00.000Z', metadata: { room: 'hall' } });
  });

  it.each([
    [{ valid_from: '2026-02-01', valid_to: '2026-01-01' }, 'valid_to'],
    [{ valid_from: '2026-02-01', valid_to: '2026-02-01' }, 'valid_to'],
    [{ occurred_at: '2026-02-01', valid_to: '2026-01-31' }, 'valid_to'],
    [{ expires_at: '2020-01-01' }, 'expires_at'],
    [{ supersedes: ['01a1fd19-0000-7000-8000-00000000ffff'] }, 'supersedes'],
    [{ metadata: { text: 'x'.repeat(4_096) } }, 'metadata'],
    [{ metadata: { a: { b: { c: { d: { e: {} } } } } } }, 'metadata'],
    [{ metadata: JSON.parse('{"__proto__": 1}') }, 'metadata'],
    [{ metadata: { inner: { constructor: 1 } } }, 'metadata'],
    [{ metadata: { text: 'a\u0000b' } }, 'metadata'],
    [{ metadata: ['a'] }, 'metadata'],
    [{ metadata: 'a' }, 'metadata'],
  ])('refuses %j', async (fields, path) => {
    const agent = (await kit.tenant()).agent();
    const draft = { type: 'semantic' as const, content: 'The lantern hangs in the hall.', ...fields };
    await expect(agent.remember(draft as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: expect.stringContaining(path) }],
    });
    const batch = { memories: [{ type: 'working' as const, content: 'fine' }, draft] };
    await expect(agent.rememberBatch(batch as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: expect.stringContaining(`memories.1.${path}`) }],
    });
    expect((await agent.status()).counts).toEqual({ core: 0, working: 0, episodic: 0, semantic: 0 });
  });

  it('refuses an end before the beginning that is stored, by a change and by a key', async () => {
    const agent = (await kit.tenant()).agent();
    const draft = { type: 'semantic', content: 'The lantern hangs in the hall.', key: 'lantern' } as const;
    const { memory } = await agent.remember({ ...draft, valid_from: '2027-02-01' });
    for (const ended of [
      agent.update({ id: memory.id, valid_to: '2027-01-31' }),
      agent.remember({ ...draft, valid_to: '2027-01-31' }),
    ]) {
      await expect(ended).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'valid_to' }],
      });
    }
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
  });

  it('is exact at every instant, in recall and query', async () => {
    const start = Date.parse('2026-01-01');
    const at = (day: number, ms = 0) => new Date(start + day * DAY + ms).toISOString();
    const spans = fc.array(
      fc.record({ from: fc.integer({ min: 0, max: 8 }), length: fc.option(fc.integer({ min: 1, max: 4 })) }),
      { minLength: 1, maxLength: 8 },
    );
    const moments = fc.array(
      fc.record({ day: fc.integer({ min: 0, max: 9 }), ms: fc.constantFrom(-1, 0, 1) }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(spans, moments, async (all, asked) => {
        const memories = all.map(({ from, length }, n) => ({
          type: 'episodic' as const,
          content: `lantern ${n}`,
          occurred_at: at(20),
          valid_from: at(from),
          ...(length === null ? {} : { valid_to: at(from + length) }),
        }));
        const agents = await bothIndexes(async (agent) => {
          await agent.rememberBatch({ memories });
        });
        for (const { day, ms } of asked) {
          const as_of = at(day, ms);
          const holds = ({ valid_from, valid_to }: (typeof memories)[number]) =>
            valid_from <= as_of && (valid_to === undefined || as_of < valid_to);
          const expected = memories.filter(holds).map(({ content }) => content);
          for (const agent of agents) {
            expect(await found(agent, { as_of, limit: 20, query: 'lantern' } as never)).toEqual(
              expected.sort(),
            );
          }
          const queried = await agents[0]?.query({ as_of, limit: 20 });
          expect(queried?.memories.map(({ content }) => content).sort()).toEqual(expected.sort());
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('a fact that has ended', () => {
  it('gives the one whose place it took no second time, asked for by a moment behind both', async () => {
    const [older, newer] = ['The lantern is kept in the hall.', 'The lantern is kept in the shed.'];
    const agents = await bothIndexes(async (agent) => {
      const fact = { type: 'semantic' as const, occurred_at: '2026-01-01' };
      const { memory } = await agent.remember({ ...fact, content: older });
      const times = { valid_from: '2026-01-05', valid_to: '2026-01-09' };
      await agent.remember({ ...fact, ...times, content: newer, supersedes: [memory.id] });
    });
    for (const [as_of, expected] of [
      ['2026-01-04', [older]],
      ['2026-01-05', [newer]],
      ['2026-01-09', []],
    ] as const) {
      for (const agent of agents) {
        expect(await found(agent, { as_of })).toEqual(expected);
        expect((await agent.query({ as_of })).memories.map(({ content }) => content)).toEqual(expected);
      }
    }
    for (const agent of agents)
      expect(await found(agent, { as_of: '2026-01-09', include_superseded: true })).toEqual([older]);
  });
});

describe('metadata', () => {
  it('filters by the value of each name, with its type', async () => {
    const agents = await bothIndexes(async (agent) => {
      await agent.rememberBatch({
        memories: [
          {
            type: 'semantic',
            content: 'lantern a',
            metadata: { room: 'hall', lamps: 2, old: true, left: 0 },
          },
          { type: 'semantic', content: 'lantern b', metadata: { room: 'hall', lamps: '2' } },
          { type: 'semantic', content: 'lantern c', metadata: { at: { x: 1, y: 2 }, tags: ['a', 'b'] } },
          { type: 'semantic', content: 'lantern d' },
        ],
      });
    });
    const cases: [Record<string, unknown>, string[]][] = [
      [{ room: 'hall' }, ['lantern a', 'lantern b']],
      [{ lamps: 2 }, ['lantern a']],
      [{ lamps: '2' }, ['lantern b']],
      [{ room: 'hall', old: true }, ['lantern a']],
      [{ left: -0 }, ['lantern a']],
      [{ at: { y: 2, x: 1 } }, ['lantern c']],
      [{ at: { x: 1 } }, []],
      [{ tags: ['a'] }, []],
      [{ room: null }, []],
      [{ toString: 'x' }, []],
      [{}, ['lantern a', 'lantern b', 'lantern c', 'lantern d']],
    ];
    for (const [metadata, expected] of cases) {
      for (const agent of agents) expect(await found(agent, { metadata })).toEqual(expected);
      const { memories } = (await agents[0]?.query({ metadata })) ?? { memories: [] };
      expect(memories.map(({ content }) => content).sort(), JSON.stringify(metadata)).toEqual(expected);
    }
  });
});

describe('what expires', () => {
  it('is gone from every answer at that instant, is archived then, and can be restored', async () => {
    const ids: string[] = [];
    const expires_at = new Date(kit.clock().getTime() + DAY).toISOString();
    const agents = await bothIndexes(async (agent) => {
      for (const content of ['lantern of today', 'lantern for ever']) {
        const until = content.endsWith('today') ? { expires_at } : {};
        const session = { session_id: 's', type: 'episodic' as const, content };
        ids.push((await agent.remember({ ...session, ...until })).memory.id);
      }
    });
    const [agent] = agents;
    const id = ids[0] ?? '';
    kit.clock.advance(DAY - 1);
    for (const one of agents) expect(await found(one)).toEqual(['lantern for ever', 'lantern of today']);
    kit.clock.advance(1);
    for (const one of agents) expect(await found(one)).toEqual(['lantern for ever']);
    if (!agent) throw new TypeError('there are two');
    expect((await agent.query({})).memories.map(({ content }) => content)).toEqual(['lantern for ever']);
    expect((await agent.boot({ preview: true })).injection).not.toContain('lantern of today');
    expect((await agent.status()).counts.episodic).toBe(1);
    expect((await agent.export()).export.memories.episodic).toHaveLength(1);
    await expect(agent.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(agent.update({ id, importance: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await kit.engine.background.run('memory.archive-expired')).toBe(1);
    expect((await agent.archived()).memories).toMatchObject([{ id }]);
    const { memory } = await agent.restore({ id });
    expect(memory).not.toHaveProperty('expires_at');
    for (const one of agents) expect(await found(one)).toEqual(['lantern for ever', 'lantern of today']);
  });

  it('is archived of each agent, also where that of another cannot be', async () => {
    const expires_at = new Date(kit.clock().getTime() + DAY).toISOString();
    const draft = { type: 'working' as const, content: 'lantern', expires_at };
    const tenants = [await kit.tenant(), await kit.tenant(), await kit.tenant()];
    for (const { agent } of tenants) await agent().remember(draft);
    const [, broken] = tenants;
    // The version that the archiving would write is there already.
    await kit.engine.database.system((tx) =>
      tx.execute(sql`INSERT INTO memory_versions (tenant_id, memory_id, type, content, importance, occurred_at, version, change,
          updated_at, source) SELECT tenant_id, id, type, content, importance, occurred_at, version, change, updated_at, source
        FROM memories WHERE tenant_id = ${broken?.tenantId}::uuid`),
    );
    kit.clock.advance(DAY);
    expect(await kit.engine.background.run('memory.archive-expired')).toBe(2);
    // Nothing of it stays behind for others.
    await kit.engine.database.system((tx) =>
      tx.execute(sql`DELETE FROM memory_versions WHERE tenant_id = ${broken?.tenantId}::uuid`),
    );
    expect(await kit.engine.background.run('memory.archive-expired')).toBe(1);
  });

  it('leaves its key to whoever comes next', async () => {
    const agent = (await kit.tenant()).agent();
    const expires_at = new Date(kit.clock().getTime() + DAY).toISOString();
    const first = await agent.remember({ type: 'working', key: 'now', content: 'lantern', expires_at });
    kit.clock.advance(DAY);
    const second = await agent.remember({ type: 'working', key: 'now', content: 'candle' });
    expect(second).toMatchObject({ outcome: 'created', memory: { version: 1 } });
    expect(second.memory.id).not.toBe(first.memory.id);
  });

  it('takes nothing else its place in recall until it is archived', async () => {
    const lasting = 'Whoever looks after the old lighthouse has the lantern in the shed behind it.';
    const expires_at = new Date(kit.clock().getTime() + DAY).toISOString();
    const agents = await bothIndexes(async (agent) => {
      const crowd = Array.from({ length: 70 }, (_, n) => `where the lantern ${n} is kept`);
      await agent.rememberBatch({
        memories: [
          { type: 'working', content: lasting },
          ...crowd.map((content) => ({ type: 'working' as const, content, expires_at })),
        ],
      });
    });
    kit.clock.advance(DAY);
    for (const agent of agents) {
      expect(await found(agent)).toEqual([lasting]);
      expect(await found(agent, { types: ['working'] })).toEqual([lasting]);
    }
  });
});

it('a fact of the first years of the calendar comes before all later ones', async () => {
  const agent = (await kit.tenant()).agent();
  const starts = ['0001-01-01T00:00:00.000Z', '0049-06-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z'];
  for (const [n, valid_from] of starts.entries()) {
    kit.clock.advance(7_200_000);
    await agent.remember({
      type: 'semantic',
      content: `The billing service listens on port 800${n}.`,
      valid_from,
    });
  }
  for (const [n, as_of] of starts.entries()) {
    const { memories } = await agent.query({ as_of });
    expect(memories.map(({ content }) => content)).toEqual([`The billing service listens on port 800${n}.`]);
  }
});

it('a long chain of facts costs a query no more than each of them', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  for (let from = 0; from < 600; from += 300) {
    await agent.rememberBatch({
      memories: Array.from({ length: 300 }, (_, n) => ({
        type: 'semantic' as const,
        content: `Report ${from + n} of quux`,
      })),
    });
  }
  // Each supersedes the one before it, as if it had said so.
  const id = sql`${tenantId}::uuid`;
  await kit.engine.database.batch(tenantId, [
    sql`UPDATE memories SET superseded_by = next FROM (
      SELECT id AS older, lead(id) OVER (ORDER BY id) AS next FROM memories WHERE tenant_id = ${id}
    ) AS chain WHERE tenant_id = ${id} AND id = older`,
  ]);
  const started = process.cpuUsage();
  const { memories } = await agent.query({});
  const { user, system } = process.cpuUsage(started);
  expect(memories).toHaveLength(1);
  // Some milliseconds; where each memory reads the rest of its chain, seconds.
  expect((user + system) / 1_000).toBeLessThan(500);
});
