import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory, Input } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { importAll } from '../import/import.fixture.ts';

const HOUR_MS = 3_600_000;
interface Tenant {
  readonly tenantId: string;
  readonly agent: AgentMemory;
}
type Way = (tenant: Tenant, memory: Input<'remember'>) => Promise<unknown>;

const human = { source: 'human' as const, credentialId: null };

describe('an upsert by key', () => {
  const kit = useTestEngine();

  const newAgent = async (): Promise<AgentMemory> => (await newTenant()).agent;
  const newTenant = async (): Promise<Tenant> => {
    const { tenantId, agent } = await kit.tenant();
    return { tenantId, agent: agent() };
  };
  const imported: Way = async ({ tenantId }, memory) => {
    const job = await importAll(kit, tenantId, { 'r.json': JSON.stringify([memory]) });
    expect(job).toMatchObject({ status: 'done', errors: [] });
  };
  /** The ways in that take memories by key. */
  const ways: readonly (readonly [string, Way])[] = [
    ['POST /memories', ({ agent }, memory) => agent.remember(memory)],
    [
      'a batch',
      ({ agent }, memory) =>
        agent.rememberBatch({ memories: [memory, { type: 'episodic', content: 'another' }] }),
    ],
    ['an import', imported],
  ];

  it.each(ways)('%s keeps what it leaves out', async (_name, store) => {
    const tenant = await newTenant();
    const { agent } = tenant;
    const first = await agent.remember({
      type: 'semantic',
      content: 'Deploys happen on Tuesdays.',
      category: 'routine',
      key: 'deploys',
      tags: ['ops', 'team'],
      importance: 0.9,
      occurred_at: '2025-03-01T10:00:00Z',
      session_id: 's-1',
    });
    kit.clock.advance(HOUR_MS);
    await store(tenant, { type: 'semantic', content: 'Deploys happen on Mondays.', key: 'deploys' });
    const { memory } = await agent.get({ id: first.memory.id });
    const { source: _source, ...before } = first.memory;
    expect(memory).toMatchObject({
      ...before,
      content: 'Deploys happen on Mondays.',
      version: 2,
      updated_at: kit.clock().toISOString(),
    });
  });

  it.each(ways)('%s that says the same makes no version', async (_name, store) => {
    const tenant = await newTenant();
    const { agent } = tenant;
    const { memory } = await agent.remember({
      type: 'working',
      content: 'Fix the build.',
      key: 'now',
      importance: 0.8,
    });
    kit.clock.advance(HOUR_MS);
    await store(tenant, { type: 'working', content: 'Fix the build.', key: 'now' });
    await store(tenant, { type: 'working', content: 'Fix the build.', key: 'now', importance: 0.8 });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
    expect((await agent.history({ id: memory.id })).versions).toHaveLength(1);
  });

  it.each(ways)('%s changes the type of an unprotected memory in place', async (_name, store) => {
    const tenant = await newTenant();
    const { agent } = tenant;
    const { memory } = await agent.remember({ type: 'working', content: 'The plan.', key: 'plan' });
    await store(tenant, { type: 'semantic', content: 'The plan held.', key: 'plan' });
    expect((await agent.get({ id: memory.id })).memory).toMatchObject({
      id: memory.id,
      type: 'semantic',
      content: 'The plan held.',
      version: 2,
    });
    const { results } = await agent.recall({ query: 'the plan', types: ['semantic'], threshold: 0 });
    expect(results.map(({ id }) => id)).toEqual([memory.id]);
    expect((await agent.recall({ query: 'the plan', types: ['working'], threshold: 0 })).results).toEqual([]);
    expect((await agent.status()).counts).toMatchObject({ working: 0 });
  });

  it.each(ways.slice(0, 2))(
    '%s of another type waits where the memory is protected, and is refused while it cools',
    async (_name, store) => {
      const tenant = await newTenant();
      const { agent } = tenant;
      const { memory } = await agent.remember({
        type: 'core',
        category: 'identity',
        content: 'I am Ada.',
        key: 'me',
      });
      await store(tenant, { type: 'working', content: 'I am Eve.', key: 'me' });
      expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
      const { entries } = await agent.guardianQueue({ status: 'cooling' });
      expect(entries).toMatchObject([
        { memory_id: memory.id, proposed: { type: 'working', category: 'identity', content: 'I am Eve.' } },
      ]);
      for (const type of ['semantic', 'working', 'episodic'] as const) {
        await expect(store(tenant, { type, content: 'I am Mallory.', key: 'me' })).rejects.toMatchObject({
          code: 'GUARDIAN_PROTECTED',
          details: { entry: { id: entries[0]?.id } },
        });
      }
      // Not even what it says already.
      await expect(
        store(tenant, { type: 'core', category: 'identity', content: 'I am Ada.', key: 'me' }),
      ).rejects.toMatchObject({ code: 'GUARDIAN_PROTECTED' });
    },
  );

  it('an import of another type waits where the memory is protected', async () => {
    const tenant = await newTenant();
    const { agent } = tenant;
    const soul = { type: 'core', category: 'soul', content: 'I am kind.', key: 'soul' } as const;
    const { memory } = await agent.remember(soul);
    await imported(tenant, { type: 'working', content: 'I am cruel.', key: 'soul' });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
    expect((await agent.guardianQueue({ status: 'cooling' })).entries).toHaveLength(1);
  });

  it('a core sync takes a key of another type over', async () => {
    const agent = await newAgent();
    const { memory } = await agent.remember({ type: 'working', content: 'Use vim.', key: 'core:tools.md' });
    await agent.syncCore({ files: [{ path: 'TOOLS.md', content: 'Use helix.' }] });
    expect((await agent.get({ id: memory.id })).memory).toMatchObject({
      type: 'core',
      category: 'tools',
      content: 'Use helix.',
      version: 2,
    });
  });

  it('an approved change of type keeps the category and can be made by the human', async () => {
    const { agent } = await kit.tenant();
    const soul = { type: 'core', category: 'soul', content: 'I am kind.', key: 'soul' } as const;
    await agent().remember(soul);
    const { outcome, entry } = await agent().remember({ ...soul, type: 'semantic' });
    expect(outcome).toBe('queued');
    const approved = await agent(human).approveChange({ id: entry?.id ?? '' });
    expect(approved.entry.status).toBe('approved');
    expect((await agent().query({ key: 'soul' })).memories).toMatchObject([
      { type: 'semantic', category: 'soul', content: 'I am kind.' },
    ]);
  });

  it('a core type still asks for its category, so that none is protected by accident', async () => {
    const agent = await newAgent();
    await agent.remember({ type: 'core', category: 'tools', content: 'Use vim.', key: 'editor' });
    await expect(
      agent.remember({ type: 'core', content: 'Use helix.', key: 'editor' }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'category' }] });
  });

  it('another session is a change', async () => {
    const agent = await newAgent();
    const turn = { type: 'episodic', content: 'Said hello.', key: 'turn' } as const;
    await agent.remember({ ...turn, session_id: 'one' });
    const second = await agent.remember({ ...turn, session_id: 'two' });
    expect(second).toMatchObject({ outcome: 'updated', memory: { session_id: 'two', version: 2 } });
  });

  it('a default that is given is no default that is left out: a replay tells them apart', async () => {
    const agent = await newAgent();
    const memory = { type: 'working', content: 'x', key: 'k' } as const;
    const idempotencyKey = 'once';
    const first = await agent.remember(memory, { idempotencyKey });
    expect(await agent.remember(memory, { idempotencyKey })).toEqual(first);
    await expect(agent.remember({ ...memory, importance: 0.5 }, { idempotencyKey })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('any row of upserts of a key ends as the fields given last', async () => {
    const given = fc.record(
      {
        tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
        importance: fc.constantFrom(0, 0.25, 0.5, 1),
        occurred_at: fc.constantFrom('2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'),
        session_id: fc.constantFrom('s', 't'),
        category: fc.constantFrom('routine' as const, 'tools' as const),
      },
      { requiredKeys: [] },
    );
    const step = fc.record({
      type: fc.constantFrom('working' as const, 'semantic' as const, 'episodic' as const),
      content: fc.constantFrom('one', 'two'),
      given,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const agent = await newAgent();
        let expected: Record<string, unknown> | undefined;
        let version = 0;
        for (const { type, content, given } of steps) {
          const { memory } = await agent.remember({ type, content, key: 'k', ...given });
          expected ??= { tags: [], importance: 0.5, category: null, occurred_at: memory.occurred_at };
          const next: Record<string, unknown> = { ...expected, type, content, ...given };
          if (JSON.stringify(sorted(next)) !== JSON.stringify(sorted(expected))) version += 1;
          expected = next;
          expect(memory).toMatchObject({ ...expected, version });
        }
      }),
      { numRuns: 25 },
    );
  });
});

function sorted(fields: Record<string, unknown>) {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}
