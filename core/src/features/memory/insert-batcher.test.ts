import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine, type Engine } from '../../app/engine.ts';
import { events } from '../../kernel/commit/outbox-schema.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { corpusSizes } from '../search-index/schema.ts';

const ONE: Actor = { source: 'agent', credentialId: '00000000-0000-4000-8000-000000000001' };
const OTHER: Actor = { source: 'human', credentialId: '00000000-0000-4000-8000-000000000002' };

describe('writes at once', () => {
  const kit = useTestEngine();
  let second: Engine;
  beforeAll(async () => {
    second = createEngine({ database: kit.engine.database, clock: kit.clock });
  });

  /** One tenant's agent through two engines, as two processes have it. */
  const twice = async (actors: readonly [Actor, Actor] = [ONE, ONE]) => {
    const { tenantId } = await kit.tenant();
    const agents = [kit.engine.agent(tenantId, actors[0]), second.agent(tenantId, actors[1])] as const;
    const at = (n: number) => agents[n % 2] as AgentMemory;
    return { tenantId, at };
  };
  const many = <T>(count: number, call: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => call(n)));

  it('are each stored as they were asked for, and answered with what is stored', async () => {
    const { at } = await twice([ONE, OTHER]);
    const answers = await many(60, (n) =>
      at(n).remember({
        type: n % 3 ? 'episodic' : 'semantic',
        content: `"quoted" {note} \\${n} naïve 💾`,
        tags: [`t${n}`, 'a,"b"'],
        importance: n / 60,
        category: 'operations',
        session_id: `s${n}`,
        occurred_at: new Date(Date.UTC(2020, 0, 1 + n)).toISOString(),
      }),
    );
    for (const [n, { memory, outcome }] of answers.entries()) {
      expect(outcome).toBe('created');
      expect(memory).toMatchObject({
        content: `"quoted" {note} \\${n} naïve 💾`,
        tags: [`t${n}`, 'a,"b"'],
        importance: n / 60,
        session_id: `s${n}`,
        source: n % 2 ? { kind: 'human', credential_id: OTHER.credentialId } : { kind: 'agent' },
      });
      expect((await at(0).get({ id: memory.id })).memory).toEqual(memory);
    }
    const { results } = await at(1).recall({ query: 'note', limit: 100, threshold: 0 });
    expect(results).toHaveLength(60);
  });

  it('count each once, with an event of its own, in what recall knows of the tenant', async () => {
    const { tenantId, at } = await twice();
    await many(50, (n) => at(n).remember({ type: 'working', content: `three words ${n}` }));
    const { usage } = await at(0).status();
    expect(usage.operations_this_month).toBe(50);
    const [stored, [size]] = await kit.engine.database.read(tenantId, async (tx) => [
      await tx.$count(events, and(eq(events.tenantId, tenantId), eq(events.type, 'memory.stored'))),
      await tx
        .select({ documents: sql<number>`sum(documents)::int`, words: sql<number>`sum(words)::int` })
        .from(corpusSizes)
        .where(eq(corpusSizes.tenantId, tenantId)),
    ]);
    expect(stored).toBe(50);
    expect(size).toEqual({ documents: 50, words: 150 });
  });

  it('with one key store once, whichever process they reach', async () => {
    const { at } = await twice();
    const draft = { type: 'episodic' as const, content: 'deployed' };
    const answers = await many(20, (n) => at(n).remember(draft, { idempotencyKey: 'k' }));
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
    expect((await at(0).status()).counts.episodic).toBe(1);
  });

  it('are not held up by one that is refused', async () => {
    const { at } = await twice();
    await at(0).remember({ type: 'working', content: 'first' }, { idempotencyKey: 'used' });
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        at(n).remember(
          { type: 'working', content: `m${n}` },
          { idempotencyKey: n === 7 ? 'used' : `key-${n}` },
        ),
      ),
    );
    const refused = settled.flatMap((one, n) => (one.status === 'rejected' ? [[n, one.reason.code]] : []));
    expect(refused).toEqual([[7, 'CONFLICT']]);
    const { usage, counts } = await at(0).status();
    expect([usage.operations_this_month, counts.working]).toEqual([20, 20]);
    const again = await at(1).remember({ type: 'working', content: 'm3' }, { idempotencyKey: 'key-3' });
    expect(again).toEqual(settled[3]?.status === 'fulfilled' ? settled[3].value : undefined);
  });
});
