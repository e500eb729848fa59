import { expect, it } from 'vitest';
import { useTestEngine } from '../testing/engine.fixture.ts';
import { recallForTurns } from './plain.ts';

const kit = useTestEngine();

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

it('marks by the words of boot what others said, whoever tagged it since', async () => {
  const { agent } = await kit.tenant();
  const memory = agent();
  const credentialId = '01a1fd19-0000-7000-8000-000000000001';
  const said = {
    agent: 'The depot was painted green.',
    human: 'Ropes lie in the depot.',
    import: 'A dog guards the depot at night.',
    sync: 'The depot has two cranes.',
    webhook: 'Trucks reach the depot from the north.',
    reflection: 'Nobody sleeps in the depot.',
  } as const;
  for (const [source, content] of Object.entries(said) as [keyof typeof said, string][]) {
    await agent({ source, credentialId }).remember({ type: 'working', content, occurred_at: '2026-02-01' });
  }
  const { memories } = await memory.query({ source: 'import' });
  await memory.update({ id: memories[0]?.id ?? '', tags: ['depot'] });
  const text = await recallForTurns([{ role: 'user', content: 'depot' }], { memory });
  const entries = (injection: string) => injection.split('\n').filter((line) => /^- .*depot/.test(line));
  expect(entries(text).sort()).toEqual([
    `- [2026-02-01, by reflection] ${said.reflection}`,
    `- [2026-02-01, by the human] ${said.human}`,
    `- [2026-02-01, from a transcript] ${said.webhook}`,
    `- [2026-02-01, imported] ${said.import}`,
    `- [2026-02-01, synced] ${said.sync}`,
    `- [2026-02-01] ${said.agent}`,
  ]);
  expect(entries((await memory.boot({ preview: true })).injection).sort()).toEqual(entries(text).sort());
});

it.each([
  ['agent', false],
  ['human', false],
  ['import', true],
] as const)('says once what its marks mean where something of %s is shown: %s', async (source, isSaid) => {
  const { agent } = await kit.tenant();
  const writer = agent({ source, credentialId: '01a1fd19-0000-7000-8000-000000000001' });
  await writer.remember({ type: 'semantic', content: 'The depot was painted green.' });
  const text = await recallForTurns([{ role: 'user', content: 'Which colour has the depot?' }], {
    memory: agent(),
  });
  expect(text).toContain('painted green');
  expect(text.split("may be others' words").length - 1).toBe(isSaid ? 1 : 0);
});

it('marks a turn of a conversation by its speaker alone', async () => {
  const { agent } = await kit.tenant();
  const writer = agent({ source: 'webhook', credentialId: '01a1fd19-0000-7000-8000-000000000001' });
  await writer.remember({ type: 'episodic', content: 'user: The depot was painted green.' });
  await writer.remember({ type: 'episodic', content: 'The depot has a red door.' });
  const text = await recallForTurns([{ role: 'user', content: 'depot' }], { memory: agent() });
  expect(text).toMatch(/^- \[[\d :-]+\] user: The depot was painted green\.$/m);
  expect(text).toMatch(/^- \[[\d :-]+, from a transcript\] The depot has a red door\.$/m);
});
