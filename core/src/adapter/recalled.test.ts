import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../testing/index.ts';
import { recallForTurns } from './plain.ts';

let kit: TestEngine;
beforeAll(async () => {
  kit = await startTestEngine();
});
afterAll(() => kit.close());

it('tells the model which of two recalled memories may be out of date', async () => {
  const memory = (await kit.tenant()).agent();
  const say = (content: string, occurred_at: string) =>
    memory.remember({ type: 'semantic', content, occurred_at });
  await say('The wiki service uses Oracle.', '2025-01-01');
  await say('The wiki was migrated to MariaDB.', '2025-05-03');
  const text = await recallForTurns([{ role: 'user', content: 'Which database does the wiki use?' }], {
    memory,
  });
  expect(text.split('\n').slice(2)).toEqual([
    '- [2025-05-03] The wiki was migrated to MariaDB.',
    '- [2025-01-01] The wiki service uses Oracle.',
    '  > (may be out of date: a newer memory from 2025-05-03 says otherwise)',
  ]);
});
