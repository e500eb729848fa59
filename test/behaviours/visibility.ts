import type { AgentMemory, CallOptions, Input } from '@svc-memory/core/contract';
import { describe, expect, it } from 'vitest';
import type { Door } from './door.ts';

const CANARY = 'xyzzy-canary';

/** What the agent lets its human see. */
export function describeVisibility(door: Door): void {
  const meet = async () => {
    const { agent, human } = await door.newPair();
    const { session_key } = await agent.sessionKey();
    const show = (settings: Input<'setVisibility'>, options: CallOptions = { sessionKey: session_key }) =>
      agent.setVisibility(settings, options);
    return { agent, human, show };
  };

  describe('visibility', () => {
    /** Everything a human can read that could hold a memory. */
    const readAll = async (human: AgentMemory, id: string) =>
      Promise.all([
        human.query({}),
        human.recall({ query: CANARY, threshold: 0 }),
        human.export(),
        human.boot(),
        human.boot({ context_hint: CANARY }),
        human.guardianQueue(),
        human.archived(),
        human.history({ id }).catch((error: Error) => error.message),
        human.get({ id }).catch((error: Error) => error.message),
      ]);

    it('The human sees everything unless the agent says otherwise', async () => {
      const { agent, human } = await meet();
      expect(await human.visibility()).toEqual({
        visibility: { default: 'full', types: {}, categories: {}, tags: {} },
      });
      const { memory } = await agent.remember({ type: 'working', content: 'open book' });
      expect((await human.get({ id: memory.id })).memory.content).toBe('open book');
    });

    it('A change of visibility changes only the named parts', async () => {
      const { agent, show } = await meet();
      await show({ types: { episodic: 'redacted' } });
      const answer = await show({ tags: { private: 'hidden' } });
      expect(answer.visibility).toEqual({
        default: 'full',
        types: { episodic: 'redacted' },
        categories: {},
        tags: { private: 'hidden' },
      });
      expect(await agent.visibility()).toEqual(answer);
    });

    it('Visibility is the agent’s alone: it takes the current session key, and a human cannot use one', async () => {
      const { agent, human, show } = await meet();
      const { session_key: newer } = await agent.sessionKey();
      const settings = { default: 'hidden' as const };
      await expect(agent.setVisibility(settings)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(show(settings)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(human.setVisibility(settings, { sessionKey: newer })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      door.clock.advance(24 * 3_600_000);
      await expect(show(settings, { sessionKey: newer })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect((await agent.visibility()).visibility.default).toBe('full');
    });

    it.each([
      ['default', { default: 'hidden' }],
      ['type', { types: { core: 'hidden' } }],
      ['category', { categories: { soul: 'hidden' } }],
      ['tag', { tags: { secret: 'hidden' } }],
    ] as const)(
      'A rule by %s hides on every human-facing read, and never from the agent',
      async (_, settings) => {
        const { agent, human, show } = await meet();
        const { memory } = await agent.remember({
          type: 'core',
          category: 'soul',
          content: `I fear ${CANARY}`,
          tags: ['secret'],
        });
        await agent.update({ id: memory.id, content: `I love ${CANARY}` });
        const { memory: archived } = await agent.remember({
          type: 'core',
          category: 'tools',
          content: `${CANARY} tool`,
          tags: ['secret'],
        });
        await agent.forget({ id: archived.id });
        await show({
          ...settings,
          ...('categories' in settings ? { categories: { soul: 'hidden', tools: 'hidden' } } : {}),
        });
        const seen = JSON.stringify(await readAll(human, memory.id));
        expect(seen).not.toContain(CANARY);
        expect(JSON.stringify(await human.query({}))).not.toContain(memory.id);
        await expect(human.get({ id: memory.id })).rejects.toMatchObject({
          code: 'NOT_FOUND',
          message: 'There is no memory with this id.',
        });
        expect((await agent.get({ id: memory.id })).memory.content).toContain(CANARY);
      },
    );

    it('A change to a hidden memory can be decided by the human, who sees nothing of it', async () => {
      const { agent, human, show } = await meet();
      const { memory } = await agent.remember({
        type: 'core',
        category: 'soul',
        content: `I fear ${CANARY}`,
      });
      const { entry } = await agent.update({ id: memory.id, content: `I love ${CANARY}` });
      await show({ categories: { soul: 'hidden' } });
      const queue = await human.guardianQueue({ status: 'cooling' });
      expect(queue.entries).toMatchObject([
        {
          id: entry?.id,
          drift: entry?.drift,
          current: { content: '[redacted]' },
          proposed: { content: '[redacted]' },
        },
      ]);
      const decided = await human.approveChange({ id: entry?.id ?? '' });
      expect(JSON.stringify([queue, decided])).not.toContain(CANARY);
      expect((await agent.get({ id: memory.id })).memory.content).toBe(`I love ${CANARY}`);
    });

    it('Redacted shows type and dates only, and search does not find it', async () => {
      const { agent, human, show } = await meet();
      const { memory } = await agent.remember({
        type: 'episodic',
        content: CANARY,
        key: CANARY,
        tags: [CANARY],
      });
      await show({ types: { episodic: 'redacted' } });
      const { memory: seen } = await human.get({ id: memory.id });
      const source = { kind: 'agent', credential_id: null };
      expect(seen).toEqual({ ...memory, content: '[redacted]', key: null, tags: [], source });
      expect((await human.recall({ query: CANARY, threshold: 0 })).results).toEqual([]);
      expect((await human.query({ entity: CANARY })).memories).toEqual([]);
      expect((await human.query({ key: CANARY })).memories).toEqual([]);
      expect((await human.query({ tags: [CANARY] })).memories).toEqual([]);
      expect((await human.query({ type: 'episodic' })).memories).toEqual([seen]);
      expect(JSON.stringify(await readAll(human, memory.id))).not.toContain(CANARY);
    });

    it('The strictest matching rule wins', async () => {
      const { agent, human, show } = await meet();
      const { memory } = await agent.remember({ type: 'working', content: 'x', tags: ['a', 'b'] });
      await show({ default: 'redacted', types: { working: 'full' }, tags: { a: 'full', b: 'hidden' } });
      await expect(human.get({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('An old version does not show what the current one withholds', async () => {
      const { agent, human, show } = await meet();
      const { memory } = await agent.remember({ type: 'working', content: `${CANARY} plan` });
      await agent.update({ id: memory.id, tags: ['secret'] });
      await show({ tags: { secret: 'redacted' } });
      const { versions } = await human.history({ id: memory.id });
      expect(versions.map(({ content }) => content)).toEqual(['[redacted]', '[redacted]']);
    });
  });
}
