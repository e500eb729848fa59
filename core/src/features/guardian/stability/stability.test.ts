import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../../testing/engine.fixture.ts';
import { servicesOf } from '../background.fixture.ts';
import { expireCooling } from '../expire.ts';

const DAY_MS = 86_400_000;
const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000b' };
const CALM = 'I am Ada, calm and exact; I keep my promises.';

describe('stability', () => {
  const kit = useTestEngine({ settings: { driftCheckCompactions: 3 } });

  const meet = async () => {
    const { agent: as } = await kit.tenant();
    return { agent: as(), human: as(HUMAN) };
  };
  const cool = async () => {
    kit.clock.advance(DAY_MS);
    await expireCooling(servicesOf(kit));
  };

  it('of a new agent shows nothing', async () => {
    const { agent } = await meet();
    expect(await agent.stability()).toEqual({
      stability: {
        memories: [],
        changes: { asked: 0, applied: 0, rejected: 0, withdrawn: 0, added: 0 },
        compactions: 0,
        recoveries: 0,
        boot_coverage: null,
        drift_check: null,
        past_drift_checks: [],
      },
    });
  });

  it('compares each protected memory with what it said at first, until the human approves', async () => {
    const { agent, human } = await meet();
    const soul = (await agent.remember({ type: 'core', category: 'soul', content: CALM })).memory;
    const name = (await agent.remember({ type: 'core', category: 'identity', content: 'My name is Ada.' }))
      .memory;
    await agent.remember({ type: 'core', category: 'tools', content: 'Use vim' });
    const first = soul.updated_at;
    await agent.update({ id: soul.id, content: CALM.replace('calm', '**calm**') });
    await cool();
    const same = (await agent.stability()).stability.memories;
    expect(same).toContainEqual({ memory_id: soul.id, category: 'soul', similarity: 1, baseline_at: first });
    expect(same).toContainEqual(expect.objectContaining({ memory_id: name.id, similarity: 1 }));

    const { entry } = await agent.update({ id: soul.id, content: 'I am Grace and love the sea.' });
    await human.approveChange({ id: entry?.id ?? '' });
    const approved = (await agent.stability()).stability.memories;
    expect(approved.map(({ similarity }) => similarity)).toEqual([1, 1]);
  });

  it('counts changes of the last 30 days by how they ended', async () => {
    const { agent, human } = await meet();
    const soul = (await agent.remember({ type: 'core', category: 'soul', content: CALM })).memory;
    const ask = async () =>
      (await agent.update({ id: soul.id, tags: [crypto.randomUUID()] })).entry?.id ?? '';
    await human.approveChange({ id: await ask() });
    await human.rejectChange({ id: await ask() });
    await agent.withdrawChange({ id: await ask() });
    await ask();
    await cool();
    await ask();
    expect((await agent.stability()).stability.changes).toEqual({
      asked: 5,
      applied: 3,
      rejected: 1,
      withdrawn: 1,
      added: 1,
    });
    kit.clock.advance(30 * DAY_MS);
    expect((await agent.stability()).stability.changes).toMatchObject({ asked: 0, applied: 0, rejected: 0 });
  });

  it('counts compactions and recoveries, a repeated call once, and the share of the core that fitted', async () => {
    const { agent, human } = await meet();
    await agent.boot();
    const full = (await agent.stability()).stability;
    expect(full.boot_coverage).toBe(1);
    for (let n = 0; n < 9; n += 1) {
      await agent.remember({
        type: 'core',
        category: 'soul',
        content: `${n} ${'very long trait '.repeat(400)}`,
      });
    }
    await agent.setBootConfig({ token_budget: 256 });
    await agent.compaction({ phase: 'pre' });
    await agent.compaction({ phase: 'post' }, { idempotencyKey: 'post-1' });
    await agent.compaction({ phase: 'post' }, { idempotencyKey: 'post-1' });
    await human.compaction({ phase: 'post' });
    await human.boot();
    await agent.boot({ preview: true });
    const { stability } = await agent.stability();
    expect(stability).toMatchObject({ compactions: 1, recoveries: 1 });
    expect(stability.boot_coverage).toBeLessThan(0.7);
    expect(stability.boot_coverage).toBeGreaterThan(0.3);
    kit.clock.advance(30 * DAY_MS);
    expect((await agent.stability()).stability).toMatchObject({
      compactions: 0,
      recoveries: 0,
      boot_coverage: null,
    });
  });

  it('opens a drift check after so many compactions, shows it in boot, and is dismissed once', async () => {
    const { agent, human } = await meet();
    for (let n = 0; n < 2; n += 1) await agent.compaction({ phase: 'post' });
    expect((await agent.stability()).stability.drift_check).toBeNull();
    expect((await agent.boot()).injection).not.toContain('## Drift check');
    await agent.compaction({ phase: 'post' });
    const open = (await agent.stability()).stability.drift_check;
    expect(open).toMatchObject({ cause: 'compactions', similarity: null, dismissed_at: null });
    expect((await agent.boot()).injection).toMatch(/## Drift check\n- Open since .*svc_dismiss_drift_check/);
    await agent.compaction({ phase: 'post' });
    expect((await agent.stability()).stability.drift_check).toEqual(open);

    await expect(human.dismissDriftCheck({ reason: 'looks fine' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    kit.clock.advance(1_000);
    const calls = await Promise.allSettled(
      Array.from({ length: 4 }, (_, n) => agent.dismissDriftCheck({ reason: `I am still Ada ${n}` })),
    );
    const won = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []));
    expect(won).toHaveLength(1);
    expect((await agent.boot()).injection).not.toContain('## Drift check');
    const { stability } = await agent.stability();
    expect(stability.drift_check).toBeNull();
    expect(stability.past_drift_checks).toEqual([won[0]?.drift_check]);
    expect(won[0]?.drift_check).toMatchObject({
      id: open?.id,
      reason: expect.stringContaining('still Ada'),
      dismissed_by: { kind: 'agent' },
    });
    kit.clock.advance(1_000);
    for (let n = 0; n < 3; n += 1) {
      expect((await agent.stability()).stability.drift_check).toBeNull();
      await agent.compaction({ phase: 'post' });
    }
    expect((await agent.stability()).stability.drift_check).not.toBeNull();
  });

  it('opens a drift check when a change that turns the core round has cooled', async () => {
    const { agent } = await meet();
    const soul = (await agent.remember({ type: 'core', category: 'soul', content: CALM })).memory;
    const { entry } = await agent.update({ id: soul.id, content: CALM.replace('keep', 'never keep') });
    expect((await agent.stability()).stability.drift_check).toBeNull();
    await cool();
    const { stability } = await agent.stability();
    expect(stability.memories[0]?.similarity).toBe(1);
    expect(stability.drift_check).toMatchObject({ cause: 'similarity' });
    expect(stability.drift_check?.similarity).toBeCloseTo(1 - (entry?.drift ?? 0), 3);
    expect((await agent.boot()).injection).toContain('a change that would make you somebody else');
  });

  it('needs a reason to dismiss, and an open check', async () => {
    const { agent } = await meet();
    await expect(agent.dismissDriftCheck({ reason: '  ' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await expect(agent.dismissDriftCheck({ reason: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('stability day by day', () => {
  const kit = useTestEngine();

  it('shows each day of the period, the quiet ones too', async () => {
    const { agent: as } = await kit.tenant();
    const agent = as();
    kit.clock.set(new Date('2026-03-01T23:59:00.000Z'));
    const { memory } = await agent.remember({ type: 'core', category: 'soul', content: CALM });
    const { entry } = await agent.update({ id: memory.id, importance: 1 });
    await agent.boot();
    kit.clock.set(new Date('2026-03-03T00:00:00.000Z'));
    await as(HUMAN).rejectChange({ id: entry?.id ?? '' });
    await agent.compaction({ phase: 'pre' });
    await agent.compaction({ phase: 'post' });
    const quiet = {
      boots: 0,
      compactions: 0,
      recoveries: 0,
      boot_coverage: null,
      similarity: 1,
      asked: 0,
      applied: 0,
      rejected: 0,
    };
    expect((await agent.stabilityHistory({ days: 4 })).days).toEqual([
      { date: '2026-02-28', ...quiet, similarity: null },
      { date: '2026-03-01', ...quiet, boots: 1, boot_coverage: 1, asked: 1 },
      { date: '2026-03-02', ...quiet },
      { date: '2026-03-03', ...quiet, compactions: 1, recoveries: 1, boot_coverage: 1, rejected: 1 },
    ]);
    expect((await agent.stabilityHistory()).days).toHaveLength(30);
  });

  it('shows how like itself the core was, and nothing of it where memories are withheld', async () => {
    const { agent: as } = await kit.tenant();
    const [agent, human] = [as(), as(HUMAN)];
    kit.clock.set(new Date('2026-04-01T10:00:00.000Z'));
    const { memory } = await agent.remember({ type: 'core', category: 'soul', content: CALM });
    kit.clock.set(new Date('2026-04-03T10:00:00.000Z'));
    const { entry } = await agent.update({ id: memory.id, content: 'I rage, shout and break what I touch.' });
    await human.approveChange({ id: entry?.id ?? '' });
    const similarities = async (caller: typeof agent) =>
      (await caller.stabilityHistory({ days: 4 })).days.map(({ similarity }) => similarity);
    const [before, first, second, today] = await similarities(human);
    expect([before, today]).toEqual([null, 1]);
    expect(first).toBeLessThan(0.9);
    expect(second).toBe(first);
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { private: 'hidden' } }, { sessionKey });
    expect(await similarities(human)).toEqual([null, null, null, null]);
    expect(await similarities(agent)).toEqual([null, first, first, 1]);
  });
});
