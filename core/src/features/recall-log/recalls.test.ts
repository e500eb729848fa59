import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { createEngine } from '../../app/engine.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const HUMAN: Actor = { source: 'human', credentialId: '00000000-0000-4000-8000-000000000002' };
const DAY_MS = 86_400_000;

const kit = useTestEngine();

describe('the log of recalls', () => {
  it('tells what was asked, by whom, and what came back, newest first and in pages', async () => {
    const { agent } = await kit.tenant();
    const human = agent(HUMAN);
    const { memory } = await agent().remember({ type: 'semantic', content: 'The gate opens at seven.' });
    for (const query of ['when does the gate open?', 'who is the mayor of Narnia?']) {
      await agent().recall({ query });
      kit.clock.advance(1_000);
    }
    const { results } = await human.recall({ query: 'gate' });
    const about = await agent().recalls({ memory_id: memory.id });
    expect(about.recalls.map(({ query }) => query)).toEqual(
      results.length > 0 ? ['gate', 'when does the gate open?'] : ['when does the gate open?'],
    );
    const { recalls, next_cursor } = await agent().recalls({ limit: 2 });
    expect(recalls).toMatchObject([
      {
        query: 'gate',
        source: { kind: 'human' },
        results: results.map(({ id, similarity }) => ({ id, similarity })),
        degraded: false,
      },
      { query: 'who is the mayor of Narnia?', source: { kind: 'agent' }, results: [] },
    ]);
    expect(recalls.every(({ took_ms }) => Number(took_ms) > 0)).toBe(true);
    const rest = await agent().recalls({ limit: 2, cursor: next_cursor ?? '' });
    expect(rest).toMatchObject({
      recalls: [{ query: 'when does the gate open?', results: [{ id: memory.id }] }],
      next_cursor: null,
    });
    const [, second] = recalls;
    const within = await agent().recalls({ since: second?.at as string, until: recalls[0]?.at as string });
    expect(within.recalls.map(({ query }) => query)).toEqual(['who is the mayor of Narnia?']);
  });

  it('shows the human nothing of what the agent withholds: no id, no number, no question about it', async () => {
    const { agent } = await kit.tenant();
    const human = agent(HUMAN);
    const { session_key: sessionKey } = await agent().sessionKey();
    const draft = (content: string, tags: string[]) => ({ type: 'semantic' as const, content, tags });
    const { memory: shown } = await agent().remember(draft('The picnic is at the lake.', []));
    const { memory: kept } = await agent().remember(draft('The surprise party is at the lake.', ['gift']));
    await agent().recall({ query: 'what happens at the lake?', threshold: 0 });
    await human.recall({ query: 'at the lake', threshold: 0 });
    const before = (await human.recalls()).recalls;
    expect(before.map(({ results }) => results.length)).toEqual([2, 2]);
    for (const level of ['hidden', 'redacted'] as const) {
      await agent().setVisibility({ tags: { gift: level } }, { sessionKey });
      const { recalls } = await human.recalls();
      expect(recalls).toMatchObject([{ query: 'at the lake', took_ms: null, results: [{ id: shown.id }] }]);
      expect(JSON.stringify(recalls)).not.toContain(kept.id);
    }
    expect((await agent().recalls()).recalls).toHaveLength(2);
  });

  it('keeps no secret that somebody asked for', async () => {
    const { agent } = await kit.tenant();
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    await agent().recall({ query: `what is ${token} for?` });
    const { recalls } = await agent().recalls();
    expect(recalls).toHaveLength(1);
    expect(recalls[0]?.query).not.toContain(token);
  });

  it('is of one tenant, and forgets what is older than it keeps', async () => {
    const [one, other] = [await kit.tenant(), await kit.tenant()];
    await one.agent().recall({ query: 'an old question' });
    await other.agent().recall({ query: 'a question of another agent' });
    await one.agent().recalls();
    kit.clock.advance(6 * DAY_MS);
    await one.agent().recall({ query: 'a new question' });
    await one.agent().recalls();
    kit.clock.advance(DAY_MS + 1);
    await kit.engine.background.run('recalls.forget-old');
    const { recalls } = await one.agent().recalls();
    expect(recalls.map(({ query }) => query)).toEqual(['a new question']);
  });

  it('is written when the engine closes, and not at all where it is to keep none', async () => {
    const { tenantId } = await kit.tenant();
    const asked = async (recallLogDays: number, query: string) => {
      const database = { ...kit.engine.database, close: async () => {} };
      const engine = createEngine({ database, clock: kit.clock, settings: { recallLogDays } });
      await engine.agent(tenantId).recall({ query });
      await engine.close();
    };
    await asked(7, 'is this kept?');
    await asked(0, 'is this kept, too?');
    const { recalls } = await kit.engine.agent(tenantId).recalls();
    expect(recalls.map(({ query }) => query)).toEqual(['is this kept?']);
  });

  it('holds nothing of a user whose erasure another process begins while it is written', async ({ skip }) => {
    const { database } = kit.engine;
    // The embedded database has one process, which does one thing after the other.
    if (database.kind !== 'postgres') return skip();
    const { tenantId, agent } = await kit.tenant();
    await agent().remember({ type: 'semantic', content: 'Ada likes plums.', user_id: 'u1' });
    const process = createEngine({ database: { ...database, close: async () => {} }, clock: kit.clock });
    await process.agent(tenantId).recall({ query: 'what does Ada like?', user_id: 'u1' });
    let closing: Promise<void> | undefined;
    await database.system(async (tx) => {
      const [{ id } = { id: '' }] = await rows<{ id: string }>(
        tx,
        sql`SELECT user_tenant_id AS id FROM agent_users WHERE tenant_id = ${tenantId}::uuid`,
      );
      await rows(tx, sql`DELETE FROM tenants WHERE tenant_id = ${id}::uuid`);
      let written = false;
      closing = process.close().then(() => {
        written = true;
      });
      const isWaiting = async () =>
        written ||
        (
          await rows(
            tx,
            sql`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`,
          )
        ).length > 0;
      await vi.waitFor(async () => expect(await isWaiting()).toBe(true), 10_000);
    });
    await closing;
    const left = await database.system((tx) =>
      rows(tx, sql`SELECT FROM recalls WHERE query = 'what does Ada like?'`),
    );
    expect(left).toEqual([]);
  });
});
