import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useTestEngine } from '../testing/engine.fixture.ts';
import { MemorySession } from './session.ts';
import { memoryOfUser } from './user.ts';

const kit = useTestEngine({ clock: () => new Date() });

// The adapter says how long turns waited by the clock of its machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

it('turns that waited while their user was forgotten are not kept, and those behind them are', async () => {
  const agent = (await kit.tenant()).agent();
  await agent.remember({ type: 'semantic', content: 'Likes tea.', user_id: 'u1' });
  let isAway = true;
  const compaction: typeof agent.compaction = async (...given) => {
    if (isAway) throw new Error('away');
    return agent.compaction(...given);
  };
  const memory = memoryOfUser({ ...agent, compaction }, 'u1');
  const session = new MemorySession('test');
  const options = { memory, sessionId: 's', cooldownMs: 0, onWarning: () => {} };
  const said: { role: string; content: string }[] = [];
  const keep = () => session.keep(said, { options, during: 'turn', afterCompaction: false });
  const say = (content: string) => {
    said.push({ role: 'user', content });
    vi.setSystemTime(Date.now() + 60_000);
    return keep();
  };
  expect(await say('I collect kolibris.')).toBe(false);
  vi.setSystemTime(Date.now() + 60_000);
  await agent.forgetUser({ user_id: 'u1' });
  await say('I collect stamps.');
  await say('And coins.');
  isAway = false;
  // No time passes here: while a call is on its way, a minute more would say that its turns waited for less.
  await vi.waitFor(async () => expect(await keep()).toBe(true));
  const { memories } = await agent.query({ user_id: 'u1', type: 'episodic' });
  const contents = memories.map(({ content }) => content);
  expect(contents).toContain('user: I collect stamps.');
  expect(contents).not.toContain('user: I collect kolibris.');
});
