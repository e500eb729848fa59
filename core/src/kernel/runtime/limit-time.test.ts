import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { limitTime } from './waiting.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('keeps nothing of an attempt that has ended, however long the process lives', async () => {
  const stopping = new AbortController();
  const attempts = async () => {
    for (let n = 0; n < 50_000; n += 1) limitTime(stopping.signal, 15_000).end();
    // A turn of the event loop, in which what is weakly held may go.
    await setTimeout(1);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  await attempts();
  const before = await attempts();
  expect((await attempts()) - before).toBeLessThan(1_000_000);
});

it('ends with the process, and after its time', async () => {
  const stopping = new AbortController();
  const [first, second] = [limitTime(stopping.signal, 15_000), limitTime(new AbortController().signal, 1)];
  stopping.abort();
  expect(first.signal.aborted).toBe(true);
  expect(limitTime(stopping.signal, 15_000).signal.aborted).toBe(true);
  await new Promise((resolve) => second.signal.addEventListener('abort', resolve));
  first.end();
});
