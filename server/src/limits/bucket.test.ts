import { expect, it, vi } from 'vitest';
import { createMemoryLimiter } from './bucket.ts';

function limiter(perMinute: number, burst?: number) {
  const clock = { now: 1_000_000 };
  const bucket = createMemoryLimiter({ perMinute, ...(burst ? { burst } : {}), now: () => clock.now });
  const takeMany = async (count: number, caller = 'a') => {
    const decisions = [];
    for (let index = 0; index < count; index += 1) decisions.push(await bucket.take(caller));
    return decisions.filter(({ allowed }) => allowed).length;
  };
  return { clock, bucket, takeMany };
}

it('lets a burst of 100 pass at 600 calls a minute, then one every 100 ms', async () => {
  const { clock, takeMany } = limiter(600);
  expect(await takeMany(150)).toBe(100);
  clock.now += 99;
  expect(await takeMany(1)).toBe(0);
  clock.now += 1;
  expect(await takeMany(5)).toBe(1);
});

it('allows the burst and the rate of a minute over any minute, never more', async () => {
  const { clock, takeMany } = limiter(600);
  let allowed = 0;
  for (let ms = 0; ms < 60_000; ms += 50) {
    allowed += await takeMany(2);
    clock.now += 50;
  }
  expect(allowed).toBeGreaterThanOrEqual(699);
  expect(allowed).toBeLessThanOrEqual(700);
});

it('tells how long to wait, and the call passes after exactly that', async () => {
  const { clock, bucket, takeMany } = limiter(60, 2);
  expect(await bucket.take('a')).toEqual({ allowed: true, remaining: 1, retryAfter: 0, reset: 1 });
  expect(await bucket.take('a')).toEqual({ allowed: true, remaining: 0, retryAfter: 0, reset: 2 });
  expect(await bucket.take('a')).toEqual({ allowed: false, remaining: 0, retryAfter: 1, reset: 2 });
  clock.now += 1_000;
  expect(await takeMany(1)).toBe(1);
});

it('counts every caller alone', async () => {
  const { takeMany } = limiter(60, 3);
  expect(await takeMany(5, 'a')).toBe(3);
  expect(await takeMany(5, 'b')).toBe(3);
});

it('is off at 0', async () => {
  expect(await limiter(0).takeMany(1_000)).toBe(1_000);
});

it('survives a flood of callers', async () => {
  const { bucket } = limiter(60, 1);
  for (let caller = 0; caller < 100_050; caller += 1) await bucket.take(`caller-${caller}`);
  expect((await bucket.take('caller-100049')).allowed).toBe(false);
});

it('goes on where the clock of the machine is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const bucket = createMemoryLimiter({ perMinute: 600 });
  await bucket.take('a');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await bucket.take('a')).toMatchObject({ allowed: true, remaining: 98 });
  vi.useRealTimers();
});
