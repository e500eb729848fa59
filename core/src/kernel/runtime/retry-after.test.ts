import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1e9', undefined],
  ])('%j means %s ms', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});
