import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

let kit: TestEngine;
beforeAll(async () => {
  kit = await startTestEngine();
});
afterAll(() => kit.close());

it.each([
  [
    'The quarterly report of the sales team is written by Ada.',
    'Ben writes the report now.',
    'Who writes the quarterly report of the sales team?',
  ],
  [
    'The staging database of the billing service runs on host db-7 in Frankfurt.',
    'Moved the billing staging database to db-9.',
    'On which host does the staging database of the billing service run?',
  ],
])(
  'a recall shows no older fact without the newer one, however little that shares with the question: %s',
  async (older, newer, query) => {
    const { agent } = await kit.tenant();
    const others = [
      'The cat sleeps on the sofa.',
      'Tea is kept in the blue tin.',
      'Lunch is at noon.',
      'Friday is for reviews.',
    ];
    for (const content of others) await agent().remember({ type: 'semantic', content });
    await agent().remember({ type: 'semantic', content: older, occurred_at: '2025-01-10' });
    const { memory } = await agent().remember({
      type: 'semantic',
      content: newer,
      occurred_at: '2026-01-10',
    });
    const { results } = await agent().recall({ query });
    expect(results.map(({ content }) => content)).toEqual([newer, older]);
    expect(results[1]?.conflicts_with).toEqual([memory.id]);
  },
);
