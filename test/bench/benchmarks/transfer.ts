import { setTimeout } from 'node:timers/promises';
import type { Benchmark } from '../benchmark.ts';
import { memoriesOf } from '../corpus.ts';
import { type MemoryUse, memoryUse } from '../memory-use.ts';
import type { Figure } from '../report.ts';
import type { Service } from '../service.ts';

const SIZES = [1_000, 10_000, 100_000] as const;
const PIECE = 500;
const LOOK_MS = 500;
const MEMORY_LOOK_MS = 250;

/**
 * Most MiB of objects the service may hold: Node fills whatever it is given with garbage before it clears up, and the
 * longer it works the more; held to little it shows what it needs.
 */
const HEAP_MIB = 160;

export const transfer: Benchmark = {
  name: 'transfer',
  description: `Import and export of 1,000, 10,000 and 100,000 memories: the most memory the process of the service holds meanwhile, with at most ${HEAP_MIB} MiB of objects (flat means: the same for each), how much of it is the embedded database's own, and the time it takes.`,
  run: async (bench) => {
    const figures: Figure[] = [];
    for (const size of bench.quick ? SIZES.slice(0, 1) : SIZES) {
      const world = await bench.emptyWorld();
      const service = await world.start({ heapMiB: HEAP_MIB });
      try {
        const name = size.toLocaleString('en');
        const works = {
          import: () => importLines(service, world.apiKey, size),
          export: () => exportAll(service, world.apiKey),
        };
        for (const [what, work] of Object.entries(works)) {
          bench.progress(`transfer: ${what} of ${name}`);
          const began = performance.now();
          const peak = await peakOf(service, work);
          const seconds = (performance.now() - began) / 1_000;
          const part = (which: string, value: number): Figure => ({
            name: `${what} of ${name}: most memory, ${which}`,
            unit: 'MiB',
            value,
          });
          figures.push({ name: `${what} of ${name}`, unit: 's', value: seconds }, part('service', peak.own));
          if (peak.embedded > 0) figures.push(part('embedded database', peak.embedded));
        }
      } finally {
        await service.stop();
        await world.remove();
      }
    }
    return figures;
  },
};

/** The most memory that the process held at any look during some work. */
async function peakOf({ pid }: Service, work: () => Promise<void>): Promise<MemoryUse> {
  const peak = { own: 0, embedded: 0 };
  const look = async () => {
    const { own, embedded } = await memoryUse(pid);
    peak.own = Math.max(peak.own, own);
    peak.embedded = Math.max(peak.embedded, embedded);
  };
  let working = true;
  const done = work().finally(() => {
    working = false;
  });
  while (working) await Promise.all([look(), Promise.race([done, setTimeout(MEMORY_LOOK_MS)])]);
  await done;
  await look();
  return peak;
}

async function importLines(service: Service, apiKey: string, size: number): Promise<void> {
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < size; start += PIECE) {
      const memories = memoriesOf(Math.min(PIECE, size - start), 100 + start);
      yield Buffer.from(memories.map((one, n) => `${JSON.stringify({ ...one, id: start + n })}\n`).join(''));
    }
  }
  const response = await fetch(`${service.url}/api/v1/import?name=memories.jsonl`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/jsonl' },
    body: ReadableStream.from(lines()),
    duplex: 'half',
  } as RequestInit);
  const { job } = (await response.json()) as { job: { id: string } };
  for (;;) {
    const answer = (await service.call('GET', `/api/v1/jobs/${job.id}`)) as {
      job: { status: string; finished_at: string | null };
    };
    if (answer.job.finished_at !== null) {
      if (answer.job.status !== 'done') throw new Error(`the import ended as ${answer.job.status}`);
      return;
    }
    await setTimeout(LOOK_MS);
  }
}

async function exportAll(service: Service, apiKey: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/export`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  for await (const _ of response.body ?? []);
}
