import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-000000000001' };
const DAY_MS = 86_400_000;

const kit = useTestEngine();

const saidIn = (memories: readonly { readonly content: string }[]) => memories.map(({ content }) => content);

describe('what was learnt in a period', () => {
  it('is what is new, what says something else now, and what took the place of something', async () => {
    const agent = (await kit.tenant()).agent();
    const fact = (content: string) => agent.remember({ type: 'semantic', content });
    const { memory: changing } = await fact('Maya likes long messages.');
    const { memory: moving } = await fact('The archive is kept in the basement.');
    await fact('Whales are mammals.');
    kit.clock.advance(DAY_MS);
    const since = kit.clock().toISOString();
    await agent.remember({ type: 'episodic', content: 'We talked about the sea.' });
    await agent.remember({ type: 'core', category: 'tools', content: 'Rollback by ops/rollback.sh.' });
    kit.clock.advance(1_000);
    await agent.update({ id: changing.id, content: 'Maya likes short messages.' });
    await agent.update({ id: changing.id, importance: 0.9 });
    const attic = 'The archive was moved to the attic of the other house.';
    await agent.remember({ type: 'semantic', content: attic, supersedes: [moving.id] });
    const answer = await agent.learnt({ since });
    expect(answer.stored).toEqual({ core: 1, working: 0, episodic: 1, semantic: 1 });
    expect(answer.counts).toEqual({ facts: 2, changed: 1, superseded: 1, digests: 0 });
    expect(saidIn(answer.facts)).toEqual([attic, 'Rollback by ops/rollback.sh.']);
    expect(answer.changed).toMatchObject([
      { memory: { content: 'Maya likes short messages.' }, before: 'Maya likes long messages.' },
    ]);
    expect(answer.superseded).toMatchObject([{ memory: { id: moving.id }, by: { content: attic } }]);
    kit.clock.advance(1_000);
    const later = await agent.learnt({ since: kit.clock().toISOString() });
    expect(later.counts).toEqual({ facts: 0, changed: 0, superseded: 0, digests: 0 });
  });

  it('has nothing of what has expired', async () => {
    const agent = (await kit.tenant()).agent();
    const since = kit.clock().toISOString();
    const { memory } = await agent.remember({ type: 'semantic', content: 'The archive is in the basement.' });
    const expires_at = new Date(kit.clock().getTime() + DAY_MS).toISOString();
    const content = 'The archive is in the attic for today.';
    await agent.remember({ type: 'semantic', content, supersedes: [memory.id], expires_at });
    expect((await agent.learnt({ since })).superseded).toMatchObject([{ by: { content } }]);
    kit.clock.advance(DAY_MS);
    const answer = await agent.learnt({ since });
    expect(answer.counts).toEqual({ facts: 1, changed: 0, superseded: 0, digests: 0 });
    expect(answer.superseded).toEqual([]);
  });

  it('lists so many of each kind and counts all', async () => {
    const agent = (await kit.tenant()).agent();
    const since = kit.clock().toISOString();
    await agent.rememberBatch({
      memories: ['Apples are red.', 'The moon orbits the earth.', 'Trains run on rails.'].map((content) => ({
        type: 'semantic' as const,
        content,
      })),
    });
    const { facts, counts } = await agent.learnt({ since, limit: 2 });
    expect([facts.length, counts.facts]).toEqual([2, 3]);
  });

  it('tells digests apart', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.rememberBatch({
      memories: Array.from({ length: 4 }, (_, n) => ({
        type: 'episodic' as const,
        content: `The night shift moved barge ${n} with timber to berth four.`,
        session_id: 'night',
        occurred_at: `2026-01-02T0${n}:00:00Z`,
      })),
    });
    const since = kit.clock().toISOString();
    await agent.reflect({ older_than_days: 1 });
    await kit.engine.background.run('jobs.work');
    const { digests, counts, facts } = await agent.learnt({ since });
    expect([digests.length, counts.digests, facts.length]).toEqual([1, 1, 0]);
    expect(digests[0]?.derived_from).toHaveLength(4);
  });

  it('tells the human nothing of what is withheld, nor of what once was', async () => {
    const { agent: as } = await kit.tenant();
    const [agent, human] = [as(), as(HUMAN)];
    const { session_key: sessionKey } = await agent.sessionKey();
    const { memory } = await agent.remember({
      type: 'semantic',
      content: 'A secret plan.',
      tags: ['secret'],
    });
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    await agent.update({ id: memory.id, content: 'An open plan.', tags: [] });
    await agent.remember({ type: 'semantic', content: 'One more secret.', tags: ['secret'] });
    expect((await human.learnt({ since })).counts).toMatchObject({ facts: 1, changed: 1 });
    await agent.setVisibility({ tags: { secret: 'hidden' } }, { sessionKey });
    const hidden = await human.learnt({ since });
    expect(hidden.counts).toEqual({ facts: 0, changed: 0, superseded: 0, digests: 0 });
    expect(hidden.stored.semantic).toBe(0);
    await agent.setVisibility({ tags: { secret: 'redacted' } }, { sessionKey });
    const redacted = await human.learnt({ since });
    expect([redacted.stored.semantic, redacted.counts.facts, redacted.facts]).toEqual([1, 0, []]);
    expect((await agent.learnt({ since })).counts).toMatchObject({ facts: 1, changed: 1 });
  });
});

describe('how the memories grew', () => {
  it('is told for each day, also for one without any', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'semantic', content: 'Told on the first day.' });
    kit.clock.advance(2 * DAY_MS);
    // When something happened is another matter than when it was stored.
    await agent.remember({ type: 'episodic', content: 'Long ago.', occurred_at: '2020-01-01' });
    await agent.remember({ type: 'episodic', content: 'Just now.' });
    const { days } = await agent.memoryGrowth({ days: 3 });
    expect(days.map(({ semantic, episodic }) => [semantic, episodic])).toEqual([
      [1, 0],
      [0, 0],
      [0, 2],
    ]);
    expect(days.at(-1)?.date).toBe(kit.clock().toISOString().slice(0, 10));
    expect((await agent.memoryGrowth({ days: 1 })).days).toHaveLength(1);
  });
});
