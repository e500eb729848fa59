import type { AgentMemory } from '@svc-memory/core/contract';
import { describe, expect, it } from 'vitest';
import { type Door, expectRefused } from './door.ts';

const DAY_MS = 86_400_000;
const NOTE = { type: 'episodic', content: 'The heron stood on the wreck.' } as const;

/** Where an agent finds this memory. */
async function foundBy(agent: AgentMemory, id: string) {
  const { results } = await agent.recall({ query: 'heron on the wreck', threshold: 0 });
  return {
    recall: results.some((memory) => memory.id === id),
    query: (await agent.query({ limit: 100 })).memories.some((memory) => memory.id === id),
    export: JSON.stringify((await agent.export()).export.memories).includes(id),
    boot: (await agent.boot({ preview: true })).injection.includes('The heron stood'),
    counts: (await agent.status()).counts.episodic === 1,
    archive: (await agent.archived()).memories.some((memory) => memory.id === id),
  };
}

const EVERYWHERE = { recall: true, query: true, export: true, boot: true, counts: true, archive: false };
const ARCHIVE_ONLY = {
  recall: false,
  query: false,
  export: false,
  boot: false,
  counts: false,
  archive: true,
};

/** Forgetting and restoring. */
export function describeArchive(door: Door): void {
  const archived = async (more: object = {}) => {
    const lone = await door.newLone();
    const { memory } = await lone.agent.remember({ ...NOTE, ...more });
    const answer = await lone.agent.forget({ id: memory.id });
    return { ...lone, id: memory.id, before: memory, answer };
  };

  describe('archive', () => {
    it('A forgotten memory is found in the archive only, and a restored one as it was', async () => {
      const agent = await door.newAgent();
      const { memory } = await agent.remember({ ...NOTE, key: 'k', tags: ['bird'], importance: 0.8 });
      const { id } = memory;
      expect(await foundBy(agent, id)).toEqual(EVERYWHERE);
      await agent.forget({ id });
      expect(await foundBy(agent, id)).toEqual(ARCHIVE_ONLY);
      const { memory: restored } = await agent.restore({ id });
      expect(restored).toEqual({ ...memory, version: 3, updated_at: restored.updated_at });
      expect(await foundBy(agent, id)).toEqual(EVERYWHERE);
    });

    it('Forgetting says until when it can be taken back, and so does a look for the memory', async () => {
      const { agent, id, answer } = await archived();
      const now = door.clock();
      const times = {
        archived_at: now.toISOString(),
        restorable_until: new Date(now.getTime() + 30 * DAY_MS).toISOString(),
      };
      expect(answer.memory).toEqual({ id, ...times });
      await expect(agent.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', details: times });
    });

    it('A forgotten memory can be neither forgotten again nor changed', async () => {
      const { agent, id, ...lone } = await archived();
      await expectRefused(lone, () => agent.forget({ id }), 'NOT_FOUND');
      await expectRefused(lone, () => agent.update({ id, content: 'x' }), 'NOT_FOUND');
    });

    it('Restoring an active memory is a conflict, and of concurrent restores one wins', async () => {
      const { agent, id, ...lone } = await archived();
      const asked = await Promise.allSettled(Array.from({ length: 8 }, () => agent.restore({ id })));
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expectRefused(lone, () => agent.restore({ id }), 'CONFLICT');
    });

    it('Forgetting frees the key, and restoring is a conflict while another memory has it', async () => {
      const { agent, id, ...lone } = await archived({ key: 'plan' });
      expect((await agent.remember({ ...NOTE, key: 'plan' })).outcome).toBe('created');
      await expectRefused(lone, () => agent.restore({ id }), 'CONFLICT');
    });

    it('A memory can be restored for 30 days to the last millisecond, and has them anew each time', async () => {
      const { agent, id } = await archived();
      door.clock.advance(30 * DAY_MS - 1);
      await agent.restore({ id });
      await agent.forget({ id });
      door.clock.advance(30 * DAY_MS - 1);
      expect((await agent.restore({ id })).memory.id).toBe(id);
    });

    it('After 30 days the memory is gone for every call', async () => {
      const { agent, id, ...lone } = await archived();
      door.clock.advance(30 * DAY_MS);
      expect((await agent.archived()).memories).toEqual([]);
      for (const call of [agent.restore, agent.get, agent.history]) {
        await expectRefused(lone, () => call({ id }), 'NOT_FOUND');
      }
    });

    it('The archive lists the last archived first, page by page', async () => {
      const agent = await door.newAgent();
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const { memory } = await agent.remember(NOTE);
        door.clock.advance(n === 2 ? 0 : 1000);
        await agent.forget({ id: memory.id });
        ids.unshift(memory.id);
      }
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await agent.archived({ limit: 2, ...(cursor ? { cursor } : {}) });
        seen.push(...page.memories.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect([...seen].sort()).toEqual([...ids].sort());
      expect([seen[0], seen.at(-1)]).toEqual([ids[0], ids.at(-1)]);
    });
  });
}
