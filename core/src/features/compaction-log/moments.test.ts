import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { processorMs } from '../../testing/processor-time.ts';

const kit = useTestEngine();

const MINUTE = 60_000;
const newAgent = async () => (await kit.tenant()).agent();

describe('the list of flushes and deliveries', () => {
  test('names each with its framework, session and sizes, newest first', async () => {
    const agent = await newAgent();
    const booted = await agent.boot({ framework: 'claude-code', session_id: 's1' });
    kit.clock.advance(MINUTE);
    const transcript = [{ role: 'user', content: 'Deploy to staging.' }];
    await agent.compaction({ phase: 'pre', framework: 'codex', session_id: 's2', transcript });
    const { moments, missing_recoveries } = await agent.compactions();
    expect(moments).toMatchObject([
      { kind: 'compaction', framework: 'codex', session_id: 's2', stored_turns: 1, recovery: 'awaited' },
      {
        kind: 'boot',
        outcome: 'ok',
        framework: 'claude-code',
        session_id: 's1',
        characters: booted.injection.length,
        estimated_tokens: booted.estimated_tokens,
        recovery: null,
      },
    ]);
    expect(missing_recoveries).toBe(0);
  });

  test('marks a compaction that no recovery of its session followed', async () => {
    const agent = await newAgent();
    await agent.compaction({ phase: 'pre', session_id: 'lost' });
    await agent.compaction({ phase: 'pre', session_id: 'restored' });
    kit.clock.advance(MINUTE);
    await agent.compaction({ phase: 'post', session_id: 'restored' });
    kit.clock.advance(20 * MINUTE);
    // Comes too late to have followed the compaction.
    await agent.compaction({ phase: 'post', session_id: 'lost' });
    const { moments, missing_recoveries } = await agent.compactions({ kind: 'compaction' });
    expect(moments.map(({ session_id, recovery }) => [session_id, recovery])).toEqual(
      expect.arrayContaining([
        ['restored', 'delivered'],
        ['lost', 'missing'],
      ]),
    );
    expect(missing_recoveries).toBe(1);
    expect((await agent.compactions({ session_id: 'lost' })).moments).toHaveLength(2);
  });

  test('a flush at the end of a turn is no compaction', async () => {
    const agent = await newAgent();
    await agent.compaction({ phase: 'pre', flush: 'turn', session_id: 's1' });
    const { moments } = await agent.compactions();
    expect(moments).toMatchObject([{ kind: 'flush', recovery: null }]);
    expect((await agent.stability()).stability.compactions).toBe(0);
  });

  test('a repeated call is one moment, a preview and what a human asks for are none', async () => {
    const { tenantId, agent } = await kit.tenant();
    const options = { idempotencyKey: 'once' };
    await agent().compaction({ phase: 'pre', session_id: 's1' }, options);
    await agent().compaction({ phase: 'pre', session_id: 's1' }, options);
    await agent().boot({ preview: true });
    await kit.engine.agent(tenantId, { source: 'human', credentialId: null }).boot();
    expect((await agent().compactions()).moments).toHaveLength(1);
  });

  test('forgets after 90 days', async () => {
    const agent = await newAgent();
    await agent.boot();
    kit.clock.advance(91 * 24 * 60 * MINUTE);
    await agent.compaction();
    expect((await agent.compactions()).moments.map(({ kind }) => kind)).toEqual(['recovery']);
  });
});

describe('a report of what happened without the service', () => {
  const report = (id: string, more: object = {}) => ({
    id: `0197a8f2-0000-7000-8000-00000000000${id}`,
    at: kit.clock().toISOString(),
    kind: 'recovery' as const,
    outcome: 'stale' as const,
    session_id: 's1',
    ...more,
  });

  test('counts as the recovery of its compaction, once however often it is sent', async () => {
    const agent = await newAgent();
    await agent.compaction({ phase: 'pre', session_id: 's1' });
    kit.clock.advance(MINUTE);
    const moments = [report('1', { detail: 'the service did not answer', characters: 900 })];
    expect((await agent.reportMoments({ moments })).recorded).toBe(1);
    expect((await agent.reportMoments({ moments })).recorded).toBe(0);
    expect((await agent.compactions()).moments).toMatchObject([
      { kind: 'recovery', outcome: 'stale', characters: 900, detail: 'the service did not answer' },
      { kind: 'compaction', recovery: 'delivered' },
    ]);
  });

  test('a delivery of nothing is no recovery', async () => {
    const agent = await newAgent();
    await agent.compaction({ phase: 'pre', session_id: 's1' });
    await agent.reportMoments({ moments: [report('1', { outcome: 'nothing' })] });
    kit.clock.advance(20 * MINUTE);
    expect((await agent.compactions()).missing_recoveries).toBe(1);
  });

  test('of the future is kept as of now', async () => {
    const agent = await newAgent();
    await agent.reportMoments({ moments: [report('1', { at: '2090-01-01T00:00:00Z' })] });
    expect((await agent.compactions()).moments[0]?.at).toBe(kit.clock().toISOString());
  });
});

describe('a limit of the injection', () => {
  test('holds in characters for boot and recovery, who the agent is comes first', async () => {
    const agent = await newAgent();
    await agent.remember({ type: 'core', category: 'soul', content: 'I keep my promises.' });
    const line = 'The quarterly report of the northern region mentions the lighthouse again. ';
    const memories = Array.from({ length: 60 }, (_, index) => ({
      type: 'semantic' as const,
      content: `${index}: ${line.repeat(5)}`,
    }));
    await agent.rememberBatch({ memories });
    const free = await agent.boot();
    expect(free.injection.length).toBeGreaterThan(10_000);
    for (const max_characters of [9_800, 3_000]) {
      const { injection } = await agent.boot({ max_characters });
      expect(injection.length).toBeLessThanOrEqual(max_characters);
      expect(injection.length).toBeGreaterThan(max_characters * 0.7);
      expect(injection).toContain('I keep my promises.');
      expect((await agent.compaction({ max_characters })).injection.length).toBeLessThanOrEqual(
        max_characters,
      );
    }
  });

  test('holds in bytes, of which letters of other scripts take several', async () => {
    const agent = await newAgent();
    const memories = Array.from({ length: 60 }, (_, index) => ({
      type: 'semantic' as const,
      content: `${index}: ${'北方地区的季度报告再次提到灯塔。'.repeat(5)}`,
    }));
    await agent.rememberBatch({ memories });
    for (const { injection } of [
      await agent.boot({ max_bytes: 9_900 }),
      await agent.compaction({ max_bytes: 9_900, max_characters: 9_900 }),
    ]) {
      const bytes = Buffer.byteLength(injection);
      expect(bytes).toBeLessThanOrEqual(9_900);
      expect(bytes).toBeGreaterThan(9_900 * 0.7);
    }
  });
});

test('thousands of compactions are each looked for their own recovery, not among all moments', async () => {
  const agent = await newAgent();
  const now = kit.clock().getTime();
  for (let call = 0; call < 200; call += 1) {
    const moments = Array.from({ length: 100 }, (_, n) => ({
      id: randomUUID(),
      at: new Date(now - (100 * call + n + 20) * MINUTE).toISOString(),
      ...(n % 2 === 0
        ? { kind: 'compaction' as const }
        : { kind: 'recovery' as const, session_id: 'another' }),
      outcome: 'ok' as const,
    }));
    await agent.reportMoments({ moments });
  }
  const before = processorMs();
  expect((await agent.compactions({ limit: 100 })).missing_recoveries).toBe(10_000);
  // Joined with each other, they take over four seconds.
  expect(processorMs() - before).toBeLessThan(2_000);
});

describe('set-up steps', () => {
  test('exist for every framework and hold nothing of the tenant', async () => {
    const agent = await newAgent();
    await agent.remember({ type: 'core', category: 'soul', content: 'I keep my promises.' });
    const { frameworks } = await agent.setupScript();
    for (const framework of frameworks) {
      const { script } = await agent.setupScript({ framework });
      expect(script).toMatch(/^# Connect /);
      expect(script).not.toMatch(/promises|svc_\w{30}/);
    }
    expect((await agent.setupScript({ framework: 'codex' })).script).toContain(
      'svc-memory hooks install codex',
    );
  });

  test('name the service that is asked, and nothing that is not there', async () => {
    const agent = await newAgent();
    const { frameworks } = await agent.setupScript();
    for (const framework of frameworks) {
      const { script } = await agent.setupScript(
        { framework },
        { serviceUrl: 'https://memory.example:8443' },
      );
      expect(script).toContain('https://memory.example:8443');
      expect(script).not.toContain('127.0.0.1');
      expect(script).toMatch(/SVC_API_KEY|your API key/);
      // No registry has the packages.
      expect(script).not.toMatch(/npx -y|npm (i|install) [^\n]*@svc-memory/);
      for (const [, args = ''] of script.matchAll(/`(?:npx )?(svc [^`]*)`/g))
        expect(args).toMatch(/^svc( hooks|$)/);
    }
  });
});
