import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { agentWithUsers, bound } from './users.fixture.ts';

const NEW = { user_id: 'u2' } as const;
const DRAFT = { type: 'semantic', content: 'Cleo prefers the corner desk.' } as const;
const FILES = { files: [{ name: 'a.json', content: JSON.stringify([DRAFT]) }] };

const kit = useTestEngine();

const idsOf = async (agent: AgentMemory) => (await agent.users()).users.map(({ id }) => id).sort();

it.each<[string, (agent: AgentMemory) => Promise<unknown>, string | undefined]>([
  ['an import as a dry run', (agent) => agent.import({ ...FILES, ...NEW, dry_run: true }), undefined],
  [
    'an undo as a dry run',
    (agent) => agent.undo({ source: 'agent', since: '2026-01-01', dry_run: true, ...NEW }),
    undefined,
  ],
  [
    'a core memory, which is refused',
    (agent) => agent.remember({ type: 'core', category: 'identity', content: 'I am Cleo.', ...NEW }),
    'VALIDATION_ERROR',
  ],
  [
    'a memory that replaces an unknown one, which is refused',
    (agent) => agent.remember({ ...DRAFT, supersedes: [crypto.randomUUID()], ...NEW }),
    'VALIDATION_ERROR',
  ],
  ['a boot', (agent) => agent.boot(NEW), undefined],
  ['a recall', (agent) => agent.recall({ query: 'desk', ...NEW }), undefined],
  ['a query', (agent) => agent.query(NEW), undefined],
])('%s makes no user', async (_, call, code) => {
  const { agent } = await agentWithUsers(kit);
  const done = call(agent).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
  expect(await done).toBe(code);
  expect(await idsOf(agent)).toEqual(['u1', 'u10']);
});

it('a write over the limit of the plan is refused as such, and makes no user', async () => {
  const { agent: as, tenantId } = await kit.tenant('trial');
  await kit.engine.database.system((tx) =>
    tx.update(tenants).set({ trialExpiresAt: kit.clock() }).where(eq(tenants.tenantId, tenantId)),
  );
  const agent = as();
  await expect(agent.remember({ ...DRAFT, ...NEW })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await idsOf(agent)).toEqual([]);
});

it('first writes at once make one user, and each is stored once', async () => {
  const { agent: as } = await kit.tenant();
  const agent = as();
  const about = (content: string) => ({ type: 'episodic' as const, content, ...NEW });
  const writes = ['Came at nine.', 'Left at five.', 'Ate an apple.'].map((content) => about(content));
  const answers = await Promise.all([
    ...writes.map((write) => agent.remember(write)),
    ...[1, 2].map(() => agent.remember(about('Asked for tea.'), { idempotencyKey: 'tea' })),
    agent.createWipItem({ title: 'Look for a desk', ...NEW }),
  ]);
  expect(answers).toHaveLength(6);
  expect(await idsOf(agent)).toEqual(['u2']);
  const { memories } = await agent.query(NEW);
  expect(memories.map(({ content }) => content).sort()).toEqual([
    'Asked for tea.',
    'Ate an apple.',
    'Came at nine.',
    'Left at five.',
  ]);
});

it('a boot with a key that is bound to a user nobody knows yet gives no session key, and leaves the agent its own', async () => {
  const { agent, as } = await agentWithUsers(kit);
  const { session_key: sessionKey } = await agent.sessionKey();
  const { injection } = await as(bound('u2')).boot({ session_id: 'theirs' });
  expect(injection).not.toMatch(/session key/i);
  await expect(agent.setVisibility({ default: 'full' }, { sessionKey })).resolves.toBeDefined();
  expect((await agent.compactions()).moments).toEqual([]);
});

it('what is asked about a user nobody knows yet stands in no log of the agent’s', async () => {
  const { agent, as } = await agentWithUsers(kit);
  await as(bound('u2')).recall({ query: 'where did I leave my will?' });
  await agent.recall({ query: 'what does u2 like?', ...NEW });
  await agent.recall({ query: 'when does the desk open?' });
  const { recalls } = await agent.recalls();
  expect(recalls.map(({ query }) => query)).toEqual(['when does the desk open?']);
});
