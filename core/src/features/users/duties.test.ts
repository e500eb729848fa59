import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { textOf } from '../import/import.fixture.ts';
import { ADA, agentWithUsers, BERT, bound, contentsOf, OWN } from './users.fixture.ts';

const ALL = { user_id: '*' } as const;
const REFUSED = { code: 'FORBIDDEN', details: [{ path: 'user_id' }] };

const kit = useTestEngine();

/** An agent with users who have plans, beside another one that has a user of the same id. */
async function agentsWithPlans() {
  const { tenantId, agent: memory, as } = await agentWithUsers(kit);
  for (const [user_id, desk] of [
    ['u1', 'window'],
    ['u10', 'corner'],
  ] as const) {
    await memory.createScheduleItem({ title: `Clean the ${desk}`, due_at: '2026-03-02', user_id });
    await memory.createWipItem({ title: `Move to the ${desk}`, user_id });
  }
  const other = (await kit.tenant()).agent();
  await other.remember({ type: 'semantic', content: 'Prefers no desk.', user_id: 'u1' });
  return { tenantId, memory, as };
}

const EVERYTHING = [ADA, BERT, OWN];

describe('user_id *', () => {
  it('reads what is the agent’s own and what is any user’s, each marked', async () => {
    const { memory } = await agentsWithPlans();
    const { results } = await memory.recall({ query: 'which desk?', threshold: 0, ...ALL });
    expect(contentsOf(results)).toEqual(EVERYTHING);
    expect(results.map(({ user_id }) => user_id ?? 'own').sort()).toEqual(['own', 'u1', 'u10']);
    const { memories } = await memory.query(ALL);
    expect(contentsOf(memories)).toEqual(EVERYTHING);
    expect(memories.map(({ user_id }) => user_id ?? 'own').sort()).toEqual(['own', 'u1', 'u10']);
    const { items } = await memory.scheduleItems(ALL);
    expect(items.map(({ user_id }) => user_id).sort()).toEqual(['u1', 'u10']);
    expect((await memory.wipItems(ALL)).items.map(({ title }) => title).sort()).toEqual([
      'Move to the corner',
      'Move to the window',
    ]);
  });

  it('pages through all of them in one order', async () => {
    const { memory } = await agentsWithPlans();
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await memory.query({ limit: 1, ...ALL, ...(cursor ? { cursor } : {}) });
      seen.push(...page.memories.map(({ content }) => content));
      cursor = page.next_cursor;
    }
    expect(seen.sort()).toEqual(EVERYTHING);
  });

  it('exports the agent and behind it each user, in memory as streamed', async () => {
    const { tenantId, memory } = await agentsWithPlans();
    const { export: held } = await memory.export(ALL);
    const text = await textOf(kit.engine.streams(tenantId).export('json', { userId: '*' }));
    expect(JSON.parse(text)).toEqual(held);
    expect(contentsOf(held.memories.semantic)).toEqual([OWN]);
    const parts = (held.users ?? []).map((part) => [part.user_id, contentsOf(part.memories.semantic)]);
    expect(parts.sort()).toEqual([
      ['u1', [ADA]],
      ['u10', [BERT]],
    ]);
    await expect(
      textOf(kit.engine.streams(tenantId).export('markdown', { userId: '*' })),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'format' }] });
  });

  it('an import of such an export takes the agent’s own, and nothing of users for the agent', async () => {
    const { memory } = await agentsWithPlans();
    const { export: held } = await memory.export(ALL);
    const { agent } = await kit.tenant();
    await agent().import({ files: [{ name: 'all.json', content: JSON.stringify(held) }] });
    await kit.engine.background.run('jobs.work');
    expect(contentsOf((await agent().query(ALL)).memories)).toEqual([OWN]);
  });

  it('undoes what a source wrote for whomever, and tells it before', async () => {
    const { memory } = await agentsWithPlans();
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    for (const user of [{}, { user_id: 'u1' }, { user_id: 'u3' }]) {
      await memory.remember({ type: 'semantic', content: 'Poison.', ...user });
    }
    const bad = { source: 'agent', since, ...ALL } as const;
    const told = await memory.undo({ ...bad, dry_run: true });
    expect(told.changes.archived).toBe(3);
    expect(told.preview?.map((step) => step.memory.user_id ?? 'own').sort()).toEqual(['own', 'u1', 'u3']);
    const acts = async () =>
      (await memory.auditLog({})).entries.filter(({ act }) => act === 'memories.undone');
    const before = (await acts()).length;
    expect((await memory.undo(bad)).changes).toEqual(told.changes);
    expect(contentsOf((await memory.query(ALL)).memories)).toEqual(EVERYTHING);
    // Nothing stands in the log of users for whom nothing was done.
    expect(await acts()).toHaveLength(before + 3);
    expect((await memory.undo(bad)).changes.archived).toBe(0);
  });

  it.each<[string, Actor]>([
    ['is bound to a user', bound('u1')],
    ['may only read', { source: 'agent', credentialId: null, readOnly: true }],
  ])('is refused to a key that %s', async (_, actor) => {
    const { tenantId, as } = await agentsWithPlans();
    const agent: AgentMemory = as(actor);
    for (const call of [
      () => agent.recall({ query: 'desk', ...ALL }),
      () => agent.query(ALL),
      () => agent.scheduleItems(ALL),
      () => agent.wipItems(ALL),
      () => agent.export(ALL),
      () => agent.undo({ source: 'agent', since: '2020-01-01', ...ALL }),
      () => textOf(kit.engine.streams(tenantId, actor).export('json', { userId: '*' })),
    ]) {
      await expect(call()).rejects.toMatchObject(REFUSED);
    }
  });

  it.each(['remember', 'boot', 'compaction', 'get', 'archived', 'import', 'jobs', 'recalls'] as const)(
    'is no user of %s',
    async (name) => {
      const { tenantId } = await agentsWithPlans();
      const call = kit.engine.call(
        name,
        { tenantId, actor: { source: 'agent', credentialId: null } },
        { type: 'working', content: 'x', id: crypto.randomUUID(), ...ALL },
      );
      await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );

  it('reads at most a hundred users at once, and says what to do', async () => {
    const { tenantId, agent: as } = await kit.tenant();
    const agent = as();
    await kit.engine.database.system((tx) =>
      rows(
        tx,
        sql`INSERT INTO agent_users (tenant_id, user_id, user_tenant_id, created_at, last_seen_at)
            SELECT ${tenantId}::uuid, 'user ' || n, gen_random_uuid(), now(), now() FROM generate_series(1, 101) n`,
      ),
    );
    await expect(agent.recall({ query: 'x', ...ALL })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('GET /users'),
    });
    expect((await agent.export(ALL)).export.users).toHaveLength(101);
  });

  it('leaves nothing of a user in the agent’s log of recalls', async () => {
    const { memory } = await agentsWithPlans();
    await memory.recall({ query: 'which desk?', threshold: 0, ...ALL });
    const { recalls } = await memory.recalls({});
    expect(recalls[0]?.results).toHaveLength(1);
    expect(recalls[0]?.query).toBe('');
  });
});
