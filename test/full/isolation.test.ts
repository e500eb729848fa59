import { createEngine, createStaticEmbedder, openPostgres } from '@svc-memory/core';
import type { AgentMemory } from '@svc-memory/core/contract';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endlessMemories, memoriesOf, questionsOf, take } from '../bench/corpus.ts';
import { answersOf, narrowingsOf } from '../bench/scale/isolation.ts';
import { type Loader, openLoader } from '../bench/scale/loader.ts';

/** Memories of others beside the one that is asked; `SVC_TEST_CROWD=1000000` is the long form. */
const CROWD = Number(process.env.SVC_TEST_CROWD ?? 12_000);
const OWN = 200;
const QUESTIONS = 120;
const LOADED_AT_ONCE = 20_000;
/** Above it, a tenant has an index of its own; half the crowd are of one tenant, so that there is one. */
const EXACT_UP_TO = Math.min(10_000, CROWD / 4);
const SMALL = 200;
const HOURS = 60_000;

const own = memoriesOf(OWN, 4_711);
const narrowings = narrowingsOf(own);

let close: () => Promise<void>;
let loader: Loader;
let agentOf: (tenantId: string) => AgentMemory;
let tenant: (displayName: string) => Promise<string>;
let settled: () => Promise<void>;
let one: string;
let alone: string[];

beforeAll(async () => {
  const { url, drop } = await createTestDatabase(process.env.SVC_TEST_DATABASE_URL ?? '');
  const embedder = createStaticEmbedder();
  const database = await openPostgres({ url });
  // Its clock stands still: questions speak of "last month", and memories fade.
  const now = new Date();
  const settings = { recallExactUpTo: EXACT_UP_TO };
  const engine = createEngine({ database, embedder, settings, clock: () => now });
  loader = openLoader({ url, database, embedder });
  agentOf = (tenantId) => engine.agent(tenantId);
  tenant = async (displayName) => (await engine.tenants.create({ displayName, plan: 'local' })).id;
  settled = async () => {
    await engine.background.run('recall.index-large');
    await queryPostgres(url, 'VACUUM ANALYZE');
  };
  close = async () => {
    await loader.close();
    await engine.close();
    await drop();
  };
  one = await tenant('user-1');
  await loader.load([{ tenantId: one, memories: own }]);
  await settled();
  alone = await answersOf(agentOf(one), narrowings, QUESTIONS);
  // One tenant of half of them, the others small, all of them with the same sessions; none says a word differently.
  const large = await tenant('user-10');
  const source = endlessMemories(5);
  for (let left = CROWD / 2; left > 0; left -= LOADED_AT_ONCE) {
    await loader.load([{ tenantId: large, memories: take(source, Math.min(left, LOADED_AT_ONCE)) }]);
  }
  for (let left = CROWD / 2; left > 0; left -= LOADED_AT_ONCE) {
    const loads = [];
    for (let part = Math.min(left, LOADED_AT_ONCE); part > 0; part -= SMALL) {
      const memories = memoriesOf(Math.min(part, SMALL), left + part);
      loads.push({ tenantId: await tenant(`user-1${left + part}`), memories });
    }
    await loader.load(loads);
  }
  await settled();
}, HOURS * 60);
afterAll(() => close());

describe(`a tenant of ${OWN} memories among ${CROWD} of others`, () => {
  it(
    `gets the same answers as alone to ${QUESTIONS} questions, filtered ones too`,
    async () => {
      expect(alone.filter((answer) => answer !== '[]').length).toBeGreaterThan(QUESTIONS / 2);
      expect(await answersOf(agentOf(one), narrowings, QUESTIONS)).toEqual(alone);
    },
    HOURS,
  );

  it.each(narrowings)(
    'gets as many results as it asks for, wherever there are so many: $filter',
    async ({ filter, passes }) => {
      // Copies are shown once.
      const there = new Set(own.filter(passes).map(({ type, content }) => `${type} ${content.toLowerCase()}`))
        .size;
      expect(there).toBeGreaterThan(0);
      for (const limit of [1, 10, 50, 100]) {
        for (const query of questionsOf(5, limit)) {
          const { results } = await agentOf(one).recall({ query, ...filter, limit, threshold: 0 });
          expect(results).toHaveLength(Math.min(limit, there));
          expect(own.map(({ content }) => content)).toEqual(
            expect.arrayContaining(results.map(({ content }) => content)),
          );
        }
      }
    },
  );
});

describe('names of which one begins with the other', () => {
  it('user-1 never sees user-10, nor the other way round, by recall, query, key or session', async () => {
    const [short, long] = [await tenant('user-1'), await tenant('user-10')];
    const secret = (name: string) => `The vault of ${name} opens with a brass key.`;
    for (const [tenantId, name] of [
      [short, 'user-1'],
      [long, 'user-10'],
    ] as const) {
      await agentOf(tenantId).remember({
        ...{ type: 'episodic', content: secret(name), key: name, tags: [name], session_id: name },
      });
    }
    for (const [tenantId, name] of [
      [short, 'user-1'],
      [long, 'user-10'],
    ] as const) {
      const agent = agentOf(tenantId);
      for (const query of ['who opens the vault', 'user-1', 'user-10', 'vault user']) {
        const { results } = await agent.recall({ query, threshold: 0, limit: 100 });
        expect(results.map(({ content }) => content)).toEqual([secret(name)]);
      }
      expect((await agent.query({ limit: 100 })).memories.map(({ content }) => content)).toEqual([
        secret(name),
      ]);
    }
  });

  it('a session, tag or key user-1 of one tenant never gives what is of user-10', async () => {
    const agent = agentOf(await tenant('both'));
    for (const name of ['user-1', 'user-10', 'user-100']) {
      const content = `The vault of ${name} opens with a brass key.`;
      await agent.remember({ type: 'episodic', content, key: name, tags: [name], session_id: name });
    }
    for (const narrowed of [{ session_id: 'user-1' }, { tags: ['user-1'] }]) {
      const { results } = await agent.recall({
        query: 'vault user-10',
        threshold: 0,
        limit: 100,
        ...narrowed,
      });
      expect(results.map(({ key }) => key)).toEqual(['user-1']);
    }
    for (const narrowed of [{ session_id: 'user-1' }, { tags: ['user-1'] }, { key: 'user-1' }]) {
      expect((await agent.query(narrowed)).memories.map(({ key }) => key)).toEqual(['user-1']);
    }
  });
});
