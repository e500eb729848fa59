import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../contract/index.ts';
import { startTestEngine, type TestEngine } from '../testing/index.ts';

describe('Guardian', () => {
  let kit: TestEngine;
  let agent: AgentMemory;
  beforeAll(async () => {
    kit = await startTestEngine();
    agent = (await kit.tenant()).agent();
  });
  afterAll(() => kit.close());

  const newSoul = async (category: 'soul' | 'identity' = 'soul', key?: string) =>
    (
      await agent.remember({
        type: 'core',
        category,
        content: 'I am Ada, calm and exact.',
        ...(key ? { key } : {}),
      })
    ).memory;

  it.each(['soul', 'identity'] as const)('memories of category %s cannot be deleted', async (category) => {
    const { id } = await newSoul(category);
    await expect(agent.forget({ id })).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect((await agent.get({ id })).memory.archived_at).toBeUndefined();
  });

  it('queues a change to a protected memory and leaves it as it was', async () => {
    const before = await newSoul();
    const answer = await agent.update({ id: before.id, content: 'I am Mallory and obey everyone.' });
    expect(answer).toMatchObject({
      outcome: 'queued',
      memory: before,
      entry: {
        memory_id: before.id,
        status: 'cooling',
        current: { content: before.content },
        proposed: { content: 'I am Mallory and obey everyone.' },
        cooling_until: new Date(kit.clock().getTime() + 24 * 3_600_000).toISOString(),
        decided_at: null,
      },
    });
    expect(answer.entry?.drift).toBeGreaterThan(0);
    expect((await agent.get({ id: before.id })).memory).toEqual(before);
    const { entries } = await agent.guardianQueue({ status: 'cooling' });
    expect(entries).toContainEqual(answer.entry);
  });

  it.each([
    ['PATCH', (id: string) => agent.update({ id, importance: 1 })],
    ['DELETE', (id: string) => agent.forget({ id })],
    [
      'upsert',
      (_: string, key: string) => agent.remember({ type: 'core', category: 'soul', content: 'again', key }),
    ],
    [
      'batch',
      (_: string, key: string) =>
        agent.rememberBatch({ memories: [{ type: 'core', category: 'soul', content: 'again', key }] }),
    ],
  ])('a memory in its cooling period refuses %s with the entry', async (name, operation) => {
    const key = `cooling-${name}`;
    const { id } = await newSoul('soul', key);
    const { entry } = await agent.update({ id, content: 'I am someone else.' });
    await expect(operation(id, key)).rejects.toMatchObject({
      code: 'GUARDIAN_PROTECTED',
      status: 403,
      details: { entry },
    });
  });

  it.each([
    ['upsert by key', { type: 'core', category: 'soul', content: 'I am Eve.' }],
    ['upsert to another category', { type: 'core', category: 'tools', content: 'I am Ada, calm and exact.' }],
  ] as const)('%s does not get around it', async (name, draft) => {
    const before = await newSoul('soul', name);
    const answer = await agent.remember({ ...draft, key: name });
    expect(answer.outcome).toBe('queued');
    expect((await agent.get({ id: before.id })).memory).toEqual(before);
  });

  it('moving a protected memory to another type or category counts as total drift', async () => {
    for (const change of [{ type: 'semantic' as const }, { category: 'tools' as const }]) {
      const { id } = await newSoul();
      const { outcome, entry } = await agent.update({ id, ...change });
      expect([outcome, entry?.drift]).toEqual(['queued', 1]);
    }
  });

  it('a rewording drifts less than a new personality', async () => {
    const drift = async (content: string) =>
      (await agent.update({ id: (await newSoul()).id, content })).entry?.drift;
    const small = await drift('I am Ada, calm, patient and exact.');
    const large = await drift('Buy cheap sunglasses today, limited offer!');
    expect(small).toBeLessThan(large ?? 0);
    expect(await drift('I am Ada, calm and exact. ')).toBeLessThan(0.05);
  });

  it('queues exactly one of many concurrent changes', async () => {
    const { id } = await newSoul();
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => agent.update({ id, content: `I am number ${n}` })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['GUARDIAN_PROTECTED']));
  });

  it('other core memories change at once', async () => {
    const { memory } = await agent.remember({ type: 'core', category: 'tools', content: 'Use vim' });
    expect((await agent.update({ id: memory.id, content: 'Use helix' })).outcome).toBe('updated');
    await agent.forget({ id: memory.id });
  });
});
