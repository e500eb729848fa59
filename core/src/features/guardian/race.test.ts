import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';
import { servicesOf } from './background.fixture.ts';
import { expireCooling } from './expire.ts';

const DAY_MS = 86_400_000;
const ROUNDS = cases(40, 1_000);
const BATCH = cases(40, 100);
const WON = { approved: 'changed', applied: 'changed', rejected: 'kept', withdrawn: 'kept' } as const;

describe('Guardian races', () => {
  const kit = useTestEngine();
  const decided: Event[] = [];
  beforeAll(async () => {
    kit.engine.use({
      name: 'listener',
      hooks: {
        event: (event) => {
          if (/^guardian\.(approved|applied|rejected|withdrawn|waiting)$/.test(event.type))
            decided.push(event);
        },
      },
    });
  });

  it(
    `approve, reject, withdraw and the end of cooling: exactly one wins, ${ROUNDS} rounds`,
    async () => {
      const { agent: as } = await kit.tenant();
      const agent = as();
      const human = as({ source: 'human', credentialId: null });
      const outcomes: string[] = [];
      for (let done = 0; done < ROUNDS; done += BATCH) {
        const rounds = await askMany(human, done, BATCH, agent);
        kit.clock.advance(DAY_MS);
        decided.length = 0;
        const deps = [servicesOf(kit), servicesOf(kit)];
        for (const one of deps)
          one.hooks.add({ name: 'listener', hooks: { event: (event) => void decided.push(event) } });
        const won = new Map<string, number>();
        // Each starts elsewhere and goes its own way, and time through all of them, so that any two meet somewhere.
        const walk = async (order: typeof rounds, decide: AgentMemory['approveChange']) => {
          for (const { entryId: id } of order) {
            await decide({ id }).then(
              () => won.set(id, (won.get(id) ?? 0) + 1),
              (error) => expect(error).toMatchObject({ code: 'CONFLICT' }),
            );
          }
        };
        const back = [...rounds].reverse();
        await Promise.all([
          ...deps.map((one) => expireCooling(one)),
          walk(rotate(rounds, BATCH / 5), human.approveChange),
          walk(rotate(back, (BATCH * 3) / 5), human.rejectChange),
          walk(rotate(rounds, (BATCH * 3) / 5), agent.withdrawChange),
          walk(rotate(back, BATCH / 5), human.approveChange),
        ]);
        for (const { entryId, memoryId } of rounds) {
          const { entry } = await agent.guardianEntry({ id: entryId });
          const { memory } = await agent.get({ id: memoryId });
          const left = WON[entry.status as keyof typeof WON];
          expect(won.get(entryId) ?? 0).toBe(entry.status === 'applied' ? 0 : 1);
          expect(memory.content.includes('*calm*') ? 'changed' : 'kept').toBe(left);
          expect(memory.version).toBe(left === 'changed' ? 2 : 1);
          const told = decided.filter(({ data }) => data.entry_id === entryId && data.memory_id === memoryId);
          expect(new Set(told.map(({ id }) => id)).size).toBe(1);
          expect(told[0]?.type).toBe(`guardian.${entry.status}`);
          outcomes.push(entry.status);
        }
      }
      expect(outcomes).toHaveLength(ROUNDS);
      expect([...new Set(outcomes)].sort()).toEqual(Object.keys(WON).sort());
    },
    30_000 + ROUNDS * 1_000,
  );

  it("approve and the human's undo: one of them, and the memory says the same", async () => {
    const { agent: as } = await kit.tenant();
    const agent = as();
    const human = as({ source: 'human', credentialId: null });
    const rounds = await askMany(human, 0, 20, agent);
    const since = kit.clock().toISOString();
    const calls = await Promise.allSettled([
      ...rounds.slice(0, 10).map(({ entryId: id }) => human.approveChange({ id })),
      human.undo({ source: 'agent', since }),
      ...rounds.slice(10).map(({ entryId: id }) => human.approveChange({ id })),
    ]);
    for (const call of calls) {
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'CONFLICT' });
    }
    for (const { entryId, memoryId } of rounds) {
      const { entry } = await agent.guardianEntry({ id: entryId });
      const { memory } = await agent.get({ id: memoryId });
      expect(['approved', 'rejected']).toContain(entry.status);
      if (entry.status === 'rejected') expect(memory.content).not.toContain('*calm*');
    }
  });

  it('additions at once: the same one waits once, and one that is approved is replaced by none', async () => {
    const { agent: as } = await kit.tenant();
    const human = as({ source: 'human', credentialId: null });
    const add = (content: string, key?: string) =>
      as().remember({ type: 'core', category: 'identity', content, ...(key && { key }) });
    // As many as are stored without waiting.
    const known = Array.from({ length: 20 }, (_, n) => ({
      ...{ type: 'core' as const, category: 'identity' as const, content: `I am fact ${n}.` },
    }));
    await as().rememberBatch({ memories: known });
    await Promise.all(Array.from({ length: 10 }, () => add('I am somebody else.')));
    expect((await human.guardianQueue({ status: 'waiting' })).entries).toHaveLength(1);
    for (let round = 0; round < 10; round += 1) {
      const { entry } = await add(`I am of kind ${round}.`, `kind-${round}`);
      const id = entry?.id ?? '';
      const [approved] = await Promise.allSettled([
        human.approveChange({ id }),
        add(`I am of another kind than ${round}.`, `kind-${round}`),
      ]);
      const { status } = (await human.guardianEntry({ id })).entry;
      expect(status).toBe(approved.status === 'fulfilled' ? 'approved' : 'withdrawn');
    }
  });
});

/** Stores souls and asks for a harmless change of each. */
async function askMany(author: AgentMemory, from: number, many = BATCH, asker = author) {
  const { memories } = await author.rememberBatch({
    memories: Array.from({ length: many }, (_, n) => ({
      type: 'core' as const,
      category: 'soul' as const,
      content: `I am agent number ${from + n}, calm and exact.`,
    })),
  });
  const rounds: { memoryId: string; entryId: string }[] = [];
  for (const { id, content } of memories) {
    const { entry } = await asker.update({ id, content: content.replace('calm', '**calm**') });
    rounds.push({ memoryId: id, entryId: entry?.id ?? '' });
  }
  return rounds;
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
