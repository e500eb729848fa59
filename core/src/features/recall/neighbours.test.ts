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

describe('brief turns of a chat', () => {
  const CHATTER = ['on my way', 'what time', 'no way', 'so cold here', 'been there', 'tomorrow maybe'];
  const chat = [
    ...CHATTER.map((said) => `Priya: ${said}`),
    'Priya: I sold the scooter yesterday, got 22k from a student who needed one',
    ...CHATTER.map((said) => `Priya: ${said}`),
    'Rohan: and what is the cat called now',
    'Priya: Moon',
    ...CHATTER.map((said) => `Priya: ${said}`),
  ].map(turn);

  it('come behind what tells something, where a question shares the name of the speaker with all', async () => {
    const { here, there } = await held(2);
    await there.rememberBatch({ memories: chat });
    const query = 'How much did Priya get for her two-wheeler?';
    const { results } = await there.recall({ query, threshold: 0 });
    expect(results[0]?.content).toContain('22k');
    await expectSame(here, there, {}, [query]);
  });

  it('are found by what they answer, and by their own words', async () => {
    const { there } = await held(2);
    await there.rememberBatch({ memories: chat });
    const found = async (query: string) =>
      (await there.recall({ query })).results.map(({ content }) => content);
    expect((await found("What is the name of Priya's cat?")).slice(0, 2)).toContain('Priya: Moon');
    expect((await found('Priya: so cold here'))[0]).toBe('Priya: so cold here');
  });
});
