import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine } from '../../app/engine.ts';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { contentsOf } from './users.fixture.ts';

const kit = useTestEngine();

const BEFORE = 'Said before the erasure.';
const u1 = { user_id: 'u1' } as const;
const draft = { type: 'semantic', content: BEFORE } as const;

const idsOf = async (agent: AgentMemory) => (await agent.users()).users.map(({ id }) => id);

/** An agent whose calls the work interrupts once, when they are about to store what was said before. */
async function interruptedBy(work: (agent: AgentMemory) => Promise<unknown>) {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  let ran = false;
  const engine = createEngine({ database: kit.engine.database, clock: kit.clock }).use({
    name: 'slow',
    hooks: {
      'memory:beforeStore': async () => {
        if (ran) return;
        ran = true;
        kit.clock.advance(1_000);
        await work(agent);
      },
    },
  });
  return { agent, tenantId, calling: engine.agent(tenantId) };
}

const WRITES: readonly [string, (agent: AgentMemory) => Promise<unknown>][] = [
  ['a memory', (agent) => agent.remember({ ...draft, ...u1 })],
  ['a memory with a key', (agent) => agent.remember({ ...draft, key: 'k', ...u1 }, { idempotencyKey: 'i' })],
  ['several memories', (agent) => agent.rememberBatch({ memories: [draft, draft], ...u1 })],
  ['a document', (agent) => agent.syncWorking({ content: BEFORE, ...u1 })],
  [
    'turns',
    (agent) => agent.compaction({ phase: 'pre', session_id: 's', transcript: `user: ${BEFORE}`, ...u1 }),
  ],
  [
    'a file',
    (agent) => agent.fileCommand({ command: 'create', path: '/memories/a', file_text: BEFORE, ...u1 }),
  ],
];

describe.each(WRITES)('%s that a call brings which began before its user was forgotten', (_, write) => {
  it('does not make the user anew', async () => {
    const { agent, calling } = await interruptedBy((agent) => agent.forgetUser(u1));
    await agent.remember({ type: 'semantic', content: 'Likes tea.', ...u1 });
    await expect(write(calling)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('forgotten while the call ran'),
    });
    expect(await idsOf(agent)).toEqual([]);
  });

  it('does not make one whom the call did not know yet', async () => {
    const { agent, calling } = await interruptedBy(async (agent) => {
      await agent.remember({ type: 'semantic', content: 'Likes tea.', ...u1 });
      await agent.forgetUser(u1);
    });
    await expect(write(calling)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await idsOf(agent)).toEqual([]);
  });

  it('is stored where another user was forgotten', async () => {
    const { agent, calling } = await interruptedBy((agent) => agent.forgetUser({ user_id: 'u10' }));
    for (const user_id of ['u1', 'u10']) await agent.remember({ type: 'semantic', content: 'Tea.', user_id });
    await write(calling);
    expect(await idsOf(agent)).toEqual(['u1']);
  });
});

it('a call that begins behind it makes a new user, also where another process has erased the former', async () => {
  const { agent, tenantId } = await kit.tenant();
  const other = createEngine({ database: kit.engine.database, clock: kit.clock }).agent(tenantId);
  await other.remember({ ...draft, ...u1 });
  await agent().forgetUser(u1);
  kit.clock.advance(1_000);
  await other.remember({ type: 'semantic', content: 'Begins anew.', ...u1 });
  expect(contentsOf((await agent().query(u1)).memories)).toEqual(['Begins anew.']);
});

it('a call of another process that reads behind the erasure names the user in no event, which nothing would erase', async () => {
  const { agent, tenantId } = await kit.tenant();
  const other = createEngine({ database: kit.engine.database, clock: kit.clock }).agent(tenantId);
  for (const user_id of ['u1', 'u2']) await other.remember({ ...draft, user_id });
  await agent().forgetUser(u1);
  for (const user_id of ['u1', 'u2']) await other.recall({ query: 'What was said?', user_id });
  const events = await kit.engine.database.system((tx) =>
    rows(
      tx,
      sql`SELECT data ->> 'user_id' AS user FROM events WHERE tenant_id = ${tenantId}::uuid AND type = 'memory.recalled'
          ORDER BY id`,
    ),
  );
  expect(events).toEqual([{ user: null }, { user: 'u2' }]);
});

describe.each([
  ['behind', -3],
  ['ahead', 3],
])('where another process, whose clock is hours %s, has forgotten the user,', (_, hours) => {
  const clock = () => new Date(kit.clock().getTime() + hours * 3_600_000);
  const there = (tenantId: string) => createEngine({ database: kit.engine.database, clock }).agent(tenantId);

  it.each(WRITES)('%s of a call that began before is not stored', async (_, write) => {
    for (const isKnown of [true, false]) {
      const { agent, calling, tenantId } = await interruptedBy(async () => {
        const other = there(tenantId);
        if (!isKnown) await other.remember({ type: 'semantic', content: 'Likes tea.', ...u1 });
        await other.forgetUser(u1);
      });
      if (isKnown) await agent.remember({ type: 'semantic', content: 'Likes tea.', ...u1 });
      await expect(write(calling)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await idsOf(agent)).toEqual([]);
    }
  });

  it.each(WRITES)('%s is not stored either where the user began anew meanwhile', async (_, write) => {
    const { agent, calling, tenantId } = await interruptedBy(async () => {
      const other = there(tenantId);
      for (const content of ['Likes tea.', 'Begins anew.']) {
        await other.remember({ type: 'semantic', content, ...u1 });
        if (content === 'Likes tea.') await other.forgetUser(u1);
      }
    });
    await expect(write(calling)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(contentsOf((await agent.query(u1)).memories)).toEqual(['Begins anew.']);
  });

  it.each(WRITES)('%s of a call that begins behind it is stored at once', async (_, write) => {
    const { tenantId, agent: as } = await kit.tenant();
    const agent = as();
    for (let time = 0; time < 2; time += 1) {
      await agent.remember({ type: 'semantic', content: 'Likes tea.', ...u1 });
      await there(tenantId).forgetUser(u1);
    }
    await write(agent);
    expect(await idsOf(agent)).toEqual(['u1']);
    expect(contentsOf((await agent.query(u1)).memories)).not.toContain('Likes tea.');
  });
});
