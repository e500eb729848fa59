import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import type { Benchmark } from '../benchmark.ts';
import { memoriesOf } from '../corpus.ts';
import { median } from '../measure.ts';
import type { Figure } from '../report.ts';
import { createCaller, startService } from '../service.ts';

const CLIENTS = 16;

export const sync: Benchmark = {
  name: 'sync',
  description:
    'POST /memories on the embedded database with a sync to the disk and without (SVC_EMBEDDED_SYNC=off): one client, and 16 whose writes share syncs.',
  run: async (bench) => {
    const { rounds, calls } = bench.effort({ rounds: 5, calls: 100 });
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-sync-'));
    const sides = await Promise.all((['on', 'off'] as const).map((setting) => startSide(folder, setting)));
    try {
      for (let round = 0; round <= rounds; round += 1) {
        bench.progress(`sync: ${round} of ${rounds}`);
        // The first round warms up.
        for (const side of sides) await side.write(calls, round > 0);
      }
      return sides.flatMap((side) => side.figures());
    } finally {
      for (const side of sides) await side.stop();
      await rm(folder, { recursive: true });
    }
  },
};

interface Side {
  /** Has one client write, and then 16. */
  write(calls: number, counted: boolean): Promise<void>;
  figures(): Figure[];
  stop(): Promise<void>;
}

async function startSide(folder: string, setting: 'on' | 'off'): Promise<Side> {
  const dataDir = join(folder, setting);
  const engine = createEngine({ database: await openPglite(dataDir, { sync: setting === 'on' }) });
  const { id } = await engine.tenants.create({ displayName: 'Benchmark', plan: 'local' });
  const { secret: apiKey } = await engine.apiKeys.create(id, { name: 'benchmark', scope: 'full' });
  await engine.close();
  const settings = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: '', SVC_EMBEDDED_SYNC: setting };
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
    figures: () => [
      { name: `write, 1 client, sync ${setting}`, unit: 'ms', value: median(took[1] ?? []) },
      { name: `write, ${CLIENTS} clients, sync ${setting}`, unit: 'ms', value: median(took[CLIENTS] ?? []) },
      { name: `rate, 1 client, sync ${setting}`, unit: 'writes/s', value: median(rates[1] ?? []) },
      {
        name: `rate, ${CLIENTS} clients, sync ${setting}`,
        unit: 'writes/s',
        value: median(rates[CLIENTS] ?? []),
      },
    ],
    stop: async () => {
      caller.close();
      await service.stop();
    },
  };
}
