import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../../kernel/database/database.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

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
      sql`SELECT term, memory_id, frequency, length, passages, fact_type FROM memory_terms ORDER BY term, memory_id`,
    ),
    await read(sql`SELECT documents, words FROM corpus_sizes`),
  ];
  const stored = await indexed();
  await read(sql`UPDATE memories SET analysis = 0, sketch = NULL, length = length + 5`);
  await read(sql`UPDATE memory_terms SET term = term || 'x', passages = NULL, fact_type = NULL`);
  await read(sql`UPDATE corpus_sizes SET words = words + 5 * ${contents.length}`);
  const search = async () =>
    (await agent().recall({ query: 'where does the key hang?' })).results[0]?.content;
  expect(await search()).toBeUndefined();

  expect(await analyze()).toBe(contents.length);
  expect(await indexed()).toEqual(stored);
  await expect.poll(search, { timeout: 10_000 }).toBe(long);
  expect(await analyze()).toBe(0);
});

it('goes on in steps between which other calls come, however long the memories are', async () => {
  const { tenantId, agent } = await kit.tenant();
  const words = Array.from({ length: 4_000 }, (_, n) => `w${n.toString(36)}`).join(' ');
  const memories = [1, 2, 3, 4].map((n) => ({ type: 'semantic' as const, content: `${words} ${n}` }));
  await agent().rememberBatch({ memories });
  const { database } = kit.engine;
  await database.transaction(tenantId, (tx) => tx.execute(sql`UPDATE memories SET analysis = 0`));
  const outdated = () =>
    database.read(tenantId, (tx) => rows(tx, sql`SELECT FROM memories WHERE analysis = 0`));
  let [isDone, seen] = [false, new Set<number>()];
  const done = analyze().finally(() => {
    isDone = true;
  });
  while (!isDone) seen = seen.add((await outdated()).length);
  await done;
  expect([...seen].filter((left) => left > 0 && left < memories.length)).not.toEqual([]);
  expect(await outdated()).toEqual([]);
});

it('a fact that an earlier release indexed is replaced before it is analysed anew, once, and nothing else is', async () => {
  const { tenantId, agent } = await kit.tenant();
  const remember = (type: 'semantic' | 'episodic', content: string) => agent().remember({ type, content });
  const { memory } = await remember('semantic', 'The billing service listens on port 8080.');
  await remember('episodic', 'Saw the billing service listen on port 8080.');
  await remember('semantic', 'The billing service listens on a port. '.repeat(40));
  await kit.engine.database.transaction(tenantId, async (tx) => {
    await tx.execute(sql`UPDATE memories SET analysis = 1`);
    await tx.execute(sql`UPDATE memory_terms SET fact_type = NULL`);
  });
  kit.clock.advance(60_000);
  const newer = await remember('semantic', 'The billing service listens on port 9090.');
  expect(newer.superseded?.map(({ id }) => id)).toEqual([memory.id]);
});
