import { readdir, readFile, stat } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join, sep } from 'node:path';
import type { Calls } from './mixed-calls.ts';

/** How a service was at one moment of a soak. */
export interface Sample {
  readonly minutes: number;
  readonly residentMiB: number;
  /** Files, sockets and the like that the process has open. */
  readonly handles: number;
  /** Files of the data, without the write-ahead log. */
  readonly folderMiB: number;
  /** The write-ahead log: it grows up to what two checkpoints are apart, and is used again from then on. */
  readonly logMiB: number;
  /** Processor time that the process took for each call since the sample before, in milliseconds. */
  readonly cpu: number;
  /** Processes that want to run, for each processor of the machine. */
  readonly load: number;
  /** Of the calls since the sample before. */
  readonly p50: number;
  readonly p95: number;
  /** What calls of a process took that does the same at each: how busy the machine is. */
  readonly floor50: number;
  readonly floor95: number;
  readonly calls: number;
  readonly writes: number;
}

/** Processor milliseconds that a process has taken. */
export async function cpuOf(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

// A clock tick of Linux, which Node has no name for; it is 10 ms on every common system.
const TICK_MS = 10;

/**
 * Takes a sample of a process and its folder. Linux only.
 *
 * @param cpuBefore What `cpuOf` said at the sample before.
 */
export async function takeSample(
  minutes: number,
  { pid, folder, cpuBefore }: { readonly pid: number; readonly folder: string; readonly cpuBefore: number },
  { took, writes }: Calls,
  floor: readonly number[],
): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const { data, log } = await bytesIn(folder);
  return {
    minutes,
    residentMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
    folderMiB: data / 1024 ** 2,
    logMiB: log / 1024 ** 2,
    cpu: ((await cpuOf(pid)) - cpuBefore) / Math.max(1, took.length),
    load: (loadavg()[0] ?? 0) / availableParallelism(),
    p50: rankOf(took, 0.5),
    p95: rankOf(took, 0.95),
    floor50: rankOf(floor, 0.5),
    floor95: rankOf(floor, 0.95),
    calls: took.length,
    writes,
  };
}

function rankOf(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function bytesIn(folder: string): Promise<{ data: number; log: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sum = { data: 0, log: 0 };
  for (const { parentPath, name } of entries) {
    // A file may be gone by now.
    const blocks = await stat(join(parentPath, name)).then(
      (found) => found.blocks,
      () => 0,
    );
    sum[`${parentPath}${sep}`.includes(`${sep}pg_wal${sep}`) ? 'log' : 'data'] += blocks * 512;
  }
  return sum;
}

/** A quarter of a run in one sample: middle values, and sums of what is counted. */
interface Quarter extends Omit<Sample, 'minutes'> {}

const MIDDLES = [
  'residentMiB',
  'handles',
  'folderMiB',
  'logMiB',
  'cpu',
  'load',
  'p50',
  'p95',
  'floor50',
  'floor95',
] as const;

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
  const middles = Object.fromEntries(MIDDLES.map((name) => [name, middle(name)]));
  return {
    ...(middles as Record<(typeof MIDDLES)[number], number>),
    calls: sum('calls'),
    writes: sum('writes'),
  };
}

// What a quarter of a run may differ from another by chance, as factor and as addend.
const RESIDENT = [1.1, 16] as const;
const HANDLES = [1, 8] as const;
const LATENCY = [1.5, 5] as const;
const CPU = [1.5, 1] as const;
// A write leaves a version, an event and index entries.
const KIB_PER_WRITE = 8;
// A checkpoint follows 64 MiB of log, and the log of the one before is kept for use.
const MOST_LOG_MIB = 192;

/**
 * What grew from the second quarter of a run, when all was warm, to the last. How long calls take is judged beside calls of a
 * process that does the same at each, so that a machine which gets busier is no growth, and one which gets calmer hides none.
 */
export function growthIn(samples: readonly Sample[]): string[] {
  const [warm, third, last] = [quarterOf(samples, 2), quarterOf(samples, 3), quarterOf(samples, 4)];
  const grown = (
    name: 'residentMiB' | 'handles' | 'cpu' | 'p50' | 'p95',
    [factor, addend]: readonly [number, number],
    busier = 1,
  ) =>
    last[name] > (warm[name] * factor + addend) * busier
      ? [`${name} grew from ${warm[name].toFixed(1)} to ${last[name].toFixed(1)}${beside(busier)}`]
      : [];
  const writes = (warm.writes + last.writes) / 2 + third.writes;
  const perWrite = ((last.folderMiB - warm.folderMiB) * 1024) / Math.max(1, writes);
  return [
    ...grown('residentMiB', RESIDENT),
    ...grown('handles', HANDLES),
    ...grown('cpu', CPU),
    ...grown('p50', LATENCY, last.floor50 / warm.floor50),
    ...grown('p95', LATENCY, last.floor95 / warm.floor95),
    ...(perWrite > KIB_PER_WRITE ? [`the folder grew by ${perWrite.toFixed(1)} KiB a write`] : []),
    ...(last.logMiB > MOST_LOG_MIB ? [`the log grew to ${last.logMiB.toFixed(0)} MiB`] : []),
  ];
}

function beside(busier: number): string {
  return busier === 1 ? '' : `, where the floor went to ${busier.toFixed(2)} of what it was`;
}

/** The second and the last quarter of a run in words. */
export function describeSamples(samples: readonly Sample[]): string {
  const [warm, last] = [quarterOf(samples, 2), quarterOf(samples, 4)];
  const pair = (name: (typeof MIDDLES)[number], unit: string, digits = 0) =>
    `${warm[name].toFixed(digits)} → ${last[name].toFixed(digits)} ${unit}`;
  return [
    pair('residentMiB', 'MiB'),
    pair('handles', 'handles'),
    `data ${pair('folderMiB', 'MiB')}`,
    `log ${pair('logMiB', 'MiB')}`,
    `processor ${pair('cpu', 'ms a call', 1)}`,
    `p50 ${pair('p50', 'ms')}`,
    `p95 ${pair('p95', 'ms')}`,
    `load ${pair('load', 'a processor', 1)}`,
  ].join(', ');
}
