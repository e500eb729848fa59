import { afterEach, describe, expect, it } from 'vitest';
import type { Plugin } from '../kernel/context/hooks.ts';
import { SvcError } from '../kernel/contract/errors.ts';
import { UnwritableError } from '../kernel/database/errors.ts';
import { type Logger, silentLogger } from '../kernel/runtime/runtime.ts';
import { startTestEngine, type TestEngine } from '../testing/index.ts';
import type { AgentMemory } from './contract.ts';

const NEVER = new Promise<never>(() => {});
const FACT = 'Deploys are frozen on Fridays.';
const PATIENCE = { pluginPatienceMs: 50, pluginStorePatienceMs: 50 };

type Hooks = Plugin['hooks'];
/** Hooks as JavaScript may write them. */
type Untyped = Readonly<Record<string, (value: never, call: never) => unknown>>;

let kit: TestEngine | undefined;
afterEach(() => kit?.close());

/** Two agents, and a plugin named "broken" that comes when the first remembers a fact. */
async function withPlugin(hooks: Untyped | ((agent: AgentMemory) => Untyped), settings = PATIENCE) {
  const logged: object[] = [];
  const logger: Logger = { ...silentLogger, error: (facts) => void logged.push(facts) };
  kit = await startTestEngine({ logger, settings });
  const agent = (await kit.tenant()).agent();
  const other = (await kit.tenant()).agent();
  await agent.remember({ type: 'semantic', content: FACT });
  await other.remember({ type: 'semantic', content: 'Bert drinks tea.' });
  const made = typeof hooks === 'function' ? hooks(agent) : hooks;
  kit.engine.use({ name: 'broken', hooks: made as Hooks });
  return { agent, other, logged, engine: kit.engine };
}

const recalled = async (agent: AgentMemory) =>
  (await agent.recall({ query: 'when are deploys frozen?' })).results.map(({ content }) => content);
const stored = async (agent: AgentMemory) => (await agent.query({})).memories.map(({ content }) => content);
const fail = () => {
  throw new Error('plugin bug');
};

it('a plugin refuses a call by the error of another copy of the package, as where modules are loaded anew', async () => {
  const copy = '../kernel/contract/errors.ts?copy';
  const { SvcError: Foreign }: typeof import('../kernel/contract/errors.ts') = await import(copy);
  expect(Foreign).not.toBe(SvcError);
  const { agent } = await withPlugin({
    'memory:beforeStore': () => {
      throw new Foreign('FORBIDDEN', 'keep notes short');
    },
  });
  const refused = await agent
    .remember({ type: 'semantic', content: 'Pears.' })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'FORBIDDEN', message: 'keep notes short' });
  expect(refused).toBeInstanceOf(SvcError);
  expect(refused).not.toBeInstanceOf(UnwritableError);
});

describe('a broken plugin', () => {
  it.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('plugin bug'))],
    ['never answers', () => NEVER],
  ])('that %s is left out of what is read, and named in the log once', async (_, broken) => {
    const hooks = { 'recall:before': broken, 'recall:after': broken, 'boot:sections': broken, event: broken };
    const { agent, other, logged } = await withPlugin(hooks);
    for (let round = 0; round < 2; round += 1) {
      expect(await recalled(agent)).toEqual([FACT]);
      expect((await agent.boot()).injection).toContain(FACT);
      expect((await other.recall({ query: 'what does Bert drink?' })).results).toHaveLength(1);
    }
    const named = logged.map((facts) => (facts as { hook: string }).hook);
    expect(named.sort()).toEqual(Object.keys(hooks).sort());
  });

  it.each([
    ['throws', fail],
    ['never answers', () => NEVER],
  ])('that %s before a memory is stored stores nothing, which the caller is told', async (_, broken) => {
    const { agent, other } = await withPlugin({
      'memory:beforeStore': (draft: { content: string }) =>
        draft.content === 'Apples.' ? broken() : undefined,
    });
    const refused = { code: 'UNAVAILABLE', message: expect.stringContaining('plugin broken') };
    const [apples, pears] = ['Apples.', 'Pears.'].map((content) => ({ type: 'semantic' as const, content }));
    await expect(agent.remember(apples as never)).rejects.toMatchObject(refused);
    await expect(agent.rememberBatch({ memories: [pears, apples] as never })).rejects.toMatchObject(refused);
    expect(await stored(agent)).toEqual([FACT]);
    await other.remember(pears as never);
    expect(await stored(other)).toContain('Pears.');
  });

  it('that never hears of an end keeps no write from its answer, nor the engine from closing', async () => {
    const { agent, engine } = await withPlugin({ event: () => NEVER, 'memory:stored': () => NEVER });
    await agent.remember({ type: 'semantic', content: 'Apples.' });
    expect(await stored(agent)).toContain('Apples.');
    await engine.close();
    kit = undefined;
  });

  it.each<[string, (draft: object) => unknown]>([
    ['a number', () => 5],
    ['a list', () => []],
    ['an unknown type', (draft) => ({ ...draft, type: 'bogus' })],
    ['core without a category', (draft) => ({ ...draft, type: 'core' })],
    ['no content', (draft) => ({ ...draft, content: '' })],
    ['a content that is no text', (draft) => ({ ...draft, content: 5 })],
    ['a huge content', (draft) => ({ ...draft, content: 'x '.repeat(50_000) })],
    ['NUL', (draft) => ({ ...draft, content: 'a\0b' })],
    ['an importance beyond 1', (draft) => ({ ...draft, importance: 5 })],
    ['NaN', (draft) => ({ ...draft, importance: Number.NaN })],
    ['too many tags', (draft) => ({ ...draft, tags: Array.from({ length: 99 }, (_, n) => `t${n}`) })],
    ['an invalid time', (draft) => ({ ...draft, occurred_at: new Date(Number.NaN) })],
    ['a blank key', (draft) => ({ ...draft, key: '' })],
    ['an id', (draft) => ({ ...draft, id: '00000000-0000-7000-8000-000000000000' })],
    ['a prototype', (draft) => ({ ...draft, metadata: JSON.parse('{"__proto__": {"polluted": 1}}') })],
  ])('cannot make a memory of %s', async (_, change) => {
    const { agent, logged } = await withPlugin({ 'memory:beforeStore': change });
    const storing = agent.remember({ type: 'semantic', content: 'Apples.' });
    await expect(storing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await stored(agent)).toEqual([FACT]);
    expect(logged).toMatchObject([{ plugin: 'broken', hook: 'memory:beforeStore' }]);
  });

  it.each<[string, Untyped]>([
    ['a number', { 'recall:after': () => 5 }],
    ['a text', { 'recall:after': () => 'abc' }],
    ['parts of results', { 'recall:after': (all: { id: string }[]) => all.map(({ id }) => ({ id })) }],
    [
      'what was not found',
      {
        'recall:after': (all: object[]) => [{ ...all[0], id: '00000000-0000-7000-8000-000000000000' }],
      },
    ],
    ['copies', { 'recall:after': ([best]: object[]) => [best, best] }],
    ['another question that is none', { 'recall:before': (asked: object) => ({ ...asked, query: 5 }) }],
    ['a limit beyond all', { 'recall:before': (asked: object) => ({ ...asked, limit: -1 }) }],
  ])('cannot answer %s for a recall', async (_, hooks) => {
    const { agent, logged } = await withPlugin(hooks);
    expect(await recalled(agent)).toEqual([FACT]);
    expect(logged).toMatchObject([{ plugin: 'broken', hook: Object.keys(hooks)[0] }]);
  });

  it.each<[string, (sections: object[]) => unknown]>([
    ['a number', () => 5],
    ['null', (all) => [...all, null]],
    ['a section without entries', (all) => [...all, { name: 'mine', title: 'Mine' }]],
    ['an entry that is no text', (all) => [...all, { name: 'mine', title: 'Mine', entries: [{ text: 5 }] }]],
    [
      'part of a memory',
      (all) => [...all, { name: 'm', title: 'M', entries: [{ memory: { content: 'x' } }] }],
    ],
  ])('cannot keep an agent from booting by %s', async (_, hook) => {
    const { agent, logged } = await withPlugin({ 'boot:sections': hook });
    expect((await agent.boot()).injection).toContain(FACT);
    expect(logged).toMatchObject([{ plugin: 'broken', hook: 'boot:sections' }]);
  });

  it('changes no injection where it answers what it was given', async () => {
    const { agent, engine } = await withPlugin({});
    await agent.boot();
    const text = 'The billing service listens on port';
    await agent.remember({
      type: 'semantic',
      content: `${text} 8080.`,
      importance: 1,
      occurred_at: '2026-02-20',
    });
    await agent.remember({ type: 'semantic', content: `${text} 9090 now.`, importance: 1 });
    await agent.remember({ type: 'semantic', content: 'Maja drives a red car.', occurred_at: '2026-02-20' });
    await agent.remember({ type: 'semantic', content: 'Maja got a blue bicycle in place of her car.' });
    await agent.remember({ type: 'working', content: `A long plan. ${'It goes on. '.repeat(400)}` });
    for (const n of [1, 2, 3])
      await agent.remember({ type: 'episodic', content: `Stand-up ${n}: all is well.` });
    const before = await agent.previewBoot();
    let asked = 0;
    const same: NonNullable<Hooks['boot:sections']> = (sections) => {
      asked += 1;
      return sections.map((section) => ({ ...section }));
    };
    engine.use({ name: 'same', hooks: { 'boot:sections': same } });
    expect(await agent.previewBoot()).toEqual(before);
    expect(asked).toBe(1);
  });

  it('changes nothing but by its answer: what it is given are copies', async () => {
    const heard: unknown[] = [];
    const { agent, other, engine } = await withPlugin({
      'memory:beforeStore': (draft: { content: string }, call: { tenantId: string; agentId: string }) => {
        draft.content = 'changed';
        call.tenantId = 'changed';
        call.agentId = 'changed';
      },
      'memory:stored': ({ memory }: { memory: { content: string } }) => {
        memory.content = 'changed';
      },
      'recall:after': (results: unknown[]) => {
        results.length = 0;
      },
      event: (event: { data: { memory_id: string } }) => {
        event.data.memory_id = 'changed';
      },
    });
    engine.use({ name: 'listener', hooks: { event: ({ data }) => void heard.push(data.memory_id) } });
    const { memory } = await agent.remember({ type: 'semantic', content: 'Apples.' });
    expect(memory.content).toBe('Apples.');
    expect(heard).toEqual([memory.id]);
    expect(await recalled(agent)).toEqual([FACT]);
    expect(await stored(agent)).toEqual(['Apples.', FACT]);
    expect(await stored(other)).toHaveLength(1);
  });
});

describe('a plugin may call the engine', () => {
  const CALLS: readonly [string, (agent: AgentMemory) => Promise<unknown>][] = [
    ['memory:beforeStore', (agent) => agent.recall({ query: FACT })],
    [
      'memory:stored',
      (agent) => agent.remember({ type: 'semantic', content: 'Apples are red.', key: 'same' }),
    ],
    ['event', (agent) => agent.remember({ type: 'semantic', content: 'Apples are red.' })],
    ['recall:after', (agent) => agent.query({})],
    ['boot:sections', (agent) => agent.remember({ type: 'semantic', content: 'Apples are red.' })],
    ['compaction:before', (agent) => agent.boot()],
    ['compaction:after', (agent) => agent.boot()],
  ];

  it.each(CALLS)('from %s, also about the same fact', async (hook, work) => {
    let called: Promise<unknown> | undefined;
    // A call that waits for the one behind which the hook is run would wait for this long.
    const patience = { pluginPatienceMs: 60_000, pluginStorePatienceMs: 60_000 };
    const { agent, logged } = await withPlugin(
      (own) => ({
        [hook]: async () => {
          // What it calls may run the same hook.
          if (called) return;
          called = work(own);
          await called;
        },
      }),
      patience,
    );
    await agent.remember({ type: 'semantic', content: 'Apples are red.', key: 'same' });
    await agent.remember({ type: 'semantic', content: 'Apples are red.' });
    await agent.recall({ query: 'apples' });
    await agent.boot();
    await agent.compaction({ transcript: [{ role: 'user', content: 'Hello.' }] });
    await expect(called).resolves.toBeDefined();
    expect(logged).toEqual([]);
  });
});

it('a plugin that changes one field of a memory keeps what another caller changes meanwhile', async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { agent } = await withPlugin(
    {
      'memory:beforeStore': async (draft: { tags?: readonly string[] }) => {
        if (!draft.tags?.includes('slow')) return undefined;
        asked();
        await gate;
        return { ...draft, importance: 0.9 };
      },
    },
    { pluginPatienceMs: 60_000, pluginStorePatienceMs: 60_000 },
  );
  const { memory } = await agent.remember({ type: 'semantic', content: 'The port is 80.' });
  const slow = agent.update({ id: memory.id, tags: ['slow'] });
  await isAsked;
  await agent.update({ id: memory.id, content: 'The harbour is busy.' });
  go();
  await slow;
  expect((await agent.get({ id: memory.id })).memory).toMatchObject({
    content: 'The harbour is busy.',
    tags: ['slow'],
    importance: 0.9,
  });
});
