import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../../app/contract.ts';
import type { Engine } from '../../../app/engine.ts';
import type { TestEngine } from '../../../testing/index.ts';
import { seeded } from '../flood.fixture.ts';
import { expectSame, startHolding, type Watched, watched } from './index-cache.fixture.ts';

let kit: TestEngine;
let holding: Watched;
let plain: Engine;
let held: Awaited<ReturnType<typeof startHolding>>['held'];
beforeAll(async () => {
  ({ kit, holding, plain, held } = await startHolding());
});
afterAll(() => kit.close());

const say = (agent: AgentMemory, content: string) => agent.remember({ type: 'semantic', content });

describe('a fact that is compared with the memories that this process holds', () => {
  it('replaces and repeats what another process stored meanwhile', async () => {
    const { here, there } = await held(60);
    const older = await say(there, 'The metrics service listens on port 9100');
    const newer = await say(here, 'The metrics service listens on port 9200');
    expect(newer.superseded?.map(({ id }) => id)).toEqual([older.memory.id]);
    const said = await say(there, 'Invoices of the bakery go to Dora');
    const again = await say(here, 'Invoices of the bakery go to Dora.');
    expect(again).toMatchObject({ outcome: 'unchanged', memory: { id: said.memory.id } });
    await expectSame(here, there);
  });

  it.each(['here', 'there'] as const)(
    'replaces what holds past a crowd that has expired, compared %s',
    async (where) => {
      const agent = (await held(60))[where];
      const older = await say(agent, 'The metrics service listens on port 9100');
      const expires_at = new Date(kit.clock().getTime() + 3_600_000).toISOString();
      const probes = Array.from({ length: 80 }, (_, n) => ({
        type: 'semantic' as const,
        content: `Probe ${n} found the metrics service, which listens on some port, slow`,
        expires_at,
      }));
      await agent.rememberBatch({ memories: probes });
      kit.clock.advance(2 * 3_600_000);
      const newer = await say(agent, 'The metrics service listens on port 9200');
      expect(newer.superseded?.map(({ id }) => id)).toEqual([older.memory.id]);
    },
  );

  it('replaces and repeats what this process stored before', async () => {
    const { here, there } = await held(60);
    const first = await say(here, 'The billing job runs at 02:00');
    await say(here, 'The lighthouse has a new roof');
    expect(await say(here, 'the billing job runs at 02:00')).toMatchObject({
      outcome: 'unchanged',
      memory: { id: first.memory.id },
    });
    const moved = await say(here, 'The billing job runs at 04:30');
    expect(moved.superseded?.map(({ id }) => id)).toEqual([first.memory.id]);
    await say(here, 'The harbour is closed for visitors');
    await expectSame(here, there);
    await expectSame(here, there, { include_superseded: true });
  });

  it.each(['here', 'there'] as const)('tells who said it, where an import said it %s', async (where) => {
    const { tenantId, here, there } = await held(60);
    const { engine } = where === 'here' ? holding : { engine: plain };
    const brought = engine.agent(tenantId, { source: 'import', credentialId: null });
    const { memory } = await say(brought, 'Ann painted the lighthouse green');
    await there.update({ id: memory.id, tags: ['colours'] });
    const { results } = await here.recall({ query: 'Ann painted the lighthouse green' });
    expect(results[0]).toMatchObject({ id: memory.id, content_source: 'import' });
    await expectSame(here, there);
  });

  it('is found at once, as what another process makes of it is', async () => {
    const { here, there } = await held(60);
    const { memory } = await say(here, 'Ann painted the lighthouse green');
    await expectSame(here, there);
    await there.update({ id: memory.id, content: 'Ann painted the lighthouse yellow' });
    await say(here, 'Chen repaired the violin of the school');
    await there.forget({ id: memory.id });
    await say(here, 'Dara borrowed the compass of the harbour master');
    await expectSame(here, there);
    const { results } = await here.recall({ query: 'Ann painted the lighthouse', threshold: 0, limit: 5 });
    expect(results.map(({ id }) => id)).not.toContain(memory.id);
  });

  it('is stored with many others at once, some of which it replaces', async () => {
    const { here, there } = await held(60);
    const say20 = (of: (n: number) => string, agent: (n: number) => AgentMemory) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => say(agent(n), of(n))));
    const before = await say20(
      (n) => `Room ${100 + n} belongs to the team of ${names[n]}`,
      (n) => (n % 2 ? here : there),
    );
    const after = await say20(
      (n) => `Room ${100 + n} belongs to the team of ${names[19 - n]} now`,
      () => here,
    );
    expect(after.flatMap(({ superseded = [] }) => superseded.map(({ id }) => id)).sort()).toEqual(
      before.map(({ memory }) => memory.id).sort(),
    );
    await expectSame(here, there, { include_superseded: true });
  });

  it('is one of a batch, which is compared like facts alone, however many come one after the other', async () => {
    const { here, there } = await held(60);
    const port = (n: number, value: number) => `The ${names[n]} service listens on port ${value}`;
    const batch = (agent: AgentMemory, contents: readonly string[]) =>
      agent.rememberBatch({ memories: contents.map((content) => ({ type: 'semantic' as const, content })) });
    const everyName = names.map((_, n) => n);
    const first = await batch(
      here,
      everyName.map((n) => port(n, 9000 + n)),
    );
    expect(first.results.every(({ outcome }) => outcome === 'created')).toBe(true);
    await expectSame(here, there);
    // Another process has the last word on the first half, before this one speaks again.
    const half = names.length / 2;
    await batch(
      there,
      everyName.slice(0, half).map((n) => port(n, 9100 + n)),
    );
    const second = await batch(
      here,
      everyName.map((n) => port(n, 9200 + n)),
    );
    expect(second.results.map(({ superseded = [] }) => superseded.map(({ content }) => content))).toEqual(
      everyName.map((n) => [port(n, n < half ? 9100 + n : 9000 + n)]),
    );
    const again = await batch(
      here,
      everyName.map((n) => `${port(n, 9200 + n)}.`),
    );
    expect(again.memories.map(({ id }) => id)).toEqual(second.memories.map(({ id }) => id));
    await expectSame(here, there, { include_superseded: true });
  });

  it('comes to the same as one that is compared in the database, whatever is said', async () => {
    const { here } = await held(60);
    const { there } = await held(60);
    const random = seeded(5);
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
    const told = () =>
      pick(FORMS).replace(/\bN\b/, pick(names)).replace(/\bT\b/, pick(THINGS)).replace(/\bV\b/, pick(VALUES));
    const stored: object[] = [];
    for (let round = 0; round < 40; round += 1) {
      const memories = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
        return { type: TYPES[Math.floor(random() * TYPES.length)] ?? 'semantic', content: told() };
      });
      const [inMemory, inDatabase] = [
        await here.rememberBatch({ memories }),
        await there.rememberBatch({ memories }),
      ];
      stored.push(inDatabase.results.map(withoutIds));
      expect(inMemory.results.map(withoutIds), `round ${round}`).toEqual(stored.at(-1));
    }
    expect(JSON.stringify(stored)).toContain('superseded');
    expect(JSON.stringify(stored)).toContain('unchanged');
  });

  it('asks the database for nothing but its storing, once many were stored', async () => {
    const { tenantId } = await kit.tenant();
    let asked = 0;
    const { engine } = watched(kit, 8 * 1024 ** 2, { onAsk: () => (asked += 1) });
    const agent = engine.agent(tenantId);
    let said = 0;
    await expect
      .poll(
        async () => {
          asked = 0;
          said += 1;
          await say(agent, `${names[said % 20]} keeps the ${THINGS[said % 5]} of shelf ${said}`);
          return asked;
        },
        { timeout: 20_000, interval: 5 },
      )
      .toBe(1);
    expect(said).toBeGreaterThan(20);
  });
});

interface Told {
  readonly content: string;
  readonly reason: string;
}

/** What an answer says of others, but for their ids. */
function withoutIds(result: {
  readonly outcome: string;
  readonly superseded?: readonly Told[] | undefined;
  readonly conflicts?: readonly Told[] | undefined;
}) {
  const { outcome, superseded, conflicts } = result;
  const named = (all: readonly Told[] | undefined) =>
    all?.map(({ content, reason }) => ({ content, reason }));
  return { outcome, superseded: named(superseded), conflicts: named(conflicts) };
}

const TYPES = ['semantic', 'semantic', 'semantic', 'working', 'episodic'] as const;
const THINGS = ['billing service', 'metrics service', 'garden', 'invoice tool', 'harbour office'];
const VALUES = ['8080', '9090', 'Berlin', 'Lima', 'Slack', 'Matrix', '40 euros', '55 euros'];
const FORMS = [
  'The T of N is V',
  'The T listens on port V',
  'N moved to V',
  'N lives in V',
  'N uses V for the T now',
  'N no longer uses V',
  'The T costs V',
  'N prefers V to the T. The T is old.',
];

const names =
  `Ada Bela Cora Dina Elif Faye Gwen Hana Ines Jana Kira Lena Mona Nora Olga Pina Rosa Sara Tara Uma`.split(
    ' ',
  );
