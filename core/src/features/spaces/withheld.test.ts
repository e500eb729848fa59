import { describe, expect, it } from 'vitest';
import type { AgentMemory, Input, OperationName, Route } from '../../app/contract.ts';
import { routes } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { isLong } from '../../testing/index.ts';
import { startReceiver } from '../webhooks/receiver.fixture.ts';
import { createSecretBox } from '../webhooks/secret-box.ts';
import { CANARY, must, type Somebody, world } from './spaces.fixture.ts';

const secrets = createSecretBox('secret of the test');
const kit = useTestEngine({ webhooks: { secrets, allowPrivate: true } });

const OPEN = 'The open harbour note.';

const HIDES: Readonly<Record<string, Input<'setVisibility'>>> = {
  'by default': { default: 'hidden' },
  'by type': { types: { core: 'hidden', semantic: 'hidden', working: 'hidden' } },
  'by tag': { tags: { private: 'hidden' } },
};

async function show(somebody: Somebody, settings: Input<'setVisibility'>) {
  const { session_key: sessionKey } = await somebody.memory.sessionKey();
  await somebody.memory.setVisibility(settings, { sessionKey });
}

/** A space in which the creator hides what it writes, and the writer what waits with the Guardian; a manager shows a note. */
async function hidingWorld(settings: Input<'setVisibility'>) {
  const people = await world(kit);
  const { space_id, creator, writer, manager, memory } = people;
  const tags = ['private', `${CANARY}-tag`];
  await creator.memory.update({ id: memory.id, tags, space_id });
  const say = (more: Partial<Input<'remember'>>) =>
    creator.memory.remember({ type: 'semantic', content: `${CANARY} said.`, tags, space_id, ...more });
  const gone = await say({ content: `${CANARY} Bethany forgotten.` });
  await creator.memory.forget({ id: gone.memory.id, space_id });
  const rule = await say({ type: 'core', category: 'operations', content: `${CANARY} rule.` });
  const soul = { type: 'core', category: 'soul', content: `${CANARY} soul.`, tags, space_id } as const;
  const asked = await writer.memory.remember(soul);
  const { memory: open } = await manager.memory.remember({ type: 'semantic', content: OPEN, space_id });
  await creator.memory.recall({ query: CANARY, threshold: 0 });
  await manager.memory.recall({ query: CANARY, threshold: 0 });
  for (const one of [creator, writer]) await show(one, settings);
  const hidden = [memory, gone.memory, rule.memory].map(({ id }) => id);
  return { ...people, hidden, open, entryId: must(asked.entry).id };
}
type Hiding = Awaited<ReturnType<typeof hidingWorld>>;

/** Operations of a human that read a space. */
const READS: Partial<Record<OperationName, (world: Hiding) => readonly object[]>> = {
  get: ({ hidden }) => hidden.map((id) => ({ id })),
  similar: ({ hidden, open }) => [...hidden, open.id].map((id) => ({ id, threshold: 0 })),
  history: ({ hidden }) => hidden.map((id) => ({ id })),
  archived: () => [{}],
  query: () => [
    {},
    { tags: ['private'] },
    { known_at: '2027-01-01' },
    { key: 'bird' },
    { sort: 'importance' },
    { include_superseded: true },
  ],
  recall: () => [
    { query: CANARY, threshold: 0 },
    { query: CANARY, threshold: 0, known_at: '2027-01-01' },
  ],
  boot: () => [{ context_hint: CANARY }, { context_hint: CANARY, known_at: '2027-01-01' }],
  compaction: () => [{ context_hint: CANARY, include_semantic: true }],
  export: () => [{}, { known_at: '2027-01-01' }, { as_of: '2027-01-01' }],
  memoryFacets: () => [{}],
  memoryMap: () => [{}],
  memoryCalendar: () => [{ since: '2025-01-01', until: '2027-12-31' }],
  dashboard: () => [{}],
  recalls: ({ hidden }) => [{}, ...hidden.map((memory_id) => ({ memory_id }))],
  space: () => [{}],
  spaces: () => [{}],
  spaceGuardianQueue: ({ hidden }) => [{}, ...hidden.map((memory_id) => ({ memory_id }))],
};

/** What the path or body of these names is a space already, or they take none. */
const WITHOUT_SPACE: readonly string[] = ['dashboard', 'recalls', 'spaces'];

describe('what an agent hides in a space', () => {
  it('is looked for by every operation of a human that reads spaces', () => {
    const reading = Object.entries(routes).flatMap(([name, route]: [string, Route]) => {
      const reads = route.spaces === 'read' || route.readsSpaces;
      return reads && !['agent', 'session'].includes(route.access) ? [name] : [];
    });
    // Members leave by it; it reads nothing.
    expect(Object.keys(READS)).toEqual(
      expect.arrayContaining(reading.filter((name) => name !== 'removeSpaceMember')),
    );
  });

  // The short form asks after the kind of rule that goes the longest way.
  it.each(Object.entries(HIDES).slice(isLong() ? 0 : -1))(
    '%s is hidden from its human, whichever agent they choose',
    async (_, rules) => {
      const world = await hidingWorld(rules);
      const { space_id, hidden, creator, manager, outsider } = world;
      const secret = new RegExp([CANARY, 'Bethany', ...hidden].join('|'));
      // The kinds of rules differ in what they match, not in who asks.
      const askers = isLong() && rules.default ? [creator, manager, outsider] : [manager];
      for (const { human } of askers) {
        const ask = async (name: OperationName, input: object) => {
          const call = human[name as keyof AgentMemory] as (input: object) => Promise<object>;
          return call(input).catch((error: Error) => ({ ...error, message: error.message }));
        };
        for (const [name, inputs] of Object.entries(READS)) {
          for (const input of inputs(world)) {
            const places = WITHOUT_SPACE.includes(name) ? [{}] : [{ space_id }, {}];
            for (const place of places) {
              // What the caller sends comes back in some errors, and the log names what a human asked for.
              const answer = JSON.stringify(await ask(name as OperationName, { ...input, ...place }))
                .replaceAll(`"query":"${CANARY}"`, '')
                .replaceAll(space_id, '');
              expect(answer, `${name} ${JSON.stringify(input)}`).not.toMatch(secret);
            }
          }
        }
        const { memories } = await human.query({ space_id });
        expect(memories.map(({ content }) => content)).toEqual([OPEN]);
      }
    },
  );

  it('stays hidden when others change it, and when its writer is taken out', async () => {
    const { space_id, memory, creator, reader, manager } = await world(kit);
    await show(creator, { default: 'hidden' });
    await manager.memory.update({ id: memory.id, importance: 0.9, space_id });
    await reader.human.removeSpaceMember({ space_id, tenant_id: creator.tenantId });
    expect((await reader.human.query({ space_id })).memories).toEqual([]);
    await expect(reader.human.get({ id: memory.id, space_id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await reader.memory.query({ space_id })).memories).toMatchObject([{ id: memory.id }]);
  });

  it.each<[string, Partial<Input<'update'>>]>([
    ['other tags', { tags: [] }],
    ['another type', { type: 'working' }],
    ['other tags and another type', { tags: ['open'], type: 'working' }],
  ])('stays hidden when another agent gives it %s', async (_, change) => {
    const { space_id, memory, creator, manager } = await world(kit);
    const { id } = memory;
    const seen = async () => {
      const { human } = manager;
      const { results } = await human.recall({ space_id, query: CANARY, threshold: 0 });
      const { memories } = await human.query({ space_id });
      const { injection } = await human.boot({ space_id, preview: true });
      await expect(human.history({ id, space_id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      return JSON.stringify([results, memories, injection]).includes(CANARY);
    };
    await creator.memory.update({ id, tags: ['private'], space_id });
    for (const rules of [{ tags: { private: 'hidden' } }, { types: { semantic: 'hidden' } }] as const) {
      await show(creator, { tags: {}, types: {}, ...rules });
      expect(await seen()).toBe(false);
      await manager.memory.update({ id, ...change, space_id });
      expect(await seen()).toBe(false);
      await manager.memory.remember({ type: 'working', content: `${CANARY}!`, key: 'bird', space_id });
      expect(await seen()).toBe(false);
    }
    // Who hides it may show it.
    await creator.memory.update({ id, tags: ['shown'], type: 'working', space_id });
    expect((await manager.human.query({ space_id })).memories).toMatchObject([{ id }]);
  });

  it('is told by no mark on what it puts in doubt', async () => {
    const { space_id, creator, manager } = await world(kit);
    await show(creator, { tags: { private: 'hidden' } });
    const say = (somebody: Somebody, content: string, occurred_at: string, tags: string[]) =>
      somebody.memory.remember({ type: 'semantic', content, occurred_at, tags, space_id });
    await say(manager, 'Invoices are written with Lexoffice.', '2026-01-10', []);
    const { conflicts } = await say(creator, 'Invoices are written with Sevdesk.', '2026-02-20', ['private']);
    expect(conflicts).toHaveLength(1);
    const boot = async (of: AgentMemory) => (await of.boot({ preview: true, space_id })).injection;
    expect(await boot(manager.human)).toContain('Lexoffice');
    expect(await boot(manager.human)).not.toMatch(/Sevdesk|out of date/);
    expect(await boot(manager.memory)).toContain('(may be out of date; since 2026-02-20: Invoices are');
    const { results } = await manager.human.recall({ query: 'invoices', threshold: 0, space_id });
    expect(JSON.stringify(results)).toContain('Lexoffice');
    expect(JSON.stringify(results)).not.toMatch(/Sevdesk|conflicts_with/);
  });

  it('is told neither by the log of another agent nor by its events', async () => {
    const { space_id, memory, creator, manager } = await world(kit);
    const start = must(await kit.engine.events.position(manager.tenantId));
    await manager.memory.recall({ query: CANARY, threshold: 0 });
    await manager.memory.update({ id: memory.id, importance: 0.9, space_id });
    await show(creator, { types: { semantic: 'hidden' } });
    expect((await manager.human.recalls({})).recalls).toEqual([]);
    const events = await kit.engine.events.after(manager.tenantId, start, 100);
    expect(events.map(({ event }) => event.type)).toContain('memory.stored');
    const told = JSON.stringify(events.map(({ forHuman }) => forHuman));
    expect(told).not.toContain(memory.id);
    expect(told).not.toContain('"results"');
  });

  it('redacted shows type and dates only, through any agent', async () => {
    const { space_id, memory, creator, manager } = await world(kit);
    await show(creator, { default: 'redacted' });
    for (const { human } of [creator, manager]) {
      const { memories } = await human.query({ space_id });
      expect(memories).toMatchObject([{ id: memory.id, content: '[redacted]', key: null }]);
    }
    expect((await manager.memory.get({ id: memory.id })).memory.content).toBe(memory.content);
  });

  it('withholds nothing of another agent’s own, nor of what others wrote into the space', async () => {
    const { space_id, creator, manager } = await world(kit);
    await show(creator, { default: 'hidden' });
    await manager.memory.remember({ type: 'semantic', content: 'My own.', tags: ['private'] });
    await manager.memory.remember({ type: 'semantic', content: OPEN, space_id });
    const contents = (await manager.human.query({})).memories.map(({ content }) => content);
    expect(contents.sort()).toEqual(['My own.', OPEN]);
    // Its own document is synced as ever: nothing of it is withheld.
    expect((await manager.human.syncWorking({ content: '# Plan' })).memory.content).toContain('Plan');
    const asked = { type: 'core', category: 'operations', content: 'Deploy on Mondays.', space_id } as const;
    await manager.memory.remember(asked);
    const { entries } = await creator.human.spaceGuardianQueue({ space_id });
    for (const { proposed } of entries) expect(proposed?.content).toBe('Deploy on Mondays.');
  });

  it('is in no event that an endpoint of another agent gets', async () => {
    const { hidden, space_id, manager } = await hidingWorld({ default: 'hidden' });
    const receiver = await startReceiver();
    const events = ['memory.archived', 'memory.recalled'];
    await manager.human.createEventEndpoint({ url: receiver.url, events });
    await manager.memory.recall({ query: CANARY, threshold: 0 });
    await manager.memory.forget({ id: must(hidden[0]), space_id });
    await kit.engine.background.run('events.deliver');
    const sent = receiver.received.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ type }) => type)).toEqual(['memory.recalled']);
    expect(sent[0].data).not.toHaveProperty('results');
    await receiver.close();
  });

  it('is in no number that a list of spaces or users tells the human', async () => {
    const { space_id, creator, manager } = await hidingWorld({ default: 'hidden' });
    const mine = (list: readonly { id: string; memories: number }[], id: string) =>
      list.find((one) => one.id === id)?.memories;
    for (const { human } of [creator, manager]) {
      expect(mine((await human.spaces()).spaces, space_id)).toBe(1);
    }
    expect(mine((await creator.memory.spaces()).spaces, space_id)).toBe(3);
    await creator.memory.remember({ type: 'semantic', content: 'Ada dives.', user_id: 'u1' });
    await manager.memory.remember({ type: 'semantic', content: 'Ada sails.', user_id: 'u1' });
    expect(mine((await creator.human.users({})).users, 'u1')).toBe(0);
    expect(mine((await creator.memory.users({})).users, 'u1')).toBe(1);
    expect(mine((await manager.human.users({})).users, 'u1')).toBe(1);
  });
});
