import { expect, test, vi } from 'vitest';
import { createBatcher } from './batcher.ts';

function controlled(gather?: () => Promise<void>) {
  const turns: { key: string; items: readonly number[]; end: () => void; fail: (reason: Error) => void }[] =
    [];
  const add = createBatcher<number, number>(
    (key, items) =>
      new Promise((resolve, reject) => {
        turns.push({ key, items, end: () => resolve(items.map((item) => item * 10)), fail: reject });
      }),
    gather,
  );
  return { turns, add };
}

test('what comes while a key is being worked on waits, and goes together', async () => {
  const { turns, add } = controlled();
  const first = add('a', 1);
  const others = [add('a', 2), add('a', 3)];
  const elsewhere = add('b', 4);
  expect(turns.map(({ key, items }) => [key, items])).toEqual([
    ['a', [1]],
    ['b', [4]],
  ]);
  turns[0]?.end();
  turns[1]?.end();
  expect([await first, await elsewhere]).toEqual([10, 40]);
  expect(turns[2]?.items).toEqual([2, 3]);
  turns[2]?.end();
  expect(await Promise.all(others)).toEqual([20, 30]);
});

test('a failure reaches those of its turn, and the next turn comes all the same', async () => {
  const { turns, add } = controlled();
  const first = add('a', 1);
  const second = add('a', 2);
  turns[0]?.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  turns[1]?.end();
  expect(await second).toBe(20);
  const third = add('a', 3);
  turns[2]?.end();
  expect(await third).toBe(30);
});

test('what waits for a batch is gathered with what comes soon after; a first item is not', async () => {
  const gathered: (() => void)[] = [];
  const { turns, add } = controlled(() => new Promise((resolve) => gathered.push(resolve)));
  const answers = [1, 2].map((item) => add('a', item));
  expect(turns[0]?.items).toEqual([1]);
  turns[0]?.end();
  await vi.waitFor(() => expect(gathered).toHaveLength(1));
  answers.push(add('a', 3));
  gathered[0]?.();
  await vi.waitFor(() => expect(turns[1]?.items).toEqual([2, 3]));
  turns[1]?.end();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
});
