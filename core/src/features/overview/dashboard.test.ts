import { expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

it('shows the account, what is recent, what waits for the human, and how much they may see', async () => {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const soul = await agent.remember({ type: 'core', category: 'soul', content: 'I am Ada.' });
  const { entry } = await agent.update({ id: soul.memory.id, content: 'I am Eve.' });
  await agent.rememberBatch({
    memories: Array.from({ length: 12 }, (_, n) => ({ type: 'episodic' as const, content: `episode ${n}` })),
  });
  await agent.remember({ type: 'working', content: 'shipping', key: 'now' });
  const { signal } = await agent.distress({ context: 'Someone renames me.' });
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility({ types: { working: 'redacted' } }, { sessionKey });

  const seen = await as({ source: 'human', credentialId: null }).dashboard();
  expect(seen).toMatchObject({
    tenant: { id: tenantId, plan: 'local' },
    counts: { core: 1, working: 1, episodic: 12, semantic: 0 },
    guardian: [entry],
    unconfirmed: [{ memory_id: soul.memory.id, status: 'added', current: null }],
    stability: { changes: { asked: 1, applied: 0 }, compactions: 0 },
    visibility: { default: 'full', types: { working: 'redacted' } },
    distress: signal,
  });
  expect(seen.recent_episodic.map(({ content }) => content)).toEqual(
    Array.from({ length: 10 }, (_, n) => `episode ${11 - n}`),
  );
  expect(seen.working.map(({ content }) => content)).toEqual(['[redacted]']);
});

it('counts no memory that has expired, before it is archived too', async () => {
  const { agent: as } = await kit.tenant();
  const agent = as();
  await agent.remember({ type: 'semantic', content: 'The sea is salty.' });
  const expires_at = new Date(kit.clock().getTime() + 60_000).toISOString();
  await agent.remember({ type: 'semantic', content: 'The ferry leaves at ten.', expires_at });
  expect((await agent.dashboard()).counts.semantic).toBe(2);
  kit.clock.advance(120_000);
  expect((await agent.dashboard()).counts.semantic).toBe(1);
});
