import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Bench, Benchmark } from '../benchmark.ts';
import { temporaryFolder } from '../clean-up.ts';
import { median, ratio } from '../measure.ts';
import type { Figure } from '../report.ts';
import { residentMemory, type Service, startService } from '../service.ts';
import { startBarePglite } from '../start/bare-pglite.ts';
import { idleShare, processorTime } from '../start/idle.ts';

const GOAL_SECONDS = 5;
const START_GOAL = 1.3;
const MEMORY_GOAL = 1.25;
/** Percent of a core. */
const IDLE_GOAL = 0.5;
/** The first maintenance comes half a minute after a start, and V8 gives back what the start needed within the first minute. */
const IDLE = { settledMs: 70_000, forMs: 60_000 };
const RECALL = { query: 'the red garden' };

export const start: Benchmark = {
  name: 'start',
  description:
    'The embedded service against bare PGlite with the same schema, each a process of its own: its first start, its start on that folder, the memory it then holds, and what it takes of a core while nobody asks; and from its start on existing data to its first recall, with its memory after recalls over all memories.',
  run: async (bench) => [...(await againstBare(bench)), ...(await onExistingData(bench))],
};

/** One side of the comparison, a number for each round. */
interface Starts {
  readonly first: number[];
  readonly again: number[];
  /** Of the start on an existing folder: it says the same on a machine that is busy with something else. */
  readonly processor: number[];
  readonly memory: number[];
}

const noStarts = (): Starts => ({ first: [], again: [], processor: [], memory: [] });

async function againstBare(bench: Bench): Promise<Figure[]> {
  const { rounds } = bench.effort({ rounds: 5, calls: 1 });
  const [ours, bare] = [noStarts(), noStarts()];
  for (let round = 0; round < rounds; round += 1) {
    bench.progress(`start against bare PGlite: ${round + 1} of ${rounds}`);
    const { path: folder, remove } = await temporaryFolder('start');
    // Who goes first changes: the second finds caches warmed by the first.
    const sides = [() => startOurs(join(folder, 'ours'), ours), () => startBare(join(folder, 'bare'), bare)];
    for (const side of round % 2 ? sides.reverse() : sides) await side();
    await remove();
  }
  const compared = (name: string, unit: Figure['unit'], part: keyof Starts, goal: number): Figure => ({
    name,
    unit,
    value: median(ours[part]),
    floor: median(bare[part]),
    ratio: ratio(ours[part], bare[part]),
    goal,
  });
  return [
    compared('first start', 'ms', 'first', START_GOAL),
    compared('start on that folder', 'ms', 'again', START_GOAL),
    compared('processor time of that start', 'ms', 'processor', START_GOAL),
    compared('resident memory', 'MiB', 'memory', MEMORY_GOAL),
    // Two minutes, of which none can be left out: what a start leaves to do is no idle time.
    ...(bench.quick ? [] : [await idleFigure(bench)]),
  ];
}

async function startOurs(folder: string, { first, again, processor, memory }: Starts): Promise<void> {
  const one = await startEmbedded(folder);
  first.push(one.startedAfter);
  await one.stop();
  const other = await startEmbedded(folder);
  again.push(other.startedAfter);
  processor.push(await processorTime(other.pid));
  memory.push(await other.residentMemory());
  await other.stop();
}

async function startBare(folder: string, { first, again, processor, memory }: Starts): Promise<void> {
  const one = await startBarePglite(folder);
  first.push(one.startedAfter);
  await one.stop();
  const other = await startBarePglite(folder);
  again.push(other.startedAfter);
  processor.push(await processorTime(other.pid));
  memory.push(await residentMemory(other.pid));
  await other.stop();
}

function startEmbedded(folder: string, apiKey = ''): Promise<Service> {
  return startService({ settings: { SVC_DATA_DIR: folder, SVC_DATABASE_URL: '' }, apiKey });
}

/** What a service takes of a core that was asked once and then is left alone. */
async function idleFigure(bench: Bench): Promise<Figure> {
  bench.progress('start: idle');
  const { path: folder, remove } = await temporaryFolder('idle');
  await (await startEmbedded(folder)).stop();
  const { api_key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'));
  const service = await startEmbedded(folder, api_key);
  await service.call('POST', '/api/v1/memories/recall', RECALL);
  await setTimeout(IDLE.settledMs);
  const value = await idleShare(service.pid, IDLE.forMs);
  await service.stop();
  await remove();
  return { name: 'idle processor time', unit: '% of a core', value, goal: IDLE_GOAL };
}

async function onExistingData(bench: Bench): Promise<Figure[]> {
  const world = await bench.world();
  const { rounds } = bench.effort({ rounds: 5, calls: 1 });
  const seconds: number[] = [];
  const full: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bench.progress(`start: ${round + 1} of ${rounds}`);
    const began = performance.now();
    const service = await world.start();
    await service.call('POST', '/api/v1/memories/recall', RECALL);
    seconds.push((performance.now() - began) / 1_000);
    for (let call = 0; call < 50; call += 1) {
      await service.call('POST', '/api/v1/memories/recall', { query: `the red garden of ${call}` });
    }
    full.push(await service.residentMemory());
    await service.stop();
  }
  const empty = await bench.emptyWorld();
  const service = await empty.start();
  await service.call('POST', '/api/v1/memories/recall', RECALL);
  const emptyMemory = await service.residentMemory();
  await service.stop();
  await empty.remove();
  return [
    { name: 'start to first recall', unit: 's', value: median(seconds), goal: GOAL_SECONDS },
    { name: 'process memory, empty', unit: 'MiB', value: emptyMemory },
    { name: 'process memory, in use', unit: 'MiB', value: median(full) },
  ];
}
