import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const DAYS_30 = 30 * 86_400_000;
const CANARY = 'zyzzyva';
const HUMAN = { source: 'human' as const, credentialId: null };

describe('erasure after 30 days', () => {
  const kit = useTestEngine();
  const erase = () => kit.engine.background.run('memory.erase-expired');

  it('happens exactly at the end of the restore window, and not before', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory } = await agent.remember({ type: 'working', content: 'short-lived' });
    const kept = await agent.remember({ type: 'working', content: 'kept' });
    await agent.forget({ id: memory.id });
    kit.clock.advance(DAYS_30 - 1);
    expect(await erase()).toBe(0);
    expect((await agent.archived()).memories.map(({ id }) => id)).toEqual([memory.id]);
    await agent.restore({ id: memory.id });
    await agent.forget({ id: memory.id });
    kit.clock.advance(DAYS_30);
    await expect(agent.restore({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await erase()).toBe(1);
    expect(await erase()).toBe(0);
    await expect(agent.history({ id: memory.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await agent.get({ id: kept.memory.id })).memory.content).toBe('kept');
  });

  it('leaves no trace of the text: no content, history, terms, vectors, Guardian entries', async () => {
    const { agent: as, tenantId } = await kit.tenant();
    const [agent, human] = [as(), as(HUMAN)];
    await human.setGuardianSettings({ categories: ['tools'] });
    const { memory } = await agent.remember({
      type: 'core',
      category: 'tools',
      content: `${CANARY} one`,
      key: CANARY,
      tags: [CANARY],
    });
    const { entry } = await agent.update({ id: memory.id, content: `${CANARY} two` });
    await human.approveChange({ id: entry?.id ?? '', reason: CANARY });
    const removal = await agent.forget({ id: memory.id });
    await human.approveChange({ id: removal.entry?.id ?? '' });
    // Nobody has decided on the change of one that expired: what it said before it is kept until then.
    const expires_at = new Date(kit.clock().getTime() + DAYS_30).toISOString();
    const passing = await agent.remember({ type: 'core', category: 'tools', content: CANARY, expires_at });
    await agent.update({ id: passing.memory.id, content: `${CANARY}.` });
    kit.clock.advance(DAYS_30 - 1);
    await kit.engine.background.run('guardian.expire-cooling');
    expect((await agent.get({ id: passing.memory.id })).memory.content).toBe(`${CANARY}.`);
    kit.clock.advance(1);
    await kit.engine.background.run('memory.archive-expired');
    expect(await erase()).toBe(1);
    kit.clock.advance(DAYS_30);
    expect(await erase()).toBe(1);
    const tables = await kit.engine.database.system((tx) =>
      rows<{ name: string }>(
        tx,
        sql`SELECT table_name AS name FROM information_schema.columns
            WHERE column_name = 'tenant_id' AND table_schema = 'public'`,
      ),
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      const found = await kit.engine.database.system((tx) =>
        rows(
          tx,
          sql`SELECT 1 FROM ${sql.identifier(name)} t WHERE tenant_id = ${tenantId} AND t::text LIKE ${`%${CANARY}%`}`,
        ),
      );
      expect([name, found.length]).toEqual([name, 0]);
    }
    const audit = await human.guardianQueue();
    expect(audit.entries.map(({ status, current }) => [status, current?.content])).toEqual([
      ['applied', ''],
      ['rejected', undefined],
      ['approved', ''],
      ['approved', ''],
      ['approved', undefined],
    ]);
  });

  it('races a restore with one winner', async () => {
    const agent = (await kit.tenant()).agent();
    const { memories } = await agent.rememberBatch({
      memories: Array.from({ length: 20 }, (_, n) => ({ type: 'episodic' as const, content: `Race ${n}` })),
    });
    for (const { id } of memories) await agent.forget({ id });
    kit.clock.advance(DAYS_30 - 1);
    const restores = memories.map(({ id }, n) => {
      if (n === 10) kit.clock.advance(1);
      return agent.restore({ id });
    });
    const [results] = await Promise.all([Promise.allSettled(restores), erase(), erase()]);
    let won = 0;
    for (const [index, result] of results.entries()) {
      const id = memories[index]?.id ?? '';
      if (result.status === 'fulfilled') {
        won += 1;
        expect((await agent.get({ id })).memory.content).toBe(`Race ${index}`);
        expect((await agent.history({ id })).versions).toHaveLength(3);
      } else {
        expect(result.reason).toMatchObject({ code: 'NOT_FOUND' });
        await expect(agent.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    }
    expect(won).toBeLessThanOrEqual(10);
  });

  it('works through more memories than fit into one transaction', async () => {
    const agent = (await kit.tenant()).agent();
    const since = kit.clock().toISOString();
    const { memories } = await agent.rememberBatch({
      memories: Array.from({ length: 450 }, (_, n) => ({ type: 'episodic' as const, content: `Old ${n}` })),
    });
    expect((await agent.undo({ source: 'agent', since })).changes.archived).toBe(memories.length);
    kit.clock.advance(DAYS_30);
    expect(await erase()).toBe(450);
  });
});
