import { describe, expect, it } from 'vitest';
import { JITTER, nextAttempt, RETRY_DELAYS_MS } from './retry-delays.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const wait = (attempts: number, random: number, retryAfterMs?: number) => {
  const next = nextAttempt({ attempts, now, retryAfterMs, random: () => random });
  return next && next.getTime() - now.getTime();
};

describe('the retry schedule', () => {
  it('is the example of Standard Webhooks: ten attempts within about 75 hours 35 minutes', () => {
    const waits = RETRY_DELAYS_MS.map((_, index) => wait(index + 1, 0.5));
    expect(waits).toEqual(
      [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000),
    );
    expect(waits.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)).toBe((75 * 3_600 + 35 * 60 + 5) * 1_000);
    expect(wait(10, 0.5)).toBeUndefined();
  });

  it('is jittered by at most a tenth', () => {
    expect(wait(2, 0)).toBe(300_000 * (1 - JITTER));
    expect(wait(2, 1)).toBe(300_000 * (1 + JITTER));
  });

  it('waits as long as the target asks by Retry-After, but no longer than a day', () => {
    expect(wait(1, 0.5, 120_000)).toBe(120_000);
    expect(wait(3, 0.5, 1_000)).toBe(1_800_000);
    expect(wait(1, 0.5, 10 * 86_400_000)).toBe(86_400_000);
  });
});
