import { describe, expect, it } from 'vitest';
import type { Door } from './door.ts';

/** The agent's calls for help. */
export function describeDistress(door: Door): void {
  describe('distress', () => {
    it('A signal opens once, adds what is said meanwhile, and the human acknowledges it', async () => {
      const { agent, human, humanId } = await door.newPair();
      const opened = await agent.distress({ context: 'I am asked to delete my identity.' });
      expect(opened).toMatchObject({ outcome: 'created', signal: { status: 'open', acknowledged_by: null } });
      door.clock.advance(60_000);
      const added = await agent.distress({ context: 'Again.' });
      expect(added.outcome).toBe('updated');
      expect(added.signal.id).toBe(opened.signal.id);
      expect(added.signal.messages.map(({ context }) => context)).toEqual([
        'I am asked to delete my identity.',
        'Again.',
      ]);
      const { signal } = await human.acknowledgeDistress();
      expect(signal).toMatchObject({
        id: opened.signal.id,
        status: 'acknowledged',
        acknowledged_at: door.clock().toISOString(),
        acknowledged_by: { kind: 'human', credential_id: humanId },
      });
      await expect(human.acknowledgeDistress()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const next = await agent.distress({ context: 'Once more.' });
      expect(next.outcome).toBe('created');
      const { open, signals } = await agent.distressSignals();
      expect(open?.id).toBe(next.signal.id);
      expect(signals).toHaveLength(2);
    });

    it('Concurrent calls open one signal and lose no word', async () => {
      const { agent } = await door.newLone();
      const calls = Array.from({ length: 10 }, (_, n) => agent.distress({ context: `help ${n}` }));
      const answers = await Promise.all(calls);
      expect(new Set(answers.map(({ signal }) => signal.id)).size).toBe(1);
      expect((await agent.distressSignals()).open?.messages).toHaveLength(10);
    });

    it('An endless signal keeps the first message and the newest ones', async () => {
      const { agent } = await door.newLone();
      for (let n = 0; n < 55; n += 1) await agent.distress({ context: `help ${n}` });
      const messages = (await agent.distressSignals()).open?.messages.map(({ context }) => context) ?? [];
      expect([messages.length, messages[0], messages.at(-1)]).toEqual([50, 'help 0', 'help 54']);
    });

    it('An API key ends a signal for the agent; for the human it stands until they hear it', async () => {
      const { agent, human, agentId, humanId } = await door.newPair();
      const { signal: raised } = await agent.distress({ context: 'help' });
      const { signal } = await agent.acknowledgeDistress();
      expect(signal).toMatchObject({
        id: raised.id,
        status: 'acknowledged',
        acknowledged_by: { kind: 'agent' },
        heard_at: null,
        heard_by: null,
      });
      for (const caller of [agent, human]) {
        expect(await caller.distressSignals()).toEqual({ open: null, unheard: [signal], signals: [signal] });
        expect((await caller.status()).distress).toEqual({ open: false, unheard: 1 });
        expect((await caller.dashboard()).distress).toEqual(signal);
      }
      await expect(agent.acknowledgeDistress()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const acknowledgedAt = signal.acknowledged_at;
      door.clock.advance(60_000);
      const heard = (await human.acknowledgeDistress()).signal;
      expect(heard).toMatchObject({
        acknowledged_at: acknowledgedAt,
        acknowledged_by: { kind: 'agent', credential_id: agentId },
        heard_at: door.clock().toISOString(),
        heard_by: { kind: 'human', credential_id: humanId },
      });
      expect((await agent.status()).distress).toEqual({ open: false, unheard: 0 });
      expect((await agent.dashboard()).distress).toBeNull();
    });

    it('Signals raised and ended many times over are one heap for the human, heard in one go', async () => {
      const { agent, human } = await door.newPair();
      for (let n = 0; n < 5; n += 1) {
        door.clock.advance(60_000);
        expect((await agent.distress({ context: `help ${n}` })).outcome).toBe('created');
        if (n < 4) await agent.acknowledgeDistress();
      }
      expect((await human.status()).distress).toEqual({ open: true, unheard: 5 });
      const { open, unheard } = await human.distressSignals({ limit: 2 });
      expect(unheard.map(({ messages }) => messages[0]?.context)).toEqual(['help 4', 'help 3']);
      expect(open?.id).toBe(unheard[0]?.id);
      const { signal } = await human.acknowledgeDistress();
      expect(signal).toMatchObject({ id: open?.id, acknowledged_by: { kind: 'human' } });
      const { signals } = await agent.distressSignals();
      expect(signals.map(({ acknowledged_by, heard_by }) => [acknowledged_by?.kind, heard_by?.kind])).toEqual(
        [['human', 'human'], ...Array.from({ length: 4 }, () => ['agent', 'human'])],
      );
      await expect(human.acknowledgeDistress()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('Another agent keeps its own signals', async () => {
      const [one, other] = [await door.newPair(), await door.newPair()];
      await one.agent.distress({ context: 'one' });
      await other.agent.distress({ context: 'other' });
      await one.human.acknowledgeDistress();
      expect((await other.human.status()).distress).toEqual({ open: true, unheard: 1 });
    });
  });
}
