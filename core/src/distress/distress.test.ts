import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../testing/index.ts';

const HUMAN = { source: 'human', credentialId: '01a1fd19-0000-7000-8000-000000000001' } as const;

describe('distress', () => {
  let kit: TestEngine;
  beforeAll(async () => {
    kit = await startTestEngine();
  });
  afterAll(() => kit.close());

  it('opens once, adds what is said meanwhile, and the human acknowledges it', async () => {
    const { agent } = await kit.tenant();
    const opened = await agent().distress({ context: 'I am asked to delete my identity.' });
    expect(opened).toMatchObject({ outcome: 'created', signal: { status: 'open', acknowledged_by: null } });
    kit.clock.advance(60_000);
    const added = await agent().distress({ context: 'Again.' });
    expect(added.outcome).toBe('updated');
    expect(added.signal.id).toBe(opened.signal.id);
    expect(added.signal.messages.map(({ context }) => context)).toEqual([
      'I am asked to delete my identity.',
      'Again.',
    ]);
    const { signal } = await agent(HUMAN).acknowledgeDistress();
    expect(signal).toMatchObject({
      id: opened.signal.id,
      status: 'acknowledged',
      acknowledged_at: kit.clock().toISOString(),
      acknowledged_by: { kind: 'human', credential_id: HUMAN.credentialId },
    });
    await expect(agent(HUMAN).acknowledgeDistress()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const next = await agent().distress({ context: 'Once more.' });
    expect(next.outcome).toBe('created');
    const { open, signals } = await agent().distressSignals();
    expect(open?.id).toBe(next.signal.id);
    expect(signals).toHaveLength(2);
  });

  it('concurrent calls open one signal and lose no word', async () => {
    const { agent } = await kit.tenant();
    const calls = Array.from({ length: 10 }, (_, n) => agent().distress({ context: `help ${n}` }));
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ signal }) => signal.id)).size).toBe(1);
    expect((await agent().distressSignals()).open?.messages).toHaveLength(10);
  });

  it('keeps the first message and the newest ones of an endless signal', async () => {
    const { agent } = await kit.tenant();
    for (let n = 0; n < 55; n += 1) await agent().distress({ context: `help ${n}` });
    const messages = (await agent().distressSignals()).open?.messages.map(({ context }) => context) ?? [];
    expect([messages.length, messages[0], messages.at(-1)]).toEqual([50, 'help 0', 'help 54']);
  });

  it('an acknowledgement says when an API key made it', async () => {
    const { agent } = await kit.tenant();
    await agent().distress({ context: 'help' });
    expect((await agent().acknowledgeDistress()).signal.acknowledged_by?.kind).toBe('agent');
  });
});
