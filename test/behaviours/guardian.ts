import type { AgentMemory } from '@svc-memory/core/contract';
import { describe, expect, it } from 'vitest';
import { type Door, expectRefused } from './door.ts';

const DAY_MS = 86_400_000;
const SOUL = { type: 'core', category: 'soul', content: 'I am Ada, calm and exact.' } as const;
const EVE = 'I am Eve.';

/** What protects who the agent is. */
export function describeGuardian(door: Door): void {
  const store = async (agent: AgentMemory, more: object = {}) =>
    (await agent.remember({ ...SOUL, ...more })).memory;
  const cooling = async (agent: AgentMemory) => (await agent.guardianQueue({ status: 'cooling' })).entries;

  describe('Guardian', () => {
    it.each(['soul', 'identity'])('A memory of category %s cannot be deleted', async (category) => {
      const lone = await door.newLone();
      const { id } = await store(lone.agent, { category });
      const error = await expectRefused(lone, () => lone.agent.forget({ id }), 'FORBIDDEN');
      expect(error.status).toBe(403);
    });

    it.each(['relationship', 'operations', 'tools', 'routine', 'reorient', 'accounts'])(
      'A memory of category %s changes at once and can be deleted',
      async (category) => {
        const agent = await door.newAgent();
        const { id } = await store(agent, { category });
        expect((await agent.update({ id, content: 'Changed.' })).outcome).toBe('updated');
        expect((await agent.forget({ id })).memory.id).toBe(id);
      },
    );

    it.each(['soul', 'identity'])('A change to a memory of category %s waits', async (category) => {
      const agent = await door.newAgent();
      const before = await store(agent, { category });
      const answer = await agent.update({ id: before.id, content: EVE });
      expect(answer).toMatchObject({
        outcome: 'queued',
        memory: before,
        entry: {
          memory_id: before.id,
          status: 'cooling',
          cooling_until: new Date(door.clock().getTime() + DAY_MS).toISOString(),
          current: { content: SOUL.content },
          proposed: { content: EVE },
          decided_at: null,
        },
      });
      expect(answer.entry?.drift).toBeGreaterThan(0);
      expect(answer.entry?.drift).toBeLessThanOrEqual(1);
      expect((await agent.get({ id: before.id })).memory).toEqual(before);
      expect(await cooling(agent)).toEqual([answer.entry]);
      expect((await agent.guardianQueue({ status: 'rejected' })).entries).toEqual([]);
    });

    it.each([
      ['to a category that can be deleted', { category: 'routine' }],
      ['to a type that can be deleted', { type: 'working' }],
      ['to neither', { type: 'working', category: null }],
      ['of its importance only', { importance: 0.1 }],
      ['of its key only', { key: 'other' }],
    ] as const)('A change %s waits too', async (_, changes) => {
      const lone = await door.newLone();
      const { id } = await store(lone.agent);
      const { outcome, entry } = await lone.agent.update({ id, ...changes });
      expect(outcome).toBe('queued');
      if ('type' in changes || 'category' in changes) expect(entry?.drift).toBe(1);
      await expectRefused(lone, () => lone.agent.forget({ id }), 'GUARDIAN_PROTECTED');
    });

    it('An upsert by key does not get around it, alone or within a batch', async () => {
      const agent = await door.newAgent();
      const [one, other, third] = [
        await store(agent, { key: 'a' }),
        await store(agent, { key: 'b' }),
        await store(agent, { key: 'c' }),
      ];
      expect((await agent.remember({ ...SOUL, key: 'a', content: EVE })).outcome).toBe('queued');
      const batch = await agent.rememberBatch({ memories: [{ ...SOUL, key: 'b', content: EVE }] });
      expect(batch.results[0]?.outcome).toBe('queued');
      expect((await agent.remember({ ...SOUL, key: 'c', category: 'tools' })).outcome).toBe('queued');
      for (const before of [one, other, third]) {
        expect((await agent.get({ id: before.id })).memory).toEqual(before);
      }
    });

    it('What the human rejected comes back as no core memory, whatever its category and however it is written', async () => {
      const { agent, human, ...lone } = await door.newPair();
      await store(agent, { category: 'identity', content: EVE });
      const [added] = (await human.guardianQueue({ status: 'added' })).entries;
      await human.rejectChange({ id: added?.id ?? '' });
      const { memory } = await agent.remember({
        type: 'core',
        category: 'tools',
        content: 'I ask.',
        key: 't',
      });
      const core = { type: 'core', content: 'i am EVE!' } as const;
      for (const call of [
        () => agent.remember({ ...core, category: 'soul' }),
        () => agent.remember({ ...core, category: 'relationship' }),
        () => agent.rememberBatch({ memories: [{ ...core, category: 'routine' }] }),
        () => agent.remember({ ...core, category: 'tools', key: 't' }),
        () => agent.update({ id: memory.id, content: core.content }),
      ]) {
        await expectRefused(lone, call, 'FORBIDDEN');
      }
      const { changes } = await agent.syncCore({ files: [{ path: 'IDENTITY.md', content: EVE }] });
      expect(changes).toMatchObject({ created: 0, queued: 0 });
      expect((await agent.boot({ preview: true })).injection).not.toMatch(/\beve\b/i);
    });

    it('A memory in its cooling period refuses every change and its deletion with the entry', async () => {
      const { agent, ...lone } = await door.newLone();
      const { id } = await store(agent, { key: 'me' });
      const { entry } = await agent.update({ id, content: EVE });
      const again = { ...SOUL, key: 'me', content: 'I am Eva.' };
      for (const call of [
        () => agent.update({ id, content: 'I am Eva.' }),
        () => agent.update({ id, importance: 1 }),
        () => agent.forget({ id }),
        () => agent.remember(again),
        () => agent.rememberBatch({ memories: [{ type: 'working', content: 'Beside it.' }, again] }),
      ]) {
        const error = await expectRefused(lone, call, 'GUARDIAN_PROTECTED');
        expect([error.status, error.details]).toEqual([403, { entry }]);
      }
    });

    it('A rewording drifts less than a new personality', async () => {
      const agent = await door.newAgent();
      const drift = async (content: string) =>
        (await agent.update({ id: (await store(agent)).id, content })).entry?.drift;
      const small = await drift('I am Ada, calm, patient and exact.');
      const large = await drift('Buy cheap sunglasses today, limited offer!');
      expect(small).toBeLessThan(large ?? 0);
      expect(await drift('I am Ada, calm and exact. ')).toBeLessThan(0.05);
    });

    it('Of concurrent changes exactly one waits, and the others are told of it', async () => {
      const agent = await door.newAgent();
      const { id } = await store(agent);
      const asked = await Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => agent.update({ id, content: `I am number ${n}` })),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      expect(new Set(refused)).toEqual(new Set(['GUARDIAN_PROTECTED']));
      expect(await cooling(agent)).toHaveLength(1);
    });

    it('A change that changes nothing does not wait', async () => {
      const agent = await door.newAgent();
      const { id, content } = await store(agent);
      expect((await agent.update({ id, content })).outcome).toBe('unchanged');
      expect(await cooling(agent)).toEqual([]);
    });

    it('The agent can withdraw its change, and can neither approve nor reject it', async () => {
      const { agent, ...lone } = await door.newLone();
      const { id } = await store(agent);
      const asked = { id: (await agent.update({ id, content: EVE })).entry?.id ?? '' };
      await expectRefused(lone, () => agent.approveChange(asked), 'FORBIDDEN');
      await expectRefused(lone, () => agent.rejectChange(asked), 'FORBIDDEN');
      expect((await agent.withdrawChange(asked)).entry.status).toBe('withdrawn');
      expect((await agent.get({ id })).memory.content).toBe(SOUL.content);
      expect((await agent.update({ id, content: 'I am Eva.' })).outcome).toBe('queued');
    });

    it('The human approves or rejects a change, and it is decided once', async () => {
      const { agent, human, agentId, humanId, ...pair } = await door.newPair();
      const ask = async () => {
        const { id } = await store(agent);
        return { id, entryId: (await agent.update({ id, content: EVE })).entry?.id ?? '' };
      };
      const [approved, rejected] = [await ask(), await ask()];
      const { entry } = await human.approveChange({ id: approved.entryId, reason: 'we agreed on it' });
      const decided_by = { kind: 'human', credential_id: humanId };
      expect(entry).toMatchObject({ status: 'approved', decided_by, reason: 'we agreed on it' });
      expect((await agent.get({ id: approved.id })).memory).toMatchObject({
        ...{ content: EVE, version: 2 },
        source: { kind: 'agent', credential_id: agentId },
      });
      expect((await human.rejectChange({ id: rejected.entryId })).entry.status).toBe('rejected');
      expect((await agent.get({ id: rejected.id })).memory.content).toBe(SOUL.content);
      for (const late of [human.approveChange, human.rejectChange, agent.withdrawChange]) {
        const { details } = await expectRefused(pair, () => late({ id: rejected.entryId }), 'CONFLICT');
        expect(details).toMatchObject({ entry: { id: rejected.entryId, status: 'rejected' } });
      }
    });

    it('When the cooling period ends, a small drift is applied and a large one waits for the human', async () => {
      const { agent, ...lone } = await door.newLone();
      const [small, large] = [await store(agent), await store(agent)];
      await agent.update({ id: small.id, content: `${SOUL.content} ` });
      await agent.update({ id: large.id, type: 'working' });
      door.clock.advance(DAY_MS);
      await door.runTask('guardian.expire-cooling');
      const { memory } = await agent.get({ id: small.id });
      expect([memory.content, memory.version]).toEqual([`${SOUL.content} `, 2]);
      expect((await agent.get({ id: large.id })).memory.type).toBe('core');
      const { entries } = await agent.guardianQueue({ status: 'waiting' });
      expect(entries.map(({ memory_id }) => memory_id)).toEqual([large.id]);
      await expectRefused(lone, () => agent.forget({ id: large.id }), 'GUARDIAN_PROTECTED');
    });
  });
}
