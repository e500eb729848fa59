import { describe, expect, it } from 'vitest';
import type { Event } from '../kernel/context/hooks.ts';
import { useTestEngine } from '../testing/engine.fixture.ts';
import { startTestEngine } from '../testing/index.ts';
import { SvcError } from './contract.ts';

describe('engine', () => {
  const kit = useTestEngine();

  describe('idempotency', () => {
    it('serves a repeated PATCH and DELETE whose first answer was lost', async () => {
      const agent = (await kit.tenant()).agent();
      const { memory } = await agent.remember({ type: 'working', content: 'one' });
      const update = () =>
        agent.update({ id: memory.id, content: 'two' }, { idempotencyKey: 'u', ifMatch: 1 });
      expect(await update()).toEqual(await update());
      const forget = () => agent.forget({ id: memory.id }, { idempotencyKey: 'f' });
      expect(await forget()).toEqual(await forget());
      await expect(agent.forget({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('a refused call leaves its key free', async () => {
      const agent = (await kit.tenant()).agent();
      const { memory } = await agent.remember({ type: 'working', content: 'a', key: 'taken' });
      await agent.forget({ id: memory.id });
      const blocker = await agent.remember({ type: 'working', content: 'b', key: 'taken' });
      await expect(agent.restore({ id: memory.id }, { idempotencyKey: 'r' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      await agent.forget({ id: blocker.memory.id });
      expect((await agent.restore({ id: memory.id }, { idempotencyKey: 'r' })).memory.content).toBe('a');
    });
  });

  it('a setting that is undefined has its default', async () => {
    const own = await startTestEngine({
      settings: { guardianCoolingMs: undefined, recallPatienceMs: undefined },
    });
    const agent = (await own.tenant()).agent();
    const { memory } = await agent.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
    const changed = await agent.update({ id: memory.id, content: 'I am not Ada.' });
    expect(changed).toMatchObject({ outcome: 'queued', entry: { status: 'cooling' } });
    await own.close();
  });

  describe('plugins', () => {
    it('may change or refuse a memory, by whatever way it comes', async () => {
      const own = await startTestEngine();
      own.engine.use({
        name: 'redaction',
        hooks: {
          'memory:beforeStore': (draft) => {
            if (draft.content.includes('forbidden')) throw new SvcError('FORBIDDEN', 'not this');
            return { ...draft, content: draft.content.replaceAll(/\d{4}/g, '****') };
          },
        },
      });
      const agent = (await own.tenant()).agent();
      const { memory } = await agent.remember({ type: 'working', content: 'pin 1234' });
      expect(memory.content).toBe('pin ****');
      const patched = await agent.update({ id: memory.id, content: 'pin 9876' });
      expect(patched.memory.content).toBe('pin ****');
      await expect(
        agent.rememberBatch({
          memories: [
            { type: 'working', content: 'fine' },
            { type: 'working', content: 'forbidden' },
          ],
        }),
      ).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect((await agent.status()).counts.working).toBe(1);
      await own.close();
    });

    it('hear of events after the commit, with ids and without content; a failing one harms nothing', async () => {
      const own = await startTestEngine();
      const heard: Event[] = [];
      own.engine
        .use({
          name: 'broken',
          hooks: {
            event: () => {
              throw new Error('plugin bug');
            },
          },
        })
        .use({ name: 'listener', hooks: { event: (event) => void heard.push(event) } });
      const { tenantId, agent } = await own.tenant();
      const { memory } = await agent().remember({ type: 'semantic', content: 'secret words' });
      await agent().recall({ query: 'secret' });
      await agent().export();
      await agent().forget({ id: memory.id });
      await agent().restore({ id: memory.id });
      expect(heard.map(({ type }) => type)).toEqual([
        'memory.stored',
        'memory.recalled',
        'memory.exported',
        'memory.archived',
        'memory.restored',
      ]);
      expect(heard[0]).toMatchObject({ tenantId, data: { memory_id: memory.id } });
      expect(JSON.stringify(heard)).not.toContain('secret');
      await own.close();
    });

    it('may rerank and cut what a recall answers', async () => {
      const own = await startTestEngine();
      own.engine.use({ name: 'one', hooks: { 'recall:after': (results) => results.slice(-1) } });
      const agent = (await own.tenant()).agent();
      await agent.remember({ type: 'semantic', content: 'red apples' });
      await agent.remember({ type: 'semantic', content: 'green apples' });
      expect((await agent.recall({ query: 'apples', threshold: 0 })).results).toHaveLength(1);
      await own.close();
    });
  });
});
