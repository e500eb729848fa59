import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

const LEIPZIG = 'Anna lives in Leipzig.';
const BERLIN = 'Anna moved to Berlin.';
const [JANUARY, FEBRUARY] = ['2026-01-10T00:00:00Z', '2026-02-10T00:00:00Z'];

interface Item {
  readonly content: string;
  readonly occurred_at: string;
  readonly tags?: string[];
  readonly importance?: number;
}

async function meet() {
  const { agent: as } = await kit.tenant();
  const agent = as();
  const human = as({ source: 'human', credentialId: randomUUID() });
  return { agent, human, as };
}

/** Takes facts in from a file. */
async function bring(memory: AgentMemory, ...items: Item[]): Promise<void> {
  kit.clock.advance(1_000);
  const content = JSON.stringify(items.map((item) => ({ type: 'semantic', ...item })));
  await importAll(memory, content);
}

async function importAll(memory: AgentMemory, content: string): Promise<void> {
  const { job } = await memory.import({ files: [{ name: 'facts.json', content }] });
  await kit.engine.background.run('jobs.work');
  const done = await memory.job({ id: job?.id ?? '' });
  expect(done.job.status).toBe('done');
}

async function say(memory: AgentMemory, content: string, occurred_at: string) {
  kit.clock.advance(1_000);
  const { memory: said } = await memory.remember({ type: 'semantic', content, occurred_at });
  return said;
}

async function find(memory: AgentMemory, content: string) {
  const { memories } = await memory.query({ include_superseded: true, entity: 'Anna' });
  const found = memories.find((one) => one.content === content);
  if (!found) throw new Error(`nothing says ${content}`);
  return found;
}

/** What holds, as the injection marks it. */
async function marked(memory: AgentMemory): Promise<string[]> {
  const { injection } = await memory.boot({ preview: true });
  return injection.split('\n').filter((line) => line.includes('Anna'));
}

const wasBrought = [`- [2026-02-10, imported] ${BERLIN}`];
const IMPORTED = { content: BERLIN, occurred_at: FEBRUARY };

describe('what an import said stays marked as imported', () => {
  it.each<[string, (met: Awaited<ReturnType<typeof meet>>) => Promise<void>]>([
    [
      'when the human finds it important',
      async ({ agent, human }) => {
        await human.update({ id: (await find(agent, BERLIN)).id, importance: 0.7 });
      },
    ],
    [
      'when the agent tags it',
      async ({ agent }) => {
        await agent.update({ id: (await find(agent, BERLIN)).id, tags: ['people'] });
      },
    ],
    [
      'when the human restores it',
      async ({ agent, human }) => {
        const { id } = await find(agent, BERLIN);
        await human.forget({ id });
        await human.restore({ id });
      },
    ],
    [
      'when the human undoes what the agent wrote over it',
      async ({ agent, human }) => {
        await agent.update({ id: (await find(agent, BERLIN)).id, content: 'Anna moved to Mars.' });
        await human.undo({ source: 'agent', since: JANUARY });
      },
    ],
    [
      'when it holds again because the human undoes what replaced it',
      async ({ agent, human }) => {
        await say(agent, 'Anna lives in Rome now.', '2026-02-20T00:00:00Z');
        expect((await find(agent, BERLIN)).superseded_by).toBeDefined();
        await human.undo({ source: 'agent', since: JANUARY });
      },
    ],
  ])('%s', async (_, act) => {
    const met = await meet();
    await bring(met.agent, IMPORTED);
    expect(await marked(met.agent)).toEqual(wasBrought);
    kit.clock.advance(1_000);
    await act(met);
    expect(await marked(met.agent)).toEqual(wasBrought);
  });

  it('until somebody says something else there', async () => {
    const { agent, human } = await meet();
    await bring(agent, IMPORTED);
    await human.update({ id: (await find(agent, BERLIN)).id, content: 'Anna moved to Bern.' });
    expect(await marked(agent)).toEqual(['- [2026-02-10, by the human] Anna moved to Bern.']);
  });

  it('where an export brings it back', async () => {
    const { agent, human } = await meet();
    await bring(agent, IMPORTED);
    await human.update({ id: (await find(agent, BERLIN)).id, importance: 0.7 });
    const held = await agent.export({});
    const { human: other, agent: otherAgent } = await meet();
    await importAll(other, JSON.stringify(held));
    expect((await find(otherAgent, BERLIN)).source.kind).toBe('human');
    expect(await marked(otherAgent)).toEqual(wasBrought);
  });
});

describe('an imported fact replaces nothing that the agent said', () => {
  it.each<[string, (met: Awaited<ReturnType<typeof meet>>) => Promise<void>]>([
    [
      'after an import that repeats with a tag what the agent said',
      async ({ agent }) => {
        await bring(agent, { content: LEIPZIG, occurred_at: JANUARY, tags: ['x'] });
        await bring(agent, IMPORTED);
      },
    ],
    [
      'after the human restored it',
      async ({ agent, human }) => {
        await bring(agent, IMPORTED);
        const { id } = await find(agent, BERLIN);
        await human.forget({ id });
        await human.restore({ id });
        kit.clock.advance(1_000);
        await human.forget({ id });
        await human.restore({ id });
      },
    ],
    [
      'after the agent dated it',
      async ({ agent }) => {
        await bring(agent, IMPORTED);
        const { id } = await find(agent, BERLIN);
        await agent.update({ id, tags: ['people'] });
        await agent.update({ id, occurred_at: '2026-02-11T00:00:00Z' });
      },
    ],
    [
      'after the agent undid another change of it',
      async ({ agent, as }) => {
        await bring(agent, IMPORTED);
        const credentialId = randomUUID();
        const { id } = await find(agent, BERLIN);
        await as({ source: 'agent', credentialId }).update({ id, tags: ['people'] });
        await agent.undo({ source: 'agent', since: JANUARY, credential_id: credentialId });
      },
    ],
  ])('%s', async (_, act) => {
    const met = await meet();
    await say(met.agent, LEIPZIG, JANUARY);
    await act(met);
    expect((await find(met.agent, LEIPZIG)).superseded_by).toBeUndefined();
    expect(await marked(met.agent)).toContain(`- [2026-01-10] ${LEIPZIG}`);
  });
});

it('lets no import raise the importance of what the agent said', async () => {
  const { agent } = await meet();
  await say(agent, LEIPZIG, JANUARY);
  await bring(agent, { content: LEIPZIG, occurred_at: JANUARY, importance: 1 });
  expect((await find(agent, LEIPZIG)).importance).toBe(0.5);
});

it('tells a human in an export nothing of a hidden memory that took the place of another', async () => {
  const { agent, human } = await meet();
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility({ tags: { private: 'hidden' } }, { sessionKey });
  await say(human, LEIPZIG, JANUARY);
  const before = await human.export({});
  kit.clock.advance(1_000);
  await agent.remember({ type: 'semantic', content: BERLIN, occurred_at: FEBRUARY, tags: ['private'] });
  expect((await find(agent, LEIPZIG)).superseded_by).toBeDefined();
  const after = await human.export({});
  expect(JSON.parse(JSON.stringify(after.export.memories))).toEqual(
    JSON.parse(JSON.stringify(before.export.memories)),
  );
});

describe('what is important by itself goes by who said it', () => {
  const OWN = 'Anna sings in a choir.';
  const [important, ordinary] = [{ importance: 0.95 }, { importance: 0.7 }];
  const at = { type: 'semantic', occurred_at: FEBRUARY } as const;

  it.each<[string, (met: Awaited<ReturnType<typeof meet>>, id: string) => Promise<unknown>]>([
    ['the agent tags', ({ agent }, id) => agent.update({ id, tags: ['people'] })],
    [
      'the human restores',
      async ({ human }, id) => {
        await human.forget({ id });
        await human.restore({ id });
      },
    ],
  ])('not what an import said and %s', async (_, act) => {
    const met = await meet();
    await bring(met.agent, { ...IMPORTED, ...important });
    await met.agent.remember({ ...at, ...ordinary, content: OWN });
    await act(met, (await find(met.agent, BERLIN)).id);
    expect(await marked(met.agent)).toEqual([`- [2026-02-10] ${OWN}`, ...wasBrought]);
  });

  it('what the agent said and an import repeats with a tag, among a flood of what else it brings', async () => {
    const { agent, as } = await meet();
    await agent.remember({ ...at, ...important, content: BERLIN, occurred_at: JANUARY });
    await bring(agent, { content: BERLIN, occurred_at: JANUARY, tags: ['x'] });
    const brought = as({ source: 'import', credentialId: null });
    for (const _ of [1, 2, 3]) {
      const parts = Array.from({ length: 400 }, () => randomUUID());
      const memories = parts.map((part) => ({ ...at, content: `part ${part}`, importance: 1 }));
      await brought.rememberBatch({ memories });
    }
    expect((await find(agent, BERLIN)).source.kind).toBe('import');
    expect(await marked(agent)).toEqual([`- [2026-01-10] ${BERLIN}`]);
  });
});
