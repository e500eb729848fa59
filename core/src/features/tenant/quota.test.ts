import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../app/engine.ts';
import { events } from '../../kernel/commit/outbox-schema.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { OPERATIONS_LIMIT } from '../../kernel/tenancy/plans.ts';
import { usageCounts } from '../../kernel/tenancy/schema.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { startTestEngine } from '../../testing/index.ts';

describe('monthly operations', () => {
  const kit = useTestEngine();

  /** A trial with so many operations left this month. */
  const trialWithLeft = async (left: number) => {
    const { tenantId, agent } = await kit.tenant('trial');
    const month = kit.clock().toISOString().slice(0, 7);
    const operations = OPERATIONS_LIMIT.trial - left;
    await kit.engine.database.transaction(tenantId, (tx) =>
      tx.insert(usageCounts).values({ tenantId, month, operations }),
    );
    const thresholds = () =>
      kit.engine.database.read(tenantId, (tx) =>
        tx
          .select({ share: sql<number>`(${events.data} ->> 'share')::float8` })
          .from(events)
          .where(and(eq(events.tenantId, tenantId), eq(events.type, 'billing.threshold'))),
      );
    return { agent: agent(), tenantId, thresholds };
  };

  it('are never exceeded by concurrent calls, and refused ones leave nothing behind', async () => {
    const { agent, thresholds } = await trialWithLeft(10);
    const calls = Array.from({ length: 30 }, (_, n) =>
      n % 3 === 0
        ? agent.recall({ query: 'note' })
        : agent.remember({ type: 'working', content: `note ${n}` }),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['QUOTA_EXCEEDED']));
    const stored = settled.filter((one) => one.status === 'fulfilled' && 'memory' in one.value);
    const { usage, counts } = await agent.status();
    expect(usage.operations_this_month).toBe(usage.operations_limit);
    expect(counts.working).toBe(stored.length);
    expect(await thresholds()).toEqual([{ share: 1 }]);
  });

  it('counts recalls at once each with its event, and lets just those through that fit', async () => {
    const { agent, tenantId } = await trialWithLeft(25);
    const recallMany = async (count: number) =>
      (await Promise.allSettled(Array.from({ length: count }, () => agent.recall({ query: 'note' })))).filter(
        ({ status }) => status === 'fulfilled',
      ).length;
    expect(await recallMany(20)).toBe(20);
    expect((await agent.status()).usage.operations_this_month).toBe(OPERATIONS_LIMIT.trial - 5);
    expect(await recallMany(12)).toBe(5);
    expect((await agent.status()).usage.operations_this_month).toBe(OPERATIONS_LIMIT.trial);
    const recalled = await kit.engine.database.read(tenantId, (tx) =>
      tx.$count(events, and(eq(events.tenantId, tenantId), eq(events.type, 'memory.recalled'))),
    );
    expect(recalled).toBe(25);
  });

  it('counts recalls for many users at once each with its event, and lets just those through that fit', async () => {
    const { agent, tenantId } = await trialWithLeft(25);
    const users = ['u1', 'u2', 'u3', 'u4'];
    for (const user_id of users)
      await agent.remember({ type: 'working', content: `note of ${user_id}`, user_id });
    const recallMany = async (count: number) =>
      (
        await Promise.allSettled(
          Array.from({ length: count }, (_, n) =>
            agent.recall({ query: 'note', user_id: users[n % 4] ?? '' }),
          ),
        )
      ).flatMap((one) => (one.status === 'fulfilled' ? [one.value.results[0]?.content] : []));
    const answered = await recallMany(12);
    expect(answered).toEqual(Array.from({ length: 12 }, (_, n) => `note of ${users[n % 4]}`));
    expect(await recallMany(12)).toHaveLength(9);
    expect((await agent.status()).usage.operations_this_month).toBe(OPERATIONS_LIMIT.trial);
    const recalled = await kit.engine.database.read(tenantId, (tx) =>
      tx
        .select({ user: sql<string>`${events.data} ->> 'user_id'` })
        .from(events)
        .where(and(eq(events.tenantId, tenantId), eq(events.type, 'memory.recalled'))),
    );
    expect(recalled).toHaveLength(21);
    expect(recalled.filter(({ user }) => user === 'u1').length).toBeGreaterThanOrEqual(3);
  });

  it('of a batch count each memory, and a batch that does not fit is refused whole', async () => {
    const { agent } = await trialWithLeft(5);
    const batch = (size: number) =>
      agent.rememberBatch({
        memories: Array.from({ length: size }, (_, n) => ({ type: 'working' as const, content: `m${n}` })),
      });
    await expect(batch(6)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', status: 429 });
    expect((await agent.status()).counts.working).toBe(0);
    await batch(5);
    expect((await agent.status()).counts.working).toBe(5);
  });

  it('over the limit still let the agent boot, compact, sync, read, forget and export', async () => {
    const { agent } = await trialWithLeft(1);
    const { memory } = await agent.remember({ type: 'working', content: 'the last one' });
    await expect(agent.remember({ type: 'working', content: 'too much' })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect((await agent.boot()).injection).toContain('the last one');
    expect((await agent.compaction({ session_id: 's' })).injection).toContain('the last one');
    await agent.syncWorking({ content: 'still in sync' });
    expect((await agent.get({ id: memory.id })).memory.content).toBe('the last one');
    expect((await agent.export()).export.memories.working).toHaveLength(2);
    await agent.forget({ id: memory.id });
  });

  it('announce 80 % and 100 % once each a month', async () => {
    const { agent, thresholds } = await trialWithLeft(OPERATIONS_LIMIT.trial * 0.2 + 1);
    for (let n = 0; n < 3; n += 1) await agent.remember({ type: 'working', content: `m${n}` });
    expect(await thresholds()).toEqual([{ share: 0.8 }]);
  });

  it('announce it once also when calls of two processes pass it at once', async () => {
    const { tenantId, thresholds } = await trialWithLeft(OPERATIONS_LIMIT.trial * 0.2 + 20);
    const second = createEngine({ database: kit.engine.database, clock: kit.clock });
    const agents = [kit.engine, second].map((engine) => engine.agent(tenantId));
    const told: unknown[] = [];
    const event = (happened: Event) => {
      if (happened.type === 'billing.threshold' && happened.tenantId === tenantId) told.push(happened.data);
    };
    for (const engine of [kit.engine, second]) engine.use({ name: 'listener', hooks: { event } });
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 3 === 0
          ? agents[n % 2]?.recall({ query: 'note' })
          : agents[n % 2]?.remember({ type: 'working', content: `m${n}` }),
      ),
    );
    expect(await thresholds()).toEqual([{ share: 0.8 }]);
    expect(told).toMatchObject([{ share: 0.8 }]);
    const status = await agents[0]?.status();
    expect(status?.usage.operations_this_month).toBe(OPERATIONS_LIMIT.trial * 0.8 + 40);
  });
});

describe('session key renewal', () => {
  it('leaves exactly one valid key however many are made at once', async () => {
    const kit = await startTestEngine();
    const agent = (await kit.tenant()).agent();
    const made = await Promise.all(Array.from({ length: 12 }, () => agent.sessionKey()));
    const tried = await Promise.allSettled(
      made.map(({ session_key: sessionKey }) => agent.setVisibility({ default: 'full' }, { sessionKey })),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await kit.close();
  });
});
