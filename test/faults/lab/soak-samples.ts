import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Calls } from './mixed-calls.ts';

/** How a service was at one moment of a soak. */
export interface Sample {
  readonly minutes: number;
  readonly residentMiB: number;
  /** Files, sockets and the like that the process has open. */
  readonly handles: number;
  readonly folderMiB: number;
  /** Of the calls since the sample before. */
  readonly p50: number;
  readonly p95: number;
  readonly calls: number;
  readonly writes: number;
}

/** Takes a sample of a process and its folder. Linux only. */
export async function takeSample(
  minutes: number,
  { pid, folder }: { readonly pid: number; readonly folder: string },
  { took, writes }: Calls,
): Promise<Sample> {
  const sorted = [...took].sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    minutes,
    residentMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
    folderMiB: (await bytesIn(folder)) / 1024 ** 2,
    p50: rank(0.5),
    p95: rank(0.95),
    calls: took.length,
    writes,
  };
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map((entry) =>
      // A file may be gone by now.
      stat(join(entry.parentPath, entry.name)).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A quarter of a run in one sample: middle values, and sums of what is counted. */
interface Quarter extends Omit<Sample, 'minutes'> {}

const MIDDLES = ['residentMiB', 'handles', 'folderMiB', 'p50', 'p95'] as const;

function quarterOf(samples: readonly Sample[], number: 1 | 2 | 3 | 4): Quarter {
  const part = samples.slice(
    Math.floor((samples.length * (number - 1)) / 4),
    Math.floor((samples.length * number) / 4),
  );
  const middle = (name: keyof Sample) => {
    const sorted = part.map((sample) => sample[name]).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  };
  const sum = (name: 'calls' | 'writes') => part.reduce((all, sample) => all + sample[name], 0);
  const [residentMiB, handles, folderMiB, p50, p95] = MIDDLES.map(middle) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { residentMiB, handles, folderMiB, p50, p95, calls: sum('calls'), writes: sum('writes') };
}

// What a quarter of a run may differ from another by chance, as factor and as addend.
const RESIDENT = [1.1, 16] as const;
const HANDLES = [1, 8] as const;
const LATENCY = [1.5, 5] as const;
// A write leaves a version, an event and index entries; the log is recycled.
const KIB_PER_WRITE = 8;

/** What grew from the second quarter of a run, when all was warm, to the last. */
export function growthIn(samples: readonly Sample[]): string[] {
  const [warm, third, last] = [quarterOf(samples, 2), quarterOf(samples, 3), quarterOf(samples, 4)];
  const grown = (
    name: 'residentMiB' | 'handles' | 'p50' | 'p95',
    [factor, addend]: readonly [number, number],
  ) =>
    last[name] > warm[name] * factor + addend
      ? [`${name} grew from ${warm[name].toFixed(1)} to ${last[name].toFixed(1)}`]
      : [];
  const writes = (warm.writes + last.writes) / 2 + third.writes;
  const perWrite = ((last.folderMiB - warm.folderMiB) * 1024) / Math.max(1, writes);
  return [
    ...grown('residentMiB', RESIDENT),
    ...grown('handles', HANDLES),
    ...grown('p50', LATENCY),
    ...grown('p95', LATENCY),
    ...(perWrite > KIB_PER_WRITE ? [`the folder grew by ${perWrite.toFixed(1)} KiB a write`] : []),
  ];
}

/** The second and the last quarter of a run in words. */
export function describeSamples(samples: readonly Sample[]): string {
  const [warm, last] = [quarterOf(samples, 2), quarterOf(samples, 4)];
  const pair = (name: (typeof MIDDLES)[number], unit: string) =>
    `${warm[name].toFixed(0)} → ${last[name].toFixed(0)} ${unit}`;
  return [
    pair('residentMiB', 'MiB'),
    pair('handles', 'handles'),
    `folder ${pair('folderMiB', 'MiB')}`,
    `p50 ${pair('p50', 'ms')}`,
    `p95 ${pair('p95', 'ms')}`,
  ].join(', ');
}
