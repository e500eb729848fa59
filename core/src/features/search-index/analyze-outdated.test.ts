import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../kernel/database/database.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

let kit: TestEngine;
beforeAll(async () => {
  kit = await startTestEngine();
});
afterAll(() => kit.close());

const analyze = () => kit.engine.background.run('recall.analyze-outdated');

it('what an earlier release indexed is analysed anew, bit by bit, as if it were stored now', async () => {
  const { tenantId, agent } = await kit.tenant();
  const long = `${'The boats came home and nobody had caught a fish. '.repeat(40)}The key hangs behind the shed.`;
  const contents = [...Array.from({ length: 120 }, (_, n) => `Kettle ${n} whistles.`), long];
  await agent().rememberBatch({ memories: contents.map((content) => ({ type: 'semantic', content })) });
  const read = (query: ReturnType<typeof sql>) =>
    kit.engine.database.transaction(tenantId, (tx) => rows<Record<string, unknown>>(tx, query));
  const indexed = async () => [
    await read(sql`SELECT id, length, sketch, analysis FROM memories ORDER BY id`),
    await read(
      sql`SELECT term, memory_id, frequency, length, passages FROM memory_terms ORDER BY term, memory_id`,
    ),
    await read(sql`SELECT documents, words FROM corpus_sizes`),
  ];
  const stored = await indexed();
  await read(sql`UPDATE memories SET analysis = 0, sketch = NULL, length = length + 5`);
  await read(sql`UPDATE memory_terms SET term = term || 'x', passages = NULL`);
  await read(sql`UPDATE corpus_sizes SET words = words + 5 * ${contents.length}`);
  const search = async () =>
    (await agent().recall({ query: 'where does the key hang?' })).results[0]?.content;
  expect(await search()).toBeUndefined();

  expect(await analyze()).toBe(contents.length);
  expect(await indexed()).toEqual(stored);
  await expect.poll(search, { timeout: 10_000 }).toBe(long);
  expect(await analyze()).toBe(0);
});
