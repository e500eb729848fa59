import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AgentMemory, Input, OperationName } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

/** An agent whose human must not notice what it hides. */
async function meet() {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility({ tags: { private: 'hidden' } }, { sessionKey });
  const start = await kit.engine.events.position(tenantId);
  if (!start) throw new Error('there is always a now');
  /** Names of the ids of its memories, the same for both agents. */
  const names = new Map<string, string>();
  return { tenantId, agent, human: as({ source: 'human', credentialId: randomUUID() }), start, names };
}
type Twin = Awaited<ReturnType<typeof meet>>;

const fact = (content: string, occurred_at: string) => ({ type: 'semantic' as const, content, occurred_at });

const SHOWN: readonly Input<'remember'>[] = [
  fact('Anna lives in Leipzig.', '2026-01-10'),
  fact('The deposit for the boat is 400 euros.', '2026-01-10'),
  fact('Invoices are written with Lexoffice.', '2026-01-10'),
  fact('Anna plants roses and lemon trees.', '2026-01-12'),
  { type: 'working', content: 'The build is green.', key: 'build' },
  { type: 'episodic', content: 'Tom repaired the lemon press.', occurred_at: '2026-02-28T10:00:00Z' },
  { type: 'core', category: 'soul', content: 'I am calm.' },
];
const BEFORE: readonly Input<'remember'>[] = [
  fact('Bert lives in Kiel.', '2026-01-10'),
  fact('Parcels are sent with Hermes.', '2026-01-10'),
];
const BEHIND: readonly Input<'remember'>[] = [
  fact('Bert moved to Bonn.', '2026-02-10'),
  fact('Parcels are sent with DHL.', '2026-02-10'),
];
const HIDDEN: readonly Input<'remember'>[] = [
  fact('Anna moved to Berlin.', '2026-02-20'),
  fact('The deposit for the boat is 500 euros.', '2026-02-20'),
  fact('Invoices are written with Sevdesk.', '2026-02-20'),
  ...[1, 2, 3, 4, 5].map((n) => fact(`Lemon ${n} is for the secret recipe.`, '2026-02-20')),
  { type: 'working', content: 'The door is locked.', key: 'door' },
  { type: 'episodic', content: 'We met the doctor about the lemons.', occurred_at: '2026-02-28T10:01:00Z' },
  { type: 'core', category: 'identity', content: 'I am Zora.' },
];

/** Two agents that remember the same, and one of them more, which it hides. */
async function twins(): Promise<{ readonly hiding: Twin; readonly other: Twin }> {
  const [hiding, other] = [await meet(), await meet()];
  const store = async (twin: Twin, draft: Input<'remember'>) => {
    const { memory } = await twin.agent.remember(draft);
    twin.names.set(memory.id, draft.content);
  };
  const inBoth = async (drafts: readonly Input<'remember'>[]) => {
    for (const draft of drafts) {
      kit.clock.advance(1_000);
      for (const twin of [hiding, other]) await store(twin, draft);
    }
  };
  const hide = async (drafts: readonly Input<'remember'>[]) => {
    kit.clock.advance(1_000);
    for (const draft of drafts) await store(hiding, { ...draft, tags: ['private'] });
  };
  await inBoth(SHOWN);
  await hide(BEFORE);
  await inBoth(BEHIND);
  await hide(HIDDEN);
  await hiding.agent.recall({ query: 'the doctor' });
  for (const twin of [hiding, other]) await twin.agent.recall({ query: 'lemon', threshold: 0 });
  return { hiding, other };
}

const asked = (query: string) => ({ query, threshold: 0, explain: true, limit: 3 });
const READS: readonly (readonly [OperationName, object])[] = [
  ...['lemon', 'Where does Anna live?', 'deposit for the boat', 'invoices', 'Where does Bert live?'].map(
    (query) => ['recall', asked(query)] as const,
  ),
  ['recall', asked('What happened yesterday?')],
  ['recall', asked('What happened on 2026-02-28?')],
  ['recall', { query: 'doctor', threshold: 0, include_superseded: true }],
  ['recall', { query: 'Anna', threshold: 0, known_at: '2027-01-01' }],
  ['query', { limit: 100 }],
  ['query', { limit: 100, include_superseded: true, sort: 'importance' }],
  ['query', { limit: 100, known_at: '2027-01-01' }],
  ['boot', { preview: true }],
  ['boot', { preview: true, context_hint: 'lemon' }],
  ['export', {}],
  ['archived', {}],
  ['memoryFacets', {}],
  ['memoryMap', {}],
  ['memoryGrowth', {}],
  ['memoryCalendar', { since: '2026-01-01', until: '2026-12-31' }],
  ['guardianQueue', {}],
  ['stability', {}],
  ['conflicts', {}],
  ['recalls', {}],
  ['jobs', {}],
  ['files', {}],
];
/** Of each memory that both have. */
const READS_OF_ONE: readonly OperationName[] = ['get', 'history', 'similar'];
const WRITES: readonly (readonly [OperationName, object])[] = [
  ['remember', fact('Lemon 1 is for the secret recipe.', '2026-02-21')],
  ['remember', fact('Bert moved to Kiel.', '2026-02-25')],
  ['remember', { type: 'working', content: 'The door is open.' }],
  ['remember', { type: 'working', content: 'mine', key: 'door' }],
  ['syncWorking', { content: 'mine', key: 'door' }],
  ['undo', { source: 'agent', since: '2026-01-01', dry_run: true }],
  ['fileCommand', { command: 'create', path: '/memories/working/door', file_text: 'mine' }],
];

async function answer(
  { human, names, tenantId }: Twin,
  name: OperationName,
  input: object,
): Promise<unknown> {
  const call = human[name as keyof AgentMemory] as (input: object) => Promise<object>;
  const told = await call(input).catch(({ code, message }) => ({ code, message }));
  return JSON.parse(withoutIds(JSON.stringify(told), names, tenantId));
}

function withoutIds(text: string, names: ReadonlyMap<string, string>, tenantId: string): string {
  const named = [...names].reduce((all, [id, name]) => all.replaceAll(id, name), text);
  return named
    .replaceAll(tenantId, 'its tenant')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id')
    .replaceAll(/"took_ms":[\d.]+/g, '"took_ms":0');
}

it('what an agent hides changes nothing of what its human reads, is answered, or receives as an event', async () => {
  const { hiding, other } = await twins();
  const events = async ({ tenantId, start, names }: Twin) => {
    const seen = await kit.engine.events.after(tenantId, start, 500);
    const told = seen.flatMap(({ forHuman }) =>
      forHuman && forHuman.type !== 'memory.recalled' ? [[forHuman.type, forHuman.data]] : [],
    );
    return JSON.parse(withoutIds(JSON.stringify(told), names, tenantId));
  };
  expect(await events(hiding)).toEqual(await events(other));
  // Yesterday was the visit to the doctor.
  kit.clock.set(new Date('2026-03-01T18:00:00Z'));
  for (const [name, input] of READS) {
    const label = `${name} ${JSON.stringify(input)}`;
    expect(await answer(hiding, name, input), label).toEqual(await answer(other, name, input));
  }
  const idOf = (twin: Twin, content: string) => [...twin.names].find(([, name]) => name === content)?.[0];
  for (const name of READS_OF_ONE) {
    for (const { content } of [...SHOWN, ...BEHIND]) {
      const more = name === 'similar' ? { threshold: 0 } : {};
      const [seen, wanted] = [
        await answer(hiding, name, { id: idOf(hiding, content), ...more }),
        await answer(other, name, { id: idOf(other, content), ...more }),
      ];
      expect(seen, `${name} ${content}`).toEqual(wanted);
    }
  }
  for (const [name, input] of WRITES) {
    const label = `${name} ${JSON.stringify(input)}`;
    expect(await answer(hiding, name, input), label).toEqual(await answer(other, name, input));
  }
});

it('a human changes a memory that a hidden one took the place of by the version they were shown', async () => {
  const { hiding } = await twins();
  const [id = ''] = [...hiding.names].find(([, name]) => name === 'Anna lives in Leipzig.') ?? [];
  const { memory } = await hiding.human.get({ id });
  expect(memory.version).toBe(1);
  expect((await hiding.agent.get({ id })).memory.version).toBe(2);
  const stale = hiding.human.update({ id, importance: 0.7 }, { ifMatch: 2 });
  await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', details: { version: 1 } });
  const changed = await hiding.human.update({ id, importance: 0.7 }, { ifMatch: memory.version });
  expect(changed.outcome).toBe('updated');
});
