import { describe, expect, it } from 'vitest';
import { growthIn, type Sample } from './soak-samples.ts';

const FLAT: Sample = {
  minutes: 0,
  residentMiB: 300,
  handles: 40,
  folderMiB: 60,
  logMiB: 64,
  cpu: 3,
  load: 1,
  p50: 5,
  p95: 20,
  floor50: 4,
  floor95: 8,
  calls: 100,
  writes: 20,
};

/** A run in which figures grow by so much a sample. */
function run(growth: Partial<Sample> = {}): Sample[] {
  return Array.from({ length: 40 }, (_, minutes) => {
    const grown = Object.entries(growth).map(([name, by]) => [
      name,
      FLAT[name as keyof Sample] + by * minutes,
    ]);
    return { ...FLAT, minutes, ...Object.fromEntries(grown) };
  });
}

describe('a soak', () => {
  it('finds nothing in a run that is flat, or whose folder grows by what is written', () => {
    expect(growthIn(run())).toEqual([]);
    expect(growthIn(run({ folderMiB: 0.1 }))).toEqual([]);
  });

  it('finds no growth in the times of calls where the machine gets busier, and the floor takes longer, too', () => {
    expect(growthIn(run({ p50: 1, p95: 2, floor50: 1, floor95: 1 }))).toEqual([]);
  });

  it('finds growth that a machine hides by getting calmer', () => {
    expect(growthIn(run({ floor50: -0.09, floor95: -0.18, p50: 0.1 })).join()).toContain('p50 grew');
  });

  it.each([
    [{ residentMiB: 4 }, 'residentMiB grew from 360.0 to 440.0'],
    [{ handles: 1 }, 'handles grew from 55.0 to 75.0'],
    [{ load: 1, p50: 1 }, 'p50 grew from 20.0 to 40.0'],
    [{ p95: 2 }, 'p95 grew from 50.0 to 90.0'],
    [{ cpu: 0.3 }, 'cpu grew from 7.5 to 13.5'],
    [{ logMiB: 5 }, 'the log grew to 239 MiB'],
    [{ folderMiB: 0.5 }, 'the folder grew by 25.6 KiB a write'],
  ])('finds what grows: %j', (growth, found) => {
    expect(growthIn(run(growth)).join()).toContain(found);
  });
});
