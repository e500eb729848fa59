import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import type { Benchmark } from '../benchmark.ts';
import { temporaryFolder } from '../clean-up.ts';
import { memoriesOf } from '../corpus.ts';
import { median } from '../measure.ts';
import type { Figure } from '../report.ts';
import { createCaller, startService } from '../service.ts';

const CLIENTS = 16;
/**
 * Percent of what a write of one client takes: those of 16 share syncs, and go four times as fast at least. Only where a sync takes
 * longer than the rest of a write can there be so much to share; elsewhere one client already keeps the processor busy.
 */
const SHARED_GOAL = 25;
const GOAL_SIDE = 'sync on, disk of 4 ms';
/** Loaded into a process before it starts. */
export const SLOW_DISK = new URL('../sync/slow-disk.mjs', import.meta.url);

const SIDES = {
  'sync on': { SVC_EMBEDDED_SYNC: 'on' },
  'sync on, disk of 4 ms': { SVC_EMBEDDED_SYNC: 'on', NODE_OPTIONS: `--import ${SLOW_DISK.href}` },
  'sync off': { SVC_EMBEDDED_SYNC: 'off' },
} as const;

export const sync: Benchmark = {
  name: 'sync',
  description:
    'POST /memories on the embedded database with a sync to the disk, with one that takes 4 ms longer, and without (SVC_EMBEDDED_SYNC=off): one client, and 16 whose writes share syncs. The goal is that of the disk of 4 ms; how long a sync takes on this one stands below.',
  run: async (bench) => {
    const { rounds, calls } = bench.effort({ rounds: 5, calls: 100 });
    const { path: folder, remove } = await temporaryFolder('sync');
    const sides = await Promise.all(
      Object.entries(SIDES).map(([name, settings]) => startSide(name, join(folder, name), settings)),
    );
    try {
      for (let round = 0; round <= rounds; round += 1) {
        bench.progress(`sync: ${round} of ${rounds}`);
        // The first round warms up.
        for (const side of sides) await side.write(calls, round > 0);
      }
      return [
        ...sides.flatMap((side) => side.figures()),
        { name: 'a sync of this disk', unit: 'ms', value: await syncTime(join(folder, 'sync')) },
      ];
    } finally {
      for (const side of sides) await side.stop();
      await remove();
    }
  },
};

/** Milliseconds that the disk takes to sync a page of a file, as it is of a log. */
async function syncTime(path: string): Promise<number> {
  const file = await open(path, 'w');
  const page = Buffer.alloc(8_192);
  const took: number[] = [];
  for (let time = 0; time < 50; time += 1) {
    await file.write(page, 0, page.length, 0);
    const began = performance.now();
    await file.datasync();
    took.push(performance.now() - began);
  }
  await file.close();
  return median(took);
}

interface Side {
  /** Has one client write, and then 16. */
  write(calls: number, counted: boolean): Promise<void>;
  figures(): Figure[];
  stop(): Promise<void>;
}

async function startSide(
  name: string,
  dataDir: string,
  given: Readonly<Record<string, string>>,
): Promise<Side> {
  const engine = createEngine({ database: await openPglite(dataDir) });
  const { id } = await engine.tenants.create({ displayName: 'Benchmark', plan: 'local' });
  const { secret: apiKey } = await engine.apiKeys.create(id, { name: 'benchmark', scope: 'full' });
  await engine.close();
  const settings = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: '', ...given };
  const service = await startService({ settings, apiKey });
  const caller = createCaller(service.url, apiKey, CLIENTS);
  const took: Record<number, number[]> = { 1: [], [CLIENTS]: [] };
  const rates: Record<number, number[]> = { 1: [], [CLIENTS]: [] };
  let seed = 100;
  const run = async (clients: number, calls: number, counted: boolean) => {
    seed += 1;
    const memories = memoriesOf(calls, seed);
    const began = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let memory = memories.pop(); memory; memory = memories.pop()) {
          const sent = performance.now();
          await caller.call('POST', '/api/v1/memories', memory);
          if (counted) took[clients]?.push(performance.now() - sent);
        }
      }),
    );
    if (counted) rates[clients]?.push((calls * 1_000) / (performance.now() - began));
  };
  return {
    write: async (calls, counted) => {
      await run(1, calls, counted);
      await run(CLIENTS, calls * 4, counted);
    },
    figures: () => {
      const [alone, together] = [median(rates[1] ?? []), median(rates[CLIENTS] ?? [])];
      return [
        { name: `write, 1 client, ${name}`, unit: 'ms', value: median(took[1] ?? []) },
        { name: `write, ${CLIENTS} clients, ${name}`, unit: 'ms', value: median(took[CLIENTS] ?? []) },
        { name: `rate, 1 client, ${name}`, unit: 'writes/s', value: alone },
        { name: `rate, ${CLIENTS} clients, ${name}`, unit: 'writes/s', value: together },
        {
          name: `time a write, ${CLIENTS} clients of 1 client, ${name}`,
          unit: '%',
          value: (100 * alone) / together,
          ...(name === GOAL_SIDE && { goal: SHARED_GOAL }),
        },
      ];
    },
    stop: async () => {
      caller.close();
      await service.stop();
    },
  };
}
