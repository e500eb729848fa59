import { validate, version } from 'uuid';
import { afterEach, expect, it, vi } from 'vitest';
import { uuidV7 } from './runtime.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('makes ids of version 7 that are unique and in the order of their making', () => {
  const ids = Array.from({ length: 20_000 }, uuidV7);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

it('keeps that order when the clock steps back, and tells the time by them', () => {
  const at = Date.UTC(2100, 0, 1);
  vi.useFakeTimers({ now: at, toFake: ['Date'] });
  const before = uuidV7();
  vi.setSystemTime(at - 3_600_000);
  const after = Array.from({ length: 1_000 }, uuidV7);
  expect(Number.parseInt(before.replace('-', '').slice(0, 12), 16)).toBe(at);
  expect([before, ...after].sort()).toEqual([before, ...after]);
});
