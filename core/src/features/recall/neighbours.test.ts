import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestEngine } from '../../testing/index.ts';
import { expectSame, startHolding } from './in-memory-index/index-cache.fixture.ts';

let kit: TestEngine;
let held: Awaited<ReturnType<typeof startHolding>>['held'];
beforeAll(async () => {
  ({ kit, held } = await startHolding());
});
afterAll(() => kit.close());

const LONG_REPLY = `assistant: ${'Many people enjoy long walks, warm evenings and quiet places. '.repeat(20)}`;
const turn = (content: string, minute: number) => ({
  type: 'episodic' as const,
  session_id: 'chat',
  content,
  occurred_at: new Date(Date.UTC(2026, 1, 1, 9, minute)).toISOString(),
});
const QUESTION = 'What is the name of the hedgehog?';

describe('the neighbours of a memory', () => {
  it('are what the user said before and after the long replies of an agent', async () => {
    const { here, there } = await held(2);
    await there.rememberBatch({
      memories: [
        turn('user: Guess what the name of our hedgehog is!', 1),
        turn(LONG_REPLY, 2),
        turn('user: It took us a week.', 3),
        turn(`${LONG_REPLY} Did it?`, 4),
        turn('user: Biscuit, because he is brown.', 5),
      ],
    });
    const { results } = await there.recall({ query: QUESTION, threshold: 0 });
    expect(results.slice(0, 3).map(({ content }) => content)).toContain(
      'user: Biscuit, because he is brown.',
    );
    await expectSame(here, there, {}, [QUESTION]);
  });
});
