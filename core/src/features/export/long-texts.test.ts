import { expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

const MEBIBYTE = 1_048_576;

it('no piece of an export is much longer than a mebibyte, however long the memories are', async () => {
  const { tenantId, agent } = await kit.tenant();
  const memory = agent();
  const longText = (start: string) => start + '€'.repeat(30_000);
  const { memories } = await memory.rememberBatch({
    memories: Array.from({ length: 16 }, (_, n) => ({
      type: 'working' as const,
      content: longText(`first ${n} `),
    })),
  });
  for (const [n, { id }] of memories.entries())
    await memory.update({ id, content: longText(`second ${n} `) });
  const pieces: string[] = [];
  for await (const piece of kit.engine.streams(tenantId).export()) pieces.push(piece);
  expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThan(1.1 * MEBIBYTE);
  const { memories: now, history } = JSON.parse(pieces.join(''));
  const numbers = (records: { content: string }[], word: string) =>
    records
      .flatMap(({ content }) => content.match(`^${word} (\\d+) `)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  const all = Array.from({ length: 16 }, (_, n) => n);
  expect(numbers(now.working, 'second')).toEqual(all);
  expect(numbers(history, 'first')).toEqual(all);
  expect([now.working.length, history.length]).toEqual([16, 16]);
});
