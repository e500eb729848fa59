import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine } from '../../app/engine.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { isLong } from '../../testing/index.ts';
import { importAll, textOf } from '../import/import.fixture.ts';
import { corpusSizes } from '../search-index/schema.ts';

const EXACT = 300;
const kit = useTestEngine({ settings: { recallExactUpTo: EXACT, recallHeldBytes: 0 } });

const THINGS = ['kettle', 'garden', 'invoice', 'violin', 'harbour', 'compass', 'orchard', 'curtain'];
const COLOURS = ['red', 'blue', 'green', 'white'];
const contents = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const [thing, colour] = [THINGS[n % THINGS.length], COLOURS[(n >> 3) % COLOURS.length]];
    return {
      type: 'semantic' as const,
      content: `The ${colour} ${thing} number ${n} belongs to guest${n % 97}.`,
    };
  });
const fill = async (count: number) => {
  const { tenantId, agent } = await kit.tenant();
  const memory = agent();
  const all = contents(count);
  for (let done = 0; done < count; done += 500) {
    await memory.rememberBatch({ memories: all.slice(done, done + 500) });
  }
  return { tenantId, memory };
};
const sizeOf = async (tenantId: string) => {
  const [stored] = await kit.engine.database.batch(tenantId, [
    sql`SELECT (SELECT documents FROM ${corpusSizes}) AS documents, (SELECT words FROM ${corpusSizes}) AS words,
      (SELECT count(*) FROM memories WHERE archived_at IS NULL AND NOT echoes) AS active,
      (SELECT sum(length) FROM memories WHERE archived_at IS NULL AND NOT echoes) AS active_words,
      (SELECT count(*) FROM memories WHERE echoes) AS echoes`,
  ]);
  return stored?.[0] as Record<string, string>;
};

describe('recall in a table of many tenants', () => {
  it('answers a tenant the same alone as beside a larger one, with as many results as asked for', async () => {
    const alone = await fill(200);
    const ask = async () =>
      (await alone.memory.recall({ query: 'whose is the blue kettle?', limit: 25, threshold: 0 })).results;
    const before = await ask();
    await fill(280);
    expect(before).toHaveLength(25);
    expect(await ask()).toEqual(before);
  });

  it('keeps to what a filter names, also where another name begins alike', async () => {
    const [one, ten] = [(await kit.tenant()).agent(), (await kit.tenant()).agent()];
    const say = (agent: AgentMemory, user: string) =>
      agent.remember({
        type: 'episodic',
        content: `The passphrase of ${user} is velvet.`,
        session_id: user,
        tags: [user],
      });
    for (const user of ['user-1', 'user-10']) await say(one, user);
    await say(ten, 'user-10');
    const found = async (agent: AgentMemory, filter: object) =>
      (await agent.recall({ query: 'passphrase velvet', threshold: 0, ...filter })).results.map(
        ({ session_id }) => session_id,
      );
    expect(await found(one, { session_id: 'user-1' })).toEqual(['user-1']);
    expect(await found(one, { tags: ['user-1'] })).toEqual(['user-1']);
    expect(await found(ten, {})).toEqual(['user-10']);
    expect(await found(ten, { session_id: 'user-1' })).toEqual([]);
  });

  it('leaves digests that echo their episodes out of the sizes, made here or brought back', async () => {
    const { tenantId, agent } = await kit.tenant();
    const memory = agent();
    await memory.rememberBatch({
      memories: ['a kettle', 'a violin', 'a compass', 'an orchard'].map((thing, hour) => ({
        type: 'episodic' as const,
        content: `Maya bought ${thing} in Porto.`,
        session_id: 'shopping',
        occurred_at: new Date(Date.UTC(2026, 0, 5, hour)).toISOString(),
      })),
    });
    await memory.reflect();
    await kit.engine.background.run('jobs.work');
    const own = await sizeOf(tenantId);
    expect(own).toMatchObject({ documents: own.active, words: own.active_words });
    expect(Number(own.echoes)).toBe(1);
    const other = await kit.tenant();
    const file = await textOf(kit.engine.streams(tenantId).export('json'));
    await importAll(kit, other.tenantId, { 'export.json': file });
    expect(await sizeOf(other.tenantId)).toEqual(own);
  });

  it('keeps the sizes of the corpus through every kind of change', async () => {
    const { tenantId, memory } = await fill(20);
    const { memories } = await memory.query({ limit: 4 });
    const [first, second, third] = memories.map(({ id }) => id);
    await memory.forget({ id: first ?? '' });
    await memory.update({
      id: second ?? '',
      content: 'Now of a different and much greater length than it was before.',
    });
    await memory.forget({ id: third ?? '' });
    await memory.restore({ id: third ?? '' });
    await memory.remember({ type: 'working', key: 'plan', content: 'first plan' });
    await memory.remember({ type: 'working', key: 'plan', content: 'the second plan is longer' });
    const { documents, words, active, active_words } = await sizeOf(tenantId);
    expect([documents, words]).toEqual([active, active_words]);
    expect(Number(documents)).toBe(20);
  });
});

describe('a tenant of more memories than recall looks at', () => {
  it('gets an index of its own, finds what it found without, and still sees filters and every result asked for', async () => {
    const { tenantId, memory } = await fill(420);
    const ask = async (more: object = {}) =>
      (
        await memory.recall({ query: 'the green violin number 371 of guest80', threshold: 0, ...more })
      ).results.map(({ content }) => content);
    const exact = await ask();
    expect(await kit.engine.background.run('recall.index-large')).toBe(1);
    expect(await kit.engine.background.run('recall.index-large')).toBe(0);
    const large = await ask();
    expect(large.slice(0, 3)).toEqual(exact.slice(0, 3));
    expect(large.filter((content) => exact.includes(content)).length).toBeGreaterThanOrEqual(9);
    expect(await ask({ limit: 100 })).toHaveLength(100);
    expect(await ask({ tags: ['none'] })).toEqual([]);
    const [plan] = await kit.engine.database.batch(tenantId, [
      sql`SELECT count(*)::int AS indexes FROM pg_indexes WHERE indexname LIKE 'memory_vectors_large_%'`,
    ]);
    expect(plan).toEqual([{ indexes: 1 }]);
  });

  it('is answered as it was known, however much has changed since', async () => {
    const { tenantId } = await kit.tenant();
    const options = { database: kit.engine.database, clock: kit.clock };
    // Fewer than one page of changes are kept, and one page is not enough.
    const [memory, held] = [0, 8 * 1024 ** 2].map((recallHeldBytes) =>
      createEngine({ ...options, settings: { recallExactUpTo: 100, recallHeldBytes } }).agent(tenantId),
    ) as [AgentMemory, AgentMemory];
    const tell = async (place: string, count: number) => {
      const memories = Array.from({ length: count }, (_, n) => ({
        type: 'semantic' as const,
        key: `lamp ${n}`,
        content: `The lamp number ${n} stands in the ${place}.`,
      }));
      await memory.rememberBatch({ memories });
      const at = kit.clock().toISOString();
      kit.clock.advance(1_000);
      return at;
    };
    const first = await tell('attic', 240);
    await tell('cellar', 3);
    const { memories } = await memory.query({ key: 'lamp 5' });
    await memory.forget({ id: memories[0]?.id ?? '' });
    const second = kit.clock().toISOString();
    kit.clock.advance(1_000);
    await tell('garden', 230);
    const best = async (by: AgentMemory, number: number, known_at?: string) => {
      const asked = { query: `where does lamp number ${number} stand?`, threshold: 0, limit: 3 };
      const { results } = await by.recall({ ...asked, ...(known_at ? { known_at } : {}) });
      return /in the (\w+)/.exec(results.find(({ key }) => key === `lamp ${number}`)?.content ?? '')?.[1];
    };
    for (const by of [memory, held, held]) {
      for (const [number, ...places] of [
        [1, 'attic', 'cellar', 'garden'],
        [211, 'attic', 'attic', 'garden'],
        [235, 'attic', 'attic', 'attic'],
        [5, 'attic', undefined, 'garden'],
      ] as const) {
        const found = [await best(by, number, first), await best(by, number, second), await best(by, number)];
        expect(found).toEqual(places);
      }
    }
  });

  it('answers by words as if it looked at all, also where most hold the same ones', async () => {
    // A large tenant is not looked through for near-copies.
    const settings = { recallHeldBytes: 0, recallWithout: ['vectors', 'copies'] as const };
    const { database } = kit.engine;
    const { tenantId } = await kit.tenant();
    const [large, exact] = [EXACT, Number.MAX_SAFE_INTEGER].map((recallExactUpTo) =>
      createEngine({ database, settings: { ...settings, recallExactUpTo } }).agent(tenantId),
    );
    const count = isLong() ? 2_400 : 400;
    // Episodes contradict none: of facts that do, those that are no candidates would be missing.
    const all = Array.from({ length: count }, (_, n) => ({
      type: 'episodic' as const,
      content: `The ${n % 3 === 0 ? 'blue' : 'red'} kettle${' whistles'.repeat((count - n) % 7)} beside lamp ${n}${n % 5 === 0 ? ', says Maya' : ''}.`,
    }));
    for (let done = 0; done < all.length; done += 500) {
      await exact?.rememberBatch({ memories: all.slice(done, done + 500) });
    }
    for (const query of ['the kettle', 'red kettle', 'blue kettle of Maya', 'lamp 301']) {
      const ask = async (agent: AgentMemory | undefined) =>
        (await agent?.recall({ query, threshold: 0, limit: 20 }))?.results.map(({ id }) => id);
      const wanted = await ask(exact);
      expect(wanted).toHaveLength(20);
      // By the first answer it learns how many there are, and how many hold each word.
      await ask(large);
      expect(await ask(large)).toEqual(wanted);
      expect(await ask(large)).toEqual(wanted);
    }
  });
});
