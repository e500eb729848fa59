import { expect, test } from 'vitest';
import { startTestEngine } from '../../testing/index.ts';
import { mapInSlices, yieldToEventLoop } from './event-loop.ts';

/** Counts how often other work gets a turn until something is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let working = true;
  const count = () => {
    turns += 1;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    working = false;
  });
  return turns;
}

/** Holds the process, as work without a pause does. */
function hold(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('work in slices keeps its order and lets other work in between', async () => {
  const items = Array.from({ length: 30 }, (_, n) => n);
  const work = mapInSlices(items, (n) => {
    hold(10);
    return n * 2;
  });
  expect(await turnsDuring(work)).toBeGreaterThanOrEqual(10);
  expect(await work).toEqual(items.map((n) => n * 2));
});

test('work in slices ends when its signal fires', async () => {
  const controller = new AbortController();
  const seen: number[] = [];
  const work = mapInSlices(
    [1, 2, 3],
    (n) => {
      seen.push(n);
      if (n === 2) controller.abort(new Error('left'));
    },
    controller.signal,
  );
  await expect(work).rejects.toThrow('left');
  expect(seen).toEqual([1, 2]);
});

test('of those that wait each gets a turn', async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece += 1) {
      await yieldToEventLoop();
      hold(25);
      order.push(name);
    }
  };
  await Promise.all([work('a'), work('b')]);
  // Neither is done before the other has begun.
  expect(new Set(order.slice(0, 3)).size).toBe(2);
});

test('statement after statement of the database lets other work in between', async () => {
  const kit = await startTestEngine();
  try {
    const { tenantId } = await kit.tenant();
    const read = () =>
      kit.engine.database.read(tenantId, (tx) =>
        tx.execute('SELECT sum(n) FROM generate_series(1, 10000) n'),
      );
    const work = (async () => {
      for (let count = 0; count < 60; count += 1) await read();
    })();
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(5);
  } finally {
    await kit.close();
  }
});

test('the database tells how many transactions wait for it', async () => {
  const kit = await startTestEngine();
  try {
    if (kit.engine.database.kind !== 'pglite') return;
    const { tenantId } = await kit.tenant();
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { database } = kit.engine;
    const first = database.read(tenantId, () => held);
    const others = [1, 2].map(() => database.read(tenantId, async () => database.queued()));
    expect(database.queued()).toBeGreaterThanOrEqual(2);
    end();
    await first;
    expect(await Promise.all(others)).toEqual([1, 0]);
    expect(database.queued()).toBe(0);
  } finally {
    await kit.close();
  }
});
