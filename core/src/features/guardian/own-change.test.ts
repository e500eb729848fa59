import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000b' };
const SOUL = 'I never push to main without a review.';
const WORSE = 'I always push to main without a review.';

describe('a change that the human makes to a protected memory', () => {
  const kit = useTestEngine();
  let agent: AgentMemory;
  let human: AgentMemory;
  let id: string;
  beforeEach(async () => {
    const tenant = await kit.tenant();
    agent = tenant.agent();
    human = tenant.agent(HUMAN);
    const { memory } = await agent.remember({ type: 'core', category: 'soul', content: SOUL });
    id = memory.id;
  });
  const show = async (tags: Record<string, 'redacted' | 'hidden'>) => {
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags }, { sessionKey });
  };

  it('holds at once, and stands in the record with what was before', async () => {
    const { outcome, memory, entry } = await human.update({ id, content: WORSE, tags: ['mine'] });
    expect([outcome, memory.content, memory.source.kind, entry]).toEqual([
      'updated',
      WORSE,
      'human',
      undefined,
    ]);
    const { entries } = await agent.guardianQueue({ memory_id: id });
    expect(entries).toMatchObject([
      {
        status: 'approved',
        current: { content: SOUL, tags: [] },
        proposed: { content: WORSE, tags: ['mine'] },
        requested_by: { kind: 'human' },
        decided_by: { kind: 'human', credential_id: HUMAN.credentialId },
      },
      // What the agent had stored itself is confirmed by that.
      { status: 'approved', current: null },
    ]);
    expect((await agent.dashboard()).unconfirmed).toEqual([]);
  });

  it('stands there, too, where it makes a note a protected memory', async () => {
    const note = (await agent.remember({ type: 'working', content: 'I sail.' })).memory;
    await human.update({ id: note.id, type: 'core', category: 'identity' });
    expect((await agent.guardianQueue({ memory_id: note.id })).entries).toMatchObject([
      { status: 'approved', current: { type: 'working' }, proposed: { category: 'identity' } },
    ]);
  });

  it('becomes what later changes are measured against, and does not open the memory to the agent', async () => {
    await human.update({ id, content: WORSE });
    const { outcome, entry } = await agent.update({ id, content: `${WORSE}!` });
    expect(outcome).toBe('queued');
    expect(entry?.drift).toBeLessThan(0.5);
  });

  it('waits while a change of the agent is undecided', async () => {
    const { entry } = await agent.update({ id, content: WORSE });
    await expect(human.update({ id, content: 'Something else.' })).rejects.toMatchObject({
      code: 'GUARDIAN_PROTECTED',
      details: { entry: { id: entry?.id } },
    });
    expect((await agent.get({ id })).memory.content).toBe(SOUL);
  });

  it('may move it out of the protected ones, but never deletes soul or identity', async () => {
    await expect(human.forget({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await human.update({ id, category: 'operations' });
    await human.forget({ id });
    expect((await agent.archived()).memories.map((one) => one.id)).toEqual([id]);
    expect((await agent.restore({ id })).memory.content).toBe(SOUL);
  });

  it('of a category that the human protects may be its removal, at once', async () => {
    await human.setGuardianSettings({ categories: ['relationship'] });
    const { memory } = await agent.remember({
      type: 'core',
      category: 'relationship',
      content: 'Maya leads.',
    });
    expect((await agent.forget({ id: memory.id })).outcome).toBe('queued');
    const [pending] = (await human.guardianQueue({ memory_id: memory.id, status: 'cooling' })).entries;
    await human.rejectChange({ id: pending?.id ?? '' });
    expect((await human.forget({ id: memory.id })).outcome).toBeUndefined();
    const [removed] = (await human.guardianQueue({ memory_id: memory.id })).entries;
    expect(removed).toMatchObject({ status: 'approved', proposed: null, requested_by: { kind: 'human' } });
    await expect(agent.restore({ id: memory.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('cannot be withdrawn by the agent', async () => {
    await human.update({ id, content: WORSE });
    const [entry] = (await agent.guardianQueue({ memory_id: id })).entries;
    await expect(agent.withdrawChange({ id: entry?.id ?? '' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it.each([
    { content: WORSE },
    { tags: [] },
    { category: 'operations' as const },
    { type: 'semantic' as const },
  ])('reveals nothing that the agent withholds: %j', async (change) => {
    await human.update({ id, tags: ['private'] });
    await show({ private: 'redacted' });
    await expect(human.update({ id, ...change })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await show({ private: 'hidden' });
    const calls = [
      () => human.update({ id, ...change }),
      () => human.history({ id }),
      () => human.similar({ id }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await human.guardianQueue({ memory_id: id })).entries).toEqual([]);
    expect((await human.recalls({ memory_id: id })).recalls).toEqual([]);
    expect((await agent.get({ id })).memory).toMatchObject({ content: SOUL, tags: ['private'] });
  });
});
