import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AgentMemory, Input } from '../../app/contract.ts';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { startTestEngine } from '../../testing/index.ts';
import { importAll } from '../import/import.fixture.ts';
import { watched } from '../recall/in-memory-index/index-cache.fixture.ts';

const kit = useTestEngine();

const DAY_MS = 86_400_000;
type Ids = readonly [string, string, string, string];
const newAgent = async () => (await kit.tenant()).agent();
type Draft = Input<'remember'>;

/** Stores facts one after the other, a day apart. */
async function tell(agent: AgentMemory, ...contents: readonly (string | Partial<Draft>)[]) {
  const stored = [];
  for (const [day, said] of contents.entries()) {
    const draft = typeof said === 'string' ? { content: said } : said;
    const occurred_at = `2026-01-0${day + 1}`;
    stored.push(await agent.remember({ type: 'semantic', occurred_at, ...draft } as Draft));
  }
  return stored;
}

const PORTS = [
  'The billing service listens on port 8080.',
  'The billing service listens on port 9090.',
] as const;
const QUERY = 'Which port does the billing service listen on?';

const names =
  `Ada Bela Cora Dina Elif Faye Gwen Hana Ines Jana Kira Lena Mona Nora Olga Pina Rosa Sara Tara Uma Vera Wanda Xenia Yara
  Zora Abel Boris Carl Dirk Emil Franz Georg Hugo Igor Jens Karl Lars Max Nils Otto Paul Rolf Sven Timo Udo Veit Wim Zeno
  Alma Berta Clara Doris Edith Frida Gerda Heike Irene Judit Klara Lotte Meike Nadja Paula`.split(/\s+/);

async function recalled(agent: AgentMemory, input: Partial<Input<'recall'>> = {}) {
  return (await agent.recall({ query: QUERY, ...input })).results.map(({ content }) => content);
}

describe('a fact that another replaces', () => {
  it('is found by its subject alone where that is one word', async () => {
    for (const [older, newer] of [
      ['Our landlord is Mr. Petrov.', 'Our landlord is Ms. Adler.'],
      ['The servers are in Dublin.', 'The servers are in Stockholm.'],
      ['Standup is at 9:30.', 'Standup is at 10:00.'],
      ['Unser Vermieter ist Herr Petrow.', 'Unser Vermieter ist Frau Adler.'],
    ] as const) {
      const agent = await newAgent();
      await tell(agent, 'The pool is heated on Sundays.', older, 'Maya feeds the cat.', newer);
      expect((await agent.query({})).memories.map(({ content }) => content)).not.toContain(older);
    }
  });

  it.each([
    ['Vivo en Sevilla.', 'Nos mudamos a Granada en enero.'],
    ['Ich wohne in Kassel.', 'Wir sind nach Jena umgezogen.'],
    ["J'habite à Lyon.", 'Nous avons déménagé à Nantes.'],
  ])(
    'is found by other words for the same, whatever their stems are in its language: %s',
    async (...told) => {
      const [, newer] = await tell(await newAgent(), ...told);
      expect(newer?.superseded).toMatchObject([{ content: told[0] }]);
    },
  );

  it('is superseded at once, which the answer, the memory, recall, query and boot tell', async () => {
    const agent = await newAgent();
    const [older, newer] = await tell(agent, ...PORTS);
    expect(newer).toMatchObject({
      outcome: 'created',
      superseded: [{ id: older?.memory.id, content: PORTS[0], reason: expect.stringContaining('9090') }],
    });
    expect((await agent.get({ id: older?.memory.id ?? '' })).memory).toMatchObject({
      superseded_by: newer?.memory.id,
    });
    expect(await recalled(agent)).toEqual([PORTS[1]]);
    expect(await recalled(agent, { include_superseded: true })).toEqual([PORTS[1], PORTS[0]]);
    const queried = async (input: Input<'query'>) =>
      (await agent.query(input)).memories.map(({ content }) => content);
    expect(await queried({})).toEqual([PORTS[1]]);
    expect(await queried({ include_superseded: true })).toEqual([PORTS[1], PORTS[0]]);
    const { injection } = await agent.boot({ preview: true });
    expect(injection.split('\n').filter((line) => line.includes('billing'))).toEqual([
      '- [2026-01-02] The billing service listens on port 9090.',
    ]);
  });

  it('is found before what follows the new one, where others share more of its words', async () => {
    const agent = await newAgent();
    const say = (name: string, port: number, day: number) => {
      // Not as one flood.
      kit.clock.advance(DAY_MS);
      const content = `The ${name} service listens on port ${port}.`;
      return agent.remember({ type: 'semantic', content, valid_from: `2026-01-0${day}` });
    };
    await say('zozodar', 8009, 3);
    await say('zozodar', 8003, 6);
    await say('zozodar', 8006, 9);
    await say('zozodar', 8004, 7);
    await say('zozodar', 8008, 5);
    for (const other of ['vekzodar', 'mirzodar', 'talzodar', 'quizodar']) await say(other, 8007, 2);
    await say('zozodar', 8007, 4);
    const { memories } = await agent.query({ as_of: '2026-01-04T12:00:00Z' });
    const about = memories.filter(({ content }) => content.includes('zozodar'));
    expect(about.map(({ content }) => content)).toEqual(['The zozodar service listens on port 8007.']);
  });

  it('is found in a long chain too, of which most has ended or says the same as the new one', async () => {
    const agent = await newAgent();
    const say = (port: number, day: number) => {
      // Not as one flood.
      kit.clock.advance(DAY_MS);
      return agent.remember({
        type: 'semantic',
        content: `The billing service listens on port ${port}.`,
        valid_from: `2026-01-${String(day).padStart(2, '0')}`,
      });
    };
    const at = async (day: number) =>
      (await agent.query({ as_of: `2026-01-${day}T12:00:00Z` })).memories.map(({ content }) => content);
    for (let day = 1; day <= 18; day += 1) await say(day % 2 === 0 ? 8006 : 8005, day);
    await say(8007, 20);
    await say(8005, 25);
    expect(await at(22)).toEqual(['The billing service listens on port 8007.']);
    expect(await at(26)).toEqual(['The billing service listens on port 8005.']);
    // Told late, between two of them.
    await say(8006, 23);
    expect(await at(24)).toEqual(['The billing service listens on port 8006.']);
    expect(await at(26)).toEqual(['The billing service listens on port 8005.']);
  });

  it('is found among whatever else shares its words, in both indexes', async () => {
    const episode = (n: number) => `Checked the billing service: it listens on its port, run ${n}, all well.`;
    const long = (n: number) =>
      `${'The billing service listens on a port of its own. '.repeat(20)}Draft ${n}.`;
    const crowds: Readonly<Record<string, (n: number) => Partial<Draft>>> = {
      episodes: (n) => ({ type: 'episodic', content: episode(n) }),
      'notes of work in progress': (n) => ({ type: 'working', content: episode(n) }),
      'long texts': (n) => ({ content: long(n) }),
      'others of the same value': (n) => ({ content: `The service of ${names[n]} listens on port 9090.` }),
      'other facts of it': (n) => ({ content: `The billing service keeps ${n} files of ${names[n]}.` }),
    };
    for (const [crowd, draftOf] of Object.entries(crowds)) {
      for (const isHeld of [false, true]) {
        const { tenantId } = await kit.tenant();
        const { engine } = watched(kit, isHeld ? 8 * 1024 ** 2 : 0);
        const agent = engine.agent(tenantId);
        const [older] = await tell(agent, PORTS[0]);
        const memories = names.map((_, n) => ({ type: 'semantic', ...draftOf(n) }) as Draft);
        await agent.rememberBatch({ memories });
        kit.clock.advance(DAY_MS);
        // Once in a batch, which is compared with what is held.
        const { results } = await agent.rememberBatch({
          memories: [{ type: 'semantic', content: PORTS[1] }],
        });
        expect(
          results[0]?.superseded?.map(({ id }) => id),
          `${crowd}, held: ${isHeld}`,
        ).toEqual([older?.memory.id]);
      }
    }
  });

  it('is compared by its type of now', async () => {
    const agent = await newAgent();
    const [older] = await tell(agent, { type: 'working', content: PORTS[0] });
    const id = older?.memory.id ?? '';
    await agent.update({ id, type: 'episodic' });
    kit.clock.advance(DAY_MS);
    const other = await agent.remember({
      type: 'working',
      content: 'The billing service listens on port 7070.',
    });
    expect(other.superseded).toBeUndefined();
    await agent.forget({ id: other.memory.id });
    await agent.update({ id, type: 'semantic' });
    const newer = await agent.remember({ type: 'semantic', content: PORTS[1] });
    expect(newer.superseded).toMatchObject([{ id }]);
  });

  it('is what was true then, in both indexes of recall', async () => {
    const { tenantId, agent } = await kit.tenant();
    await tell(agent(), ...PORTS, 'The billing service listens on port 7070.');
    const holding = watched(kit, 8 * 1024 ** 2);
    await holding.untilHeld(tenantId);
    for (const one of [agent(), holding.engine.agent(tenantId)]) {
      expect(await recalled(one, { as_of: '2026-01-01' })).toEqual([PORTS[0]]);
      expect(await recalled(one, { as_of: '2026-01-01T23:59:59.999Z' })).toEqual([PORTS[0]]);
      expect(await recalled(one, { as_of: '2026-01-02' })).toEqual([PORTS[1]]);
      expect(await recalled(one)).toEqual(['The billing service listens on port 7070.']);
      expect(await recalled(one, { as_of: '2025-12-31' })).toEqual([]);
    }
  });

  it('of a long chain leads to its end', async () => {
    const agent = await newAgent();
    for (let n = 1; n <= 20; n += 1) {
      const occurred_at = new Date(Date.UTC(2026, 0, n)).toISOString();
      const content = `The billing service listens on port ${8000 + n}.`;
      await agent.remember({ type: 'semantic', content, occurred_at });
      // Within an hour they would be a flood of near-copies.
      kit.clock.advance(2 * 3_600_000);
    }
    const last = 'The billing service listens on port 8020.';
    expect(await recalled(agent, { limit: 50 })).toEqual([last]);
    expect(await recalled(agent, { query: 'billing port 8001', limit: 50 })).toEqual([last]);
    const all = await recalled(agent, { include_superseded: true, limit: 50, threshold: 0 });
    expect(all).toHaveLength(20);
    expect(all[0]).toBe(last);
    const { memories } = await agent.query({ include_superseded: true, limit: 50 });
    const told = memories.toReversed().map(({ id, content, superseded_by }) => {
      return { id, content, valid_from: expect.any(String), ...(superseded_by ? { superseded_by } : {}) };
    });
    for (const { id } of memories) expect((await agent.get({ id })).chain).toEqual(told);
    const { memory } = await agent.remember({ type: 'semantic', content: 'The gate opens at seven.' });
    expect(await agent.get({ id: memory.id })).not.toHaveProperty('chain');
  });

  it('is found by its own words too: the answer is what holds now', async () => {
    const agent = await newAgent();
    await tell(agent, 'I live in Berlin.', 'I moved to Lisbon.');
    const { results } = await agent.recall({ query: 'Do I live in Berlin?' });
    expect(results.map(({ content }) => content)).toEqual(['I moved to Lisbon.']);
  });

  it('that comes late does not replace what is newer, and stands between what it follows and precedes', async () => {
    const agent = await newAgent();
    const on = (day: number, port: number) => ({
      content: `The billing service listens on port ${port}.`,
      occurred_at: `2026-01-0${day}`,
    });
    await tell(agent, on(1, 8080), on(5, 9090));
    const [late] = await tell(agent, on(3, 7070));
    expect(late?.memory.superseded_by).toBeDefined();
    const ports = [];
    for (const day of [1, 2, 3, 4, 5]) ports.push(...(await recalled(agent, { as_of: `2026-01-0${day}` })));
    expect(ports.map((content) => Number(content.match(/\d+/)?.[0]))).toEqual([8080, 8080, 7070, 7070, 9090]);
  });

  it('holds again when its successor is archived, expires, or is dated into the future', async () => {
    const agent = await newAgent();
    const [, newer] = await tell(agent, ...PORTS);
    const id = newer?.memory.id ?? '';
    await agent.update({ id, valid_from: new Date(kit.clock().getTime() + 86_400_000).toISOString() });
    expect((await recalled(agent))[0]).toEqual(PORTS[0]);
    await agent.update({ id, valid_from: null });
    expect(await recalled(agent)).toEqual([PORTS[1]]);
    await agent.forget({ id });
    expect(await recalled(agent)).toEqual([PORTS[0]]);
    await agent.restore({ id });
    expect(await recalled(agent)).toEqual([PORTS[1]]);
  });

  it('is replaced by what follows when the one between is archived, until that comes back', async () => {
    const { tenantId, agent: of } = await kit.tenant();
    const agent = of();
    const last = 'The billing service listens on port 7070.';
    const [, between] = await tell(agent, ...PORTS, last);
    const id = between?.memory.id ?? '';
    const holding = watched(kit, 8 * 1024 ** 2);
    const answers = async (as_of: string) => {
      const { memories } = await agent.query({ as_of });
      await holding.untilHeld(tenantId);
      const told = [
        await recalled(agent, { as_of }),
        await recalled(holding.engine.agent(tenantId), { as_of }),
      ];
      return [memories.map(({ content }) => content), ...told];
    };
    await agent.forget({ id });
    expect(await answers('2026-01-02')).toEqual([[PORTS[0]], [PORTS[0]], [PORTS[0]]]);
    expect(await answers('2026-01-03')).toEqual([[last], [last], [last]]);
    await agent.restore({ id });
    expect(await answers('2026-01-02')).toEqual([[PORTS[1]], [PORTS[1]], [PORTS[1]]]);
    expect(await answers('2026-01-03')).toEqual([[last], [last], [last]]);
    // At the instant at which it expires, before the background archives it.
    kit.clock.advance(1_000);
    await agent.update({ id, expires_at: new Date(kit.clock().getTime() + 1_000).toISOString() });
    kit.clock.advance(1_000);
    expect(await answers('2026-01-03')).toEqual([[last], [last], [last]]);
    await kit.engine.background.run('memory.archive-expired');
    expect(await answers('2026-01-03')).toEqual([[last], [last], [last]]);
  });

  it('and all that replaced it can be undone, in whatever order they were told', async () => {
    const { agent: of } = await kit.tenant();
    const agent = of();
    const since = kit.clock().toISOString();
    for (const [content, day] of [
      [PORTS[1], 3],
      [PORTS[0], 1],
      ['The billing service listens on port 7070.', 5],
    ]) {
      await agent.remember({ type: 'semantic', content: `${content}`, occurred_at: `2026-01-0${day}` });
    }
    const human = of({ source: 'human', credentialId: null });
    expect((await human.undo({ source: 'agent', since })).changes).toMatchObject({ archived: 3 });
    expect((await agent.query()).memories).toEqual([]);
  });

  it('in one batch is replaced there', async () => {
    const agent = await newAgent();
    const { memories, results } = await agent.rememberBatch({
      memories: PORTS.map((content, day) => ({
        type: 'semantic' as const,
        content,
        occurred_at: `2026-01-0${day + 1}`,
      })),
    });
    expect(results[1]).toMatchObject({ superseded: [{ id: memories[0]?.id }] });
    expect(await recalled(agent)).toEqual([PORTS[1]]);
  });

  const REWORDED = [
    ['Cleo lives in Vienna.', 'Cleo moved to Graz.'],
    ['CI runs on Jenkins; the job is orders-main.', 'We moved CI from Jenkins to GitHub Actions.'],
    [
      'Die Krankenversicherung ist bei der Barmer.',
      'Er hat die Krankenversicherung gewechselt, von der Barmer zur DAK.',
    ],
    ['La consulta general cuesta 35 euros.', 'La consulta general ha subido a 42 euros.'],
    ['Я живу в Казани.', 'Я переехал в Самару.'],
    ['Moro em Lisboa.', 'Mudei-me para o Porto.'],
    ['大阪に住んでいます。', '京都に引っ越しました。'],
  ] as const;
  const told = (content: string, day: number) => ({
    ...{ type: 'semantic' as const, content, occurred_at: `2026-01-0${day}` },
  });

  it.each(REWORDED)('in one batch is found by as little as in two calls: %s', async (older, newer) => {
    const [former, later, beside] = [
      told(older, 1),
      told(newer, 2),
      told('The boiler is checked in May.', 1),
    ];
    for (const memories of [
      [former, beside, later],
      [later, beside, former],
    ]) {
      const agent = await newAgent();
      await agent.rememberBatch({ memories });
      const { memories: stored } = await agent.query();
      expect(stored.map(({ content }) => content).toSorted()).toEqual([newer, beside.content].toSorted());
    }
  });

  it.each(REWORDED)('and comes in another call at the same time is found: %s', async (older, newer) => {
    const agent = await newAgent();
    await Promise.all([agent.remember(told(older, 1)), agent.remember(told(newer, 2))]);
    expect((await agent.query()).memories.map(({ content }) => content)).toEqual([newer]);
  });

  it('comes back when what its source wrote is undone', async () => {
    const { agent } = await kit.tenant();
    await tell(agent(), PORTS[0]);
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    await agent().syncWorking({ key: 'notes', content: 'The billing service listens on port 9090.' });
    await agent().undo({ source: 'sync', since });
    expect((await recalled(agent()))[0]).toBe(PORTS[0]);
  });

  it('stays replaced by what others said since in place of what is undone', async () => {
    const { agent: of } = await kit.tenant();
    const [agent, human] = [of(), of({ source: 'human', credentialId: randomUUID() })];
    await tell(agent, PORTS[0]);
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    await agent.remember({ type: 'semantic', content: PORTS[1], occurred_at: '2026-01-02' });
    const last = 'The billing service listens on port 7070.';
    await human.remember({ type: 'semantic', content: last, occurred_at: '2026-01-03' });
    for (const changes of [
      { archived: 1, reverted: 1 },
      { archived: 0, reverted: 0 },
    ]) {
      expect(await human.undo({ source: 'agent', since })).toMatchObject({ changes });
      expect(await recalled(agent)).toEqual([last]);
      expect(await recalled(agent, { as_of: '2026-01-02' })).toEqual([PORTS[0]]);
    }
  });

  it('stays replaced also where several that followed it are undone, the later of them first', async () => {
    const { agent: of } = await kit.tenant();
    const [agent, human] = [of(), of({ source: 'human', credentialId: randomUUID() })];
    const told = (by: AgentMemory, port: number, day: number) =>
      by.remember({
        ...{ type: 'semantic', content: `The billing service listens on port ${port}.` },
        occurred_at: `2026-01-0${day}`,
      });
    const since = kit.clock().toISOString();
    for (const [by, port, day] of [
      [agent, 8007, 7],
      [agent, 8004, 4],
      [human, 8009, 9],
      [human, 8001, 1],
    ] as const) {
      await told(by, port, day);
    }
    expect((await human.undo({ source: 'agent', since })).changes).toMatchObject({ archived: 2 });
    expect(await recalled(agent)).toEqual(['The billing service listens on port 8009.']);
  });

  it('is superseded by nothing again that it supersedes now, whatever is undone', async () => {
    const { agent: of } = await kit.tenant();
    const [agent, human] = [of(), of({ source: 'human', credentialId: randomUUID() })];
    const [tea, door] = await tell(human, 'Tea is at four.', 'The cellar door is green.');
    const [a = '', b = ''] = [tea?.memory.id, door?.memory.id];
    await human.update({ id: b, supersedes: [a] });
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    await agent.update({ id: a, superseded_by: null });
    await human.update({ id: a, supersedes: [b] });
    await human.undo({ source: 'agent', since });
    expect((await agent.query()).memories.map(({ id }) => id)).toEqual([a]);
    // Where both are the agent's, all is as it was.
    await human.update({ id: b, superseded_by: null });
    await human.update({ id: b, supersedes: [a] });
    kit.clock.advance(1_000);
    const later = kit.clock().toISOString();
    await agent.update({ id: a, superseded_by: null });
    await agent.update({ id: a, supersedes: [b] });
    await human.undo({ source: 'agent', since: later });
    expect((await agent.query()).memories.map(({ id }) => id)).toEqual([b]);
  });

  it('is told by an event', async () => {
    const { tenantId, agent } = await kit.tenant();
    const [older, newer] = await tell(agent(), ...PORTS);
    const events = await kit.engine.database.read(tenantId, (tx) =>
      rows(tx, sql`SELECT data FROM events WHERE type = 'memory.superseded'`),
    );
    expect(events).toEqual([{ data: { memory_id: older?.memory.id, superseded_by: newer?.memory.id } }]);
  });

  it.each([
    ['keys', { key: 'ada/home' }, { key: 'bob/home' }],
    ['subjects', { metadata: { user: 'ada' } }, { metadata: { user: 'bob' } }],
  ])('is none where the two have other %s, also when one comes back', async (_, one, other) => {
    const agent = await newAgent();
    const contents = ['User lives in Rome.', 'User lives in Paris now.'] as const;
    const [first] = await tell(agent, { content: contents[0], ...one }, { content: contents[1], ...other });
    await agent.forget({ id: first?.memory.id ?? '' });
    await agent.restore({ id: first?.memory.id ?? '' });
    expect((await agent.query()).memories.map(({ content }) => content).toSorted()).toEqual(
      contents.toSorted(),
    );
  });

  it('is left alone where both hold', async () => {
    const agent = await newAgent();
    const stored = await tell(
      agent,
      'The billing service listens on port 8080.',
      'The gateway listens on port 9090.',
      'Maya likes jazz.',
      'Maya also likes opera.',
    );
    expect(stored.flatMap(({ superseded }) => superseded ?? [])).toEqual([]);
    const episodes = await agent.remember({ type: 'episodic', content: PORTS[1] });
    expect(episodes).not.toHaveProperty('superseded');
  });

  const FILED: readonly (readonly [string, Partial<Draft>, Partial<Draft>])[] = [
    ['two keys', { key: 'billing/a' }, { key: 'billing/b' }],
    ['two environments', { metadata: { env: 'staging' } }, { metadata: { env: 'production' } }],
    [
      'two users, beside what tells nothing',
      { metadata: { userId: 7, n: 1 } },
      { metadata: { userId: 8, n: 1 } },
    ],
  ];

  it.each(FILED)('is left alone where its author files them under %s', async (_, one, other) => {
    const drafts = [told(PORTS[0], 1), told(PORTS[1], 2)].map((draft, place) => {
      return { ...draft, ...(place === 0 ? one : other) };
    });
    for (const way of ['one by one', 'beside what is held', 'in one batch']) {
      const { tenantId } = await kit.tenant();
      const { engine } = watched(kit, way === 'beside what is held' ? 8 * 1024 ** 2 : 0);
      const agent = engine.agent(tenantId);
      const calls = way === 'in one batch' ? [drafts] : drafts.map((draft) => [draft]);
      for (const memories of calls) await agent.rememberBatch({ memories });
      const { results } = await agent.recall({ query: QUERY, threshold: 0 });
      expect(results.map(({ content }) => content).toSorted(), way).toEqual(PORTS);
      for (const result of results) expect(result, way).not.toHaveProperty('conflicts_with');
    }
  });

  it('is replaced where both are filed under the same, or the older under nothing', async () => {
    for (const [one, other] of [
      [{ metadata: { user_id: 'ada', turn: 1 } }, { metadata: { user_id: 'ada', turn: 9 } }],
      [{}, { key: 'billing/port', metadata: { user_id: 'ada' } }],
    ]) {
      const agent = await newAgent();
      await tell(agent, { content: PORTS[0], ...one }, { content: PORTS[1], ...other });
      expect(await recalled(agent)).toEqual([PORTS[1]]);
    }
  });
});

describe('supersedes', () => {
  it('names what a memory replaces, when it is stored and later; null takes it back', async () => {
    const agent = await newAgent();
    const [one, two] = await tell(agent, 'The cellar door is green.', 'Tea is at four.');
    const ids = [one?.memory.id ?? '', two?.memory.id ?? ''] as const;
    const newer = await agent.remember({
      type: 'semantic',
      content: 'Nothing is as it was.',
      supersedes: [ids[0]],
    });
    expect(newer.superseded).toMatchObject([{ id: ids[0] }]);
    expect(await agent.update({ id: newer.memory.id, supersedes: [ids[1]] })).toMatchObject({
      superseded: [{ id: ids[1] }],
    });
    const marks = async () =>
      Promise.all(ids.map(async (id) => (await agent.get({ id })).memory.superseded_by));
    expect(await marks()).toEqual([newer.memory.id, newer.memory.id]);
    await agent.update({ id: ids[0], superseded_by: null });
    expect(await marks()).toEqual([undefined, newer.memory.id]);
  });

  it('names it also where the key is there already, and may say so again when the older is archived', async () => {
    const agent = await newAgent();
    const [old] = await tell(agent, 'The gate code is 4411.');
    const id = old?.memory.id ?? '';
    const draft = { type: 'semantic' as const, content: 'Maya opens the gate.', key: 'gate' };
    const { memory } = await agent.remember(draft);
    expect(await agent.remember({ ...draft, supersedes: [id] })).toMatchObject({
      outcome: 'updated',
      superseded: [{ id }],
    });
    expect((await agent.get({ id })).memory.superseded_by).toBe(memory.id);
    expect((await agent.remember({ ...draft, supersedes: [id] })).outcome).toBe('unchanged');
    await agent.forget({ id });
    expect((await agent.remember({ ...draft, supersedes: [id] })).outcome).toBe('unchanged');
    await expect(agent.remember({ ...draft, supersedes: [memory.id] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'supersedes' }],
    });
  });

  it('of what has a key in the same batch, changes both', async () => {
    const agent = await newAgent();
    const lamp = { type: 'semantic' as const, key: 'lamp', content: 'Lamps hum.' };
    const wolf = { type: 'semantic' as const, key: 'wolf', content: 'Wolves sing.' };
    const [{ memory: a }, { memory: b }] = [await agent.remember(lamp), await agent.remember(wolf)];
    const memories = [
      { ...lamp, content: 'Lamps buzz.', supersedes: [b.id] },
      { ...wolf, importance: 0.9 },
    ];
    const { memories: stored } = await agent.rememberBatch({ memories });
    expect(stored).toMatchObject([
      { content: 'Lamps buzz.', version: 2 },
      { importance: 0.9, version: 3, superseded_by: a.id },
    ]);
    const circle = [
      { ...wolf, importance: 0.1, supersedes: [a.id] },
      { ...lamp, content: 'Lamps flicker.' },
    ];
    await expect(agent.rememberBatch({ memories: circle })).rejects.toMatchObject({
      details: [{ path: expect.stringMatching(/supersedes$/) }],
    });
    expect((await agent.get({ id: a.id })).memory.content).toBe('Lamps buzz.');
  });

  it('does not tell the human of a hidden memory that their key supersedes', async () => {
    const { agent: as } = await kit.tenant();
    const [agent, human] = [as(), as({ source: 'human', credentialId: randomUUID() })];
    const hidden = await agent.remember({ type: 'semantic', content: 'Psst.', tags: ['secret'] });
    const draft = { type: 'semantic' as const, content: 'Maya opens the gate.', key: 'gate' };
    await human.remember(draft);
    await agent.remember({ ...draft, supersedes: [hidden.memory.id] });
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { secret: 'hidden' } }, { sessionKey });
    const refusals = [hidden.memory.id, '00000000-0000-7000-8000-000000000000'].map(async (id) => {
      const error = await human.remember({ ...draft, supersedes: [id] }).catch((thrown: Error) => thrown);
      return String(error).replace(id, 'ID');
    });
    const [one, other] = await Promise.all(refusals);
    expect(one).toContain('names ID, which is no active memory');
    expect(one).toBe(other);
  });

  it('is for the human neither of a redacted memory, nor against a hidden one of which they know nothing', async () => {
    const { agent: as } = await kit.tenant();
    const [agent, human] = [as(), as({ source: 'human', credentialId: randomUUID() })];
    const draft = { type: 'semantic' as const };
    const { memory: tea } = await human.remember({ ...draft, content: 'Tea is at four.' });
    const { memory: owls } = await human.remember({ ...draft, content: 'Owls hoot.' });
    await agent.remember({ ...draft, content: 'Psst.', tags: ['hidden'], supersedes: [tea.id] });
    const { memory: older } = await agent.remember({ ...draft, content: 'Blue.', tags: ['redacted'] });
    const { memory: newer } = await agent.remember({
      ...{ ...draft, content: 'Green.', tags: ['redacted'], supersedes: [older.id] },
    });
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { hidden: 'hidden', redacted: 'redacted' } }, { sessionKey });
    const refusals: Input<'update'>[] = [
      { id: older.id, superseded_by: null },
      { id: newer.id, superseded_by: null },
      { id: newer.id, supersedes: [owls.id] },
    ];
    for (const input of refusals) {
      const path = 'supersedes' in input ? 'supersedes' : 'superseded_by';
      await expect(human.update(input)).rejects.toMatchObject({ code: 'FORBIDDEN', details: [{ path }] });
    }
    for (const { id } of [tea, owls]) {
      expect(await human.update({ id, superseded_by: null })).toMatchObject({
        ...{ outcome: 'unchanged', memory: { id, version: 1 } },
      });
    }
    expect((await agent.query()).memories.map(({ content }) => content).sort()).toEqual([
      ...['Green.', 'Owls hoot.', 'Psst.'],
    ]);
  });

  it.each([
    ['an unknown memory', async () => '00000000-0000-7000-8000-000000000000'],
    [
      'what is archived',
      async (agent: AgentMemory) => {
        const [stored] = await tell(agent, 'Tea is at four.');
        await agent.forget({ id: stored?.memory.id ?? '' });
        return stored?.memory.id ?? '';
      },
    ],
    ["another tenant's", async () => (await tell(await newAgent(), 'Tea is at four.'))[0]?.memory.id ?? ''],
  ])('refuses %s, and nothing is written', async (_, idOf) => {
    const agent = await newAgent();
    const id = await idOf(agent);
    const [kept] = await tell(agent, 'Supper is at eight.');
    const refusal = { code: 'VALIDATION_ERROR', details: [{ path: 'supersedes' }] };
    const draft = { type: 'semantic' as const, content: 'Lunch is at noon.', supersedes: [id] };
    await expect(agent.remember(draft)).rejects.toMatchObject(refusal);
    await expect(agent.update({ id: kept?.memory.id ?? '', supersedes: [id] })).rejects.toMatchObject(
      refusal,
    );
    expect((await agent.status()).counts.semantic).toBe(1);
  });

  it('names what a flood of near-copies, to which the memory belongs, gives free', async () => {
    const agent = await newAgent();
    const port = (number: number) => `The billing service listens on port ${number}.`;
    const ids = (await tell(agent, ...[8001, 8002, 8003, 8004, 8005].map(port))).map(
      ({ memory }) => memory.id,
    );
    for (const id of ids) await agent.update({ id, superseded_by: null });
    const [older = '', newer = ''] = ids;
    await agent.update({ id: newer, supersedes: [older] });
    const { superseded } = await agent.remember({
      ...{ type: 'semantic', content: port(8006), supersedes: [older] },
    });
    expect(superseded).toMatchObject([{ id: older }]);
  });

  it('of what begins later closes no circle, whatever is stored, restored or reflected on then', async () => {
    const agent = await newAgent();
    const held = async () => (await agent.query()).memories.map(({ content }) => content);
    const told = (content: string, day: number, more: object = {}) =>
      agent.remember({ type: 'semantic', content, occurred_at: `2026-01-0${day}`, ...more });
    const { memory: later } = await told(PORTS[1], 5);
    const { memory: earlier } = await told(PORTS[0], 2, { supersedes: [later.id] });
    expect(await held()).toEqual([PORTS[0]]);
    await agent.reflect();
    await kit.engine.background.run('jobs.work');
    expect(await held()).toEqual([PORTS[0]]);
    for (const { id } of [earlier, later]) {
      await agent.forget({ id });
      await agent.restore({ id });
      expect(await held()).toEqual([PORTS[0]]);
    }
    const between = 'The billing service listens on port 7070.';
    const { memory: changing } = await told('Ports are not settled.', 3, { key: 'port' });
    await agent.update({ id: changing.id, content: between });
    expect(await held()).toEqual([between]);
    await agent.forget({ id: changing.id });
    await told(between, 3);
    expect(await held()).toEqual([between]);
  });

  it('holds no more when what was named is archived after it, and it comes back', async () => {
    const agent = await newAgent();
    const told = await tell(agent, 'The cellar door is green.', 'Tea is at four.', 'Supper is at eight.');
    const [first = '', between = '', last = ''] = told.map(({ memory }) => memory.id);
    await agent.update({ id: between, supersedes: [first] });
    await agent.update({ id: last, supersedes: [between] });
    await agent.forget({ id: first });
    kit.clock.advance(DAY_MS);
    await agent.forget({ id: between });
    kit.clock.advance(28 * DAY_MS);
    await agent.restore({ id: first });
    kit.clock.advance(2 * DAY_MS);
    await kit.engine.background.run('memory.erase-expired');
    expect((await agent.query()).memories.map(({ id }) => id)).toEqual([last]);
  });

  it('refuses circles and protected memories', async () => {
    const agent = await newAgent();
    const [one, two] = await tell(agent, 'The cellar door is green.', 'Tea is at four.');
    const [a = '', b = ''] = [one?.memory.id, two?.memory.id];
    await agent.update({ id: b, supersedes: [a] });
    for (const [id, named] of [
      [a, b],
      [a, a],
    ] as const) {
      await expect(agent.update({ id, supersedes: [named] })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'supersedes' }],
      });
    }
    const soul = await agent.remember({ type: 'core', category: 'soul', content: 'I never lie.' });
    await expect(
      agent.remember({ type: 'semantic', content: 'I lie.', supersedes: [soul.memory.id] }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('counts for a known key, too, also where nothing else changes', async () => {
    const agent = await newAgent();
    const [one, two, three] = await tell(
      agent,
      'The cellar door is green.',
      'Tea is at four.',
      'Supper is at eight.',
    );
    const draft = { type: 'semantic', content: 'Nothing is as it was.', key: 'all' } as const;
    const { memory } = await agent.remember(draft);
    const ids = [one, two, three].map((stored) => stored?.memory.id ?? '');
    const marks = () => Promise.all(ids.map(async (id) => (await agent.get({ id })).memory.superseded_by));
    const [a = '', b = '', c = ''] = ids;
    expect(await agent.remember({ ...draft, supersedes: [a.toUpperCase()] })).toMatchObject({
      outcome: 'updated',
      superseded: [{ id: a }],
    });
    expect(await agent.remember({ ...draft, supersedes: [a] })).toMatchObject({ outcome: 'unchanged' });
    await agent.rememberBatch({ memories: [{ ...draft, content: 'All is new.', supersedes: [b] }] });
    expect(await marks()).toEqual([memory.id, memory.id, undefined]);
    const refusal = { code: 'VALIDATION_ERROR', details: [{ path: 'supersedes' }] };
    for (const named of [memory.id, '00000000-0000-7000-8000-000000000000']) {
      await expect(agent.remember({ ...draft, supersedes: [c, named] })).rejects.toMatchObject(refusal);
    }
    expect(await marks()).toEqual([memory.id, memory.id, undefined]);
  });

  it('of two keys in one call that replace each other leaves the last in force', async () => {
    const agent = await newAgent();
    const drafts = [
      { type: 'semantic', content: 'Tea is at four.', key: 'tea' },
      { type: 'semantic', content: 'Supper is at eight.', key: 'supper' },
    ] as const;
    const { memories } = await agent.rememberBatch({ memories: [...drafts] });
    const [tea = '', supper = ''] = memories.map(({ id }) => id);
    await agent.rememberBatch({
      memories: [
        { ...drafts[0], content: 'Tea is at five.', supersedes: [supper] },
        { ...drafts[1], content: 'Supper is at nine.', supersedes: [tea] },
      ],
    });
    expect((await agent.get({ id: tea })).memory.superseded_by).toBe(supper);
    expect((await agent.get({ id: supper })).memory.superseded_by).toBeUndefined();
  });

  // On the embedded database, calls come one after the other anyway.
  it.each([
    ['each other', 8, ([a, b]: Ids) => ({ ofA: b, ofB: a })],
    ['what replaces the other', 2, ([, , c, d]: Ids) => ({ ofA: d, ofB: c })],
  ])('closes no circle by calls at once that name %s', async (_, calls, pick) => {
    const agent = await newAgent();
    for (let round = 0; round < 5; round += 1) {
      const told = await tell(
        agent,
        ...['door', 'tea', 'cat', 'sea'].map((word) => `${round} is a ${word}.`),
      );
      const [a = '', b = '', c = '', d = ''] = told.map(({ memory }) => memory.id);
      await agent.update({ id: c, supersedes: [a] });
      await agent.update({ id: d, supersedes: [b] });
      const { ofA, ofB } = pick([a, b, c, d]);
      const done = await Promise.allSettled(
        Array.from({ length: calls }, (_, n) =>
          agent.update(n % 2 ? { id: a, supersedes: [ofA] } : { id: b, supersedes: [ofB] }),
        ),
      );
      for (const result of done) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'VALIDATION_ERROR' });
      }
      const all = await Promise.all([a, b, c, d].map(async (id) => (await agent.get({ id })).memory));
      expect(all.some(({ superseded_by }) => superseded_by === undefined)).toBe(true);
    }
  });
});

describe('a memory that says something else from now on', () => {
  const HOME = 'User lives in Rome.';
  const MOVED = 'User lives in Paris now.';
  const ask = async (agent: AgentMemory, more: Partial<Input<'recall'>> = {}) =>
    recalled(agent, { query: 'Where does the user live?', ...more });
  /** A home under a key, and later a move that another fact tells of. */
  const moved = async () => {
    const { tenantId, agent: agentOf } = await kit.tenant();
    const agent = agentOf();
    kit.clock.advance(DAY_MS);
    const { memory: home } = await agent.remember({ type: 'semantic', content: HOME, key: 'home' });
    kit.clock.advance(DAY_MS);
    const { memory: away, superseded } = await agent.remember({ type: 'semantic', content: MOVED });
    expect(superseded?.map(({ id }) => id)).toEqual([home.id]);
    kit.clock.advance(DAY_MS);
    return { tenantId, agent, home, away };
  };

  it.each([
    ['another place', 'User lives in Oslo.'],
    ['the first place again', HOME],
  ])('by its key: %s', async (_, content) => {
    const { agent, home, away } = await moved();
    const told = await agent.remember({ type: 'semantic', content, key: 'home' });
    expect(told).toMatchObject({ outcome: 'updated', superseded: [{ id: away.id, content: MOVED }] });
    expect(told.memory).toMatchObject({ id: home.id, valid_from: kit.clock().toISOString() });
    expect(told.memory.superseded_by).toBeUndefined();
    expect(await ask(agent)).toEqual([content]);
    const between = new Date(kit.clock().getTime() - DAY_MS / 2).toISOString();
    expect(await ask(agent, { as_of: between })).toEqual([MOVED]);
    await agent.reflect({});
    expect(await ask(agent)).toEqual([content]);
    expect(await agent.remember({ type: 'semantic', content, key: 'home' })).toMatchObject({
      outcome: 'unchanged',
    });
  });

  it('by its key in a batch, and what follows in it', async () => {
    const { agent, away } = await moved();
    const { results } = await agent.rememberBatch({
      memories: [
        { type: 'semantic', content: 'User lives in Oslo.', key: 'home' },
        { type: 'episodic', content: 'Another matter.' },
      ],
    });
    expect(results[0]?.superseded?.map(({ id }) => id)).toEqual([away.id]);
    expect(await ask(agent, { types: ['semantic'] })).toEqual(['User lives in Oslo.']);
  });

  it('where its source does, ends nothing that began later, and stays ended itself', async () => {
    const { tenantId, agent: of } = await kit.tenant();
    const agent = of();
    const notes = (content: string) =>
      importAll(kit, tenantId, {
        'a.json': JSON.stringify([{ id: 'n1', content, created_at: '2026-01-01' }]),
      });
    await notes(HOME);
    await agent.remember({ type: 'semantic', content: MOVED, occurred_at: '2026-01-05' });
    kit.clock.advance(1_000);
    expect((await notes('User lives in Rome, near the river.')).result).toMatchObject({ updated: 1 });
    expect(await ask(agent)).toEqual([MOVED]);
    expect((await agent.query()).memories.map(({ content }) => content)).toEqual([MOVED]);
  });

  it('by its key of an earlier time, leaves in force what is newer', async () => {
    const { agent, home, away } = await moved();
    const content = 'User lives in Oslo.';
    const told = await agent.remember({ type: 'semantic', content, key: 'home', valid_from: '2020-01-01' });
    expect(told.memory).toMatchObject({ id: home.id, superseded_by: away.id });
    expect(told.superseded).toBeUndefined();
    expect(await ask(agent)).toEqual([MOVED]);
  });

  it('by its key from outside, ends nothing that the agent said', async () => {
    const { tenantId, agent } = await moved();
    for (const content of [HOME, 'User lives in Oslo.']) {
      await importAll(kit, tenantId, { 'a.json': JSON.stringify([{ content, key: 'home' }]) });
      expect(await ask(agent)).toContain(MOVED);
    }
  });

  it('by a change, counts from when it began: another word for what has ended brings it not back', async () => {
    const { agent, home, away } = await moved();
    const { memory } = await agent.update({ id: home.id, content: 'User lives in Roma.' });
    expect(memory.superseded_by).toBe(away.id);
    expect(await ask(agent)).toEqual([MOVED]);
    const dated = await agent.update({
      id: home.id,
      content: 'User lives in Oslo.',
      valid_from: kit.clock().toISOString(),
    });
    expect(dated).toMatchObject({ superseded: [{ id: away.id }] });
    expect(await ask(agent)).toEqual(['User lives in Oslo.']);
  });

  it('by a change, ends what began before, and takes it back when undone', async () => {
    const agent = await newAgent();
    kit.clock.advance(DAY_MS);
    await agent.remember({ type: 'semantic', content: PORTS[0] });
    kit.clock.advance(DAY_MS);
    const { memory } = await agent.remember({ type: 'semantic', content: 'The billing service is down.' });
    kit.clock.advance(DAY_MS);
    const since = kit.clock().toISOString();
    expect(await agent.update({ id: memory.id, content: PORTS[1] })).toMatchObject({
      superseded: [{ content: PORTS[0] }],
    });
    expect(await recalled(agent)).toEqual([PORTS[1]]);
    await agent.undo({ source: 'agent', since });
    expect(await recalled(agent)).toContain(PORTS[0]);
  });

  it('by its key, tells the human nothing of a hidden fact that took its place', async () => {
    const { agent: as } = await kit.tenant();
    const [agent, human] = [as(), as({ source: 'human', credentialId: randomUUID() })];
    kit.clock.advance(DAY_MS);
    const { memory: home } = await human.remember({ type: 'semantic', content: HOME, key: 'home' });
    kit.clock.advance(DAY_MS);
    await agent.remember({ type: 'semantic', content: MOVED, tags: ['secret'] });
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { secret: 'hidden' } }, { sessionKey });
    kit.clock.advance(DAY_MS);
    const again = { type: 'semantic' as const, key: 'home' };
    expect(await human.remember({ ...again, content: HOME })).toMatchObject({ outcome: 'unchanged' });
    const told = await human.remember({ ...again, content: 'User lives in Oslo.' });
    expect(told.memory.valid_from).toBe(home.valid_from);
    expect(told).not.toHaveProperty('superseded');
    expect(told).not.toHaveProperty('conflicts');
  });

  it.each([['a new memory'], ['a known key']])(
    'by %s, ends for the human what only a hidden fact had ended, too',
    async (way) => {
      const { agent: as } = await kit.tenant();
      const [agent, human] = [as(), as({ source: 'human', credentialId: randomUUID() })];
      await human.remember({ type: 'semantic', content: 'Tea is at four.', key: 'home' });
      kit.clock.advance(DAY_MS);
      const { memory: home } = await agent.remember({ type: 'semantic', content: HOME });
      kit.clock.advance(DAY_MS);
      await agent.remember({ type: 'semantic', content: MOVED, tags: ['secret'] });
      const { session_key: sessionKey } = await agent.sessionKey();
      await agent.setVisibility({ tags: { secret: 'hidden' } }, { sessionKey });
      kit.clock.advance(DAY_MS);
      const draft = { type: 'semantic' as const, content: 'User lives in Oslo now.' };
      const told = await human.remember({ ...draft, ...(way === 'a known key' && { key: 'home' }) });
      expect(told.superseded).toMatchObject([{ id: home.id, content: HOME }]);
      expect(told.memory).not.toHaveProperty('superseded_by');
    },
  );

  it('tells what it leaves in doubt', async () => {
    const agent = await newAgent();
    kit.clock.advance(DAY_MS);
    const { memory: doubted } = await agent.remember({
      type: 'semantic',
      content: 'The project uses Express.',
    });
    const { memory } = await agent.remember({ type: 'semantic', content: 'Work goes on.', key: 'project' });
    kit.clock.advance(DAY_MS);
    const content = 'The project was ported to Fastify.';
    expect(await agent.remember({ type: 'semantic', content, key: 'project' })).toMatchObject({
      memory: { id: memory.id },
      conflicts: [{ id: doubted.id }],
    });
  });
});

describe('the same said again', () => {
  it('makes no second memory, and counts how often', async () => {
    const agent = await newAgent();
    const said = ['Maya plays the violin.', 'maya plays  the violin', 'Maya plays the violin!'];
    const stored = await tell(agent, ...said);
    expect(stored.map(({ outcome }) => outcome)).toEqual(['created', 'unchanged', 'unchanged']);
    expect(new Set(stored.map(({ memory }) => memory.id)).size).toBe(1);
    expect(stored.at(-1)?.memory).toMatchObject({
      version: 1,
      confirmations: 2,
      last_confirmed_at: '2026-01-03T00:00:00.000Z',
    });
    expect((await agent.status()).counts.semantic).toBe(1);
  });

  it('joins tags and keeps the higher importance', async () => {
    const agent = await newAgent();
    const content = 'Maya plays the violin.';
    const [, again] = await tell(
      agent,
      { content, tags: ['music'], importance: 0.4 },
      { content, tags: ['people'], importance: 0.9 },
    );
    expect(again).toMatchObject({
      outcome: 'merged',
      memory: { tags: ['music', 'people'], importance: 0.9, confirmations: 1 },
    });
  });

  it('in one batch is stored once', async () => {
    const agent = await newAgent();
    const { results, memories } = await agent.rememberBatch({
      memories: ['Tea is at four.', 'tea is at four', 'Supper is at eight.'].map((content) => ({
        type: 'semantic' as const,
        content,
      })),
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'unchanged', 'created']);
    expect(new Set(memories.map(({ id }) => id)).size).toBe(2);
  });

  it('stays two where a memory may not have the tags of both', async () => {
    const agent = await newAgent();
    const memories = Array.from({ length: 40 }, (_, n) => ({
      ...{ type: 'semantic' as const, content: 'Tea is at four.' },
      tags: [`tag-${n}`],
    }));
    const batch = await agent.rememberBatch({ memories });
    const last = await agent.remember({ ...memories[0], tags: ['one', 'more'] } as Draft);
    const stored = (await agent.query({})).memories;
    expect(stored.every(({ tags }) => tags.length <= 32)).toBe(true);
    expect(new Set(stored.flatMap(({ tags }) => tags)).size).toBe(42);
    expect(new Set([...batch.memories, last.memory].map(({ id }) => id)).size).toBe(stored.length);
  });

  it('in one batch may grow several times', async () => {
    const agent = await newAgent();
    const { results, memories } = await agent.rememberBatch({
      memories: [0, 0.5, 1].map((importance) => ({
        type: 'semantic' as const,
        content: 'Tea is at four.',
        importance,
      })),
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'merged', 'merged']);
    expect(memories.at(-1)).toMatchObject({ importance: 1, version: 3, confirmations: 2 });
  });

  it('may be superseded in the same batch, and so may what has a key that the batch changes', async () => {
    const agent = await newAgent();
    const [said] = await tell(agent, PORTS[0]);
    const keyed = await agent.remember({
      type: 'semantic',
      key: 'tea',
      content: 'The tea room is on floor 3.',
    });
    const { results } = await agent.rememberBatch({
      memories: [
        { type: 'semantic', content: PORTS[0], importance: 1 },
        { type: 'semantic', content: PORTS[1] },
        { type: 'semantic', content: 'The tea room is on floor 4.' },
        { type: 'semantic', key: 'tea', content: 'The tea room is on floor 3, left of the stairs.' },
      ],
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['merged', 'created', 'created', 'updated']);
    const { memory } = await agent.get({ id: said?.memory.id ?? '' });
    expect(memory).toMatchObject({ importance: 1, confirmations: 1 });
    expect((await agent.get({ id: keyed.memory.id })).memory.content).toContain('left of the stairs');
  });

  it('stays two where they differ: episodes, keys, numbers, names, paths', async () => {
    const agent = await newAgent();
    const pairs: readonly (readonly [Partial<Draft>, Partial<Draft>])[] = [
      [
        { type: 'episodic', content: 'ok' },
        { type: 'episodic', content: 'ok' },
      ],
      [
        { key: 'a', content: 'Tea is at four.' },
        { key: 'b', content: 'Tea is at four.' },
      ],
      [{ content: 'Run /opt/App/start' }, { content: 'Run /opt/app/start' }],
      [{ content: 'Ann has 2 keys.' }, { content: 'Bob has 2 keys.' }],
      [
        { content: 'x', metadata: { a: 1 } },
        { content: 'x', metadata: { a: 2 } },
      ],
    ];
    for (const pair of pairs) {
      const own = await newAgent();
      const stored = await tell(own, ...pair);
      expect(
        stored.map(({ outcome }) => outcome),
        JSON.stringify(pair),
      ).toEqual(['created', 'created']);
    }
    expect((await agent.status()).counts.semantic).toBe(0);
  });

  it('of an earlier time says that it held before', async () => {
    const agent = await newAgent();
    const content = 'Maya plays the violin.';
    const [later, earlier] = await tell(
      agent,
      { content, occurred_at: '2026-02-01' },
      { content, occurred_at: '2025-02-01' },
    );
    expect(earlier?.memory.id).not.toBe(later?.memory.id);
    const then = await agent.query({ as_of: '2025-06-01T00:00:00Z' });
    expect(then.memories.map(({ id }) => id)).toEqual([earlier?.memory.id]);
  });

  it('of the same time is no second memory, also where another has ended it since', async () => {
    const agent = await newAgent();
    const memories = PORTS.map((content, day) => ({
      ...{ type: 'semantic' as const, content, occurred_at: `2026-01-0${day + 1}` },
    }));
    const { memories: told } = await agent.rememberBatch({ memories });
    kit.clock.advance(DAY_MS);
    const { memories: again, results } = await agent.rememberBatch({ memories });
    expect(results.map(({ outcome }) => outcome)).toEqual(memories.map(() => 'unchanged'));
    expect(again.map(({ id }) => id)).toEqual(told.map(({ id }) => id));
    expect(await recalled(agent)).toEqual([PORTS[1]]);
  });

  it('after it was superseded is a new fact, which holds now', async () => {
    const agent = await newAgent();
    const [first, , third] = await tell(agent, PORTS[0], PORTS[1], PORTS[0]);
    expect(third).toMatchObject({ outcome: 'created', superseded: [{ content: PORTS[1] }] });
    expect(third?.memory.id).not.toBe(first?.memory.id);
    expect(await recalled(agent)).toEqual([PORTS[0]]);
  });

  it.each([
    ['I live in Oslo.', 'I moved to Bergen.', 'I live in Oslo.'],
    ['I live in Oslo.', 'I moved to Bergen.', "I'm back in Oslo."],
    ['We use Jest for unit tests.', 'We switched from Jest to Vitest.', 'We use Jest for unit tests.'],
    ['The API runs on Node 20.', 'The API was upgraded to Node 22.', 'The API was rolled back to Node 20.'],
    [
      'The staging server listens on port 8080.',
      'The staging server now listens on port 9090.',
      'The staging server is back on port 8080.',
    ],
    ['Ich wohne in Oslo.', 'Ich bin nach Bergen gezogen.', 'Ich wohne in Oslo.'],
  ])('replaces what had come between: %s %s %s', async (...contents) => {
    const agent = await newAgent();
    const stored = await tell(agent, ...contents);
    expect(stored.at(-1)).toMatchObject({ outcome: 'created', superseded: [{ content: contents[1] }] });
    expect((await agent.query({})).memories.map(({ content }) => content)).toEqual([contents[2]]);
  });

  it.each([
    ['I live in Oslo.', 'I moved to Bergen.', 'I was back in Oslo.'],
    ['I live in Oslo.', 'I moved to Bergen.', 'I had been back in Oslo.'],
    ['I live in Oslo.', 'I moved to Bergen.', 'I can go back to Oslo.'],
    ['I live in Oslo.', 'I moved to Bergen.', 'I could be back in Oslo.'],
    ['Ich wohne in Oslo.', 'Ich bin nach Bergen gezogen.', 'Ich war wieder in Oslo.'],
    ['Ich wohne in Oslo.', 'Ich bin nach Bergen gezogen.', 'Ich könnte wieder in Oslo wohnen.'],
  ])('replaces nothing where it tells of what was, or may be: %s %s %s', async (...contents) => {
    const agent = await newAgent();
    expect((await tell(agent, ...contents)).at(-1)).not.toHaveProperty('superseded');
    expect((await agent.query({})).memories.map(({ content }) => content)).toContain(contents[1]);
  });

  it('replaces what came between in whatever order the three are told, and in one call', async () => {
    const HOME = ['I live in Oslo.', 'I moved to Bergen.', 'I live in Oslo.'] as const;
    const draft = (place: number) => ({
      ...{ type: 'semantic' as const, content: HOME[place] ?? '', valid_from: `2025-0${place + 1}-01` },
    });
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const [alone, together] = [await newAgent(), await newAgent()];
      for (const place of order) {
        await alone.remember(draft(place));
        kit.clock.advance(DAY_MS);
      }
      await together.rememberBatch({ memories: order.map(draft) });
      for (const agent of [alone, together]) {
        for (const [place, content] of HOME.entries()) {
          const { memories } = await agent.query({ as_of: `2025-0${place + 1}-15T00:00:00Z` });
          expect(
            memories.map((one) => one.content),
            `${order} ${place}`,
          ).toEqual([content]);
        }
      }
    }
  });
});

it('what is said again is stored again where the operator wants it so', async () => {
  const plain = await startTestEngine({ settings: { mergeRepeated: false } });
  const agent = (await plain.tenant()).agent();
  const stored = await tell(agent, 'Maya plays the violin.', 'Maya plays the violin.');
  expect(stored.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  await plain.close();
});

describe('a fact that is only dated into the future', () => {
  const AHEAD = '2099-01-01T00:00:00.000Z';
  const bootOf = async (agent: AgentMemory) => (await agent.boot({ preview: true })).injection;

  it.each([
    ['by a clock that ran ahead', 3 * DAY_MS],
    ['for good', 30_000 * DAY_MS],
  ])('%s follows nothing that is told afterwards, and comes behind it', async (_, ahead) => {
    const { tenantId, agent: of } = await kit.tenant();
    const agent = of();
    const occurred_at = new Date(kit.clock().getTime() + ahead).toISOString();
    await tell(agent, { content: PORTS[0], occurred_at });
    const { memory } = await agent.remember({ type: 'semantic', content: PORTS[1] });
    expect(memory).not.toHaveProperty('superseded_by');
    expect((await recalled(agent))[0]).toBe(PORTS[1]);
    const holding = watched(kit, 8 * 1024 ** 2);
    await holding.untilHeld(tenantId);
    expect((await recalled(holding.engine.agent(tenantId)))[0]).toBe(PORTS[1]);
    const injection = await bootOf(agent);
    expect(injection.indexOf(PORTS[1])).toBeLessThan(injection.indexOf(PORTS[0]));
  });

  it('does not come between what was told before it and what is told after it', async () => {
    const agent = await newAgent();
    const [first] = await tell(agent, PORTS[0], {
      content: 'The billing service listens on port 6666.',
      occurred_at: AHEAD,
    });
    const { memory } = await agent.remember({ type: 'semantic', content: PORTS[1] });
    expect(memory).not.toHaveProperty('superseded_by');
    expect((await agent.get({ id: first?.memory.id ?? '' })).memory.superseded_by).toBe(memory.id);
    expect((await recalled(agent))[0]).toBe(PORTS[1]);
  });

  it('follows nothing of the same batch, of a changed memory, or of a reflection', async () => {
    const agent = await newAgent();
    const { memories } = await agent.rememberBatch({
      memories: [
        { type: 'semantic', content: PORTS[0], occurred_at: AHEAD },
        { type: 'semantic', content: PORTS[1] },
        { type: 'semantic', content: 'The billing service has no port.' },
      ],
    });
    const [, now, other] = memories;
    expect(now).not.toHaveProperty('superseded_by');
    await agent.update({ id: other?.id ?? '', content: 'The billing service listens on port 7070.' });
    await agent.reflect();
    await kit.engine.background.run('jobs.work');
    for (const { superseded_by, content } of (await agent.query({})).memories) {
      const follower = superseded_by && (await agent.get({ id: superseded_by })).memory.occurred_at;
      expect(follower, content).not.toBe(AHEAD);
    }
  });

  it('comes behind where it was brought in', async () => {
    const { tenantId, agent: of } = await kit.tenant();
    const agent = of();
    const line = { type: 'semantic', content: PORTS[0], occurred_at: AHEAD };
    await importAll(kit, tenantId, { 'facts.jsonl': JSON.stringify(line) });
    await agent.remember({ type: 'semantic', content: PORTS[1] });
    expect((await recalled(agent))[0]).toBe(PORTS[1]);
    expect((await recalled(agent, { query: 'What is the latest port of the billing service?' }))[0]).toBe(
      PORTS[1],
    );
  });

  it('still takes its place where its author says when it begins to hold', async () => {
    const agent = await newAgent();
    const planned = await agent.remember({ type: 'semantic', content: PORTS[1], valid_from: AHEAD });
    const { memory } = await agent.remember({ type: 'semantic', content: PORTS[0] });
    expect(memory.superseded_by).toBe(planned.memory.id);
    expect((await recalled(agent))[0]).toBe(PORTS[0]);
    expect(await recalled(agent, { as_of: AHEAD })).toEqual([PORTS[1]]);
  });
});
