import { readFile, writeFile } from 'node:fs/promises';
import type { Benchmark } from '../benchmark.ts';
import { memoriesOf } from '../corpus.ts';
import type { Figure } from '../report.ts';
import type { Service } from '../service.ts';

const SIZES = [1_000, 10_000, 100_000] as const;
const PIECE = 500;
const LOOK_MS = 500;

export const transfer: Benchmark = {
  name: 'transfer',
  description:
    'Import and export of 1,000, 10,000 and 100,000 memories: the most memory the process of the service holds meanwhile (flat means: the same for each), and the time it takes.',
  run: async (bench) => {
    const figures: Figure[] = [];
    for (const size of bench.quick ? SIZES.slice(0, 2) : SIZES) {
      const world = await bench.emptyWorld();
      const service = await world.start();
      try {
        const name = size.toLocaleString('en');
        bench.progress(`transfer: import of ${name}`);
        const begin = performance.now();
        const importPeak = await peakOf(service, () => importLines(service, world.apiKey, size));
        const imported = performance.now();
        bench.progress(`transfer: export of ${name}`);
        const exportPeak = await peakOf(service, () => exportAll(service, world.apiKey));
        const exported = performance.now();
        figures.push(
          { name: `import of ${name}: most memory`, unit: 'MiB', value: importPeak },
          { name: `import of ${name}`, unit: 's', value: (imported - begin) / 1_000 },
          { name: `export of ${name}: most memory`, unit: 'MiB', value: exportPeak },
          { name: `export of ${name}`, unit: 's', value: (exported - imported) / 1_000 },
        );
      } finally {
        await service.stop();
        await world.remove();
      }
    }
    return figures;
  },
};

/** The most memory that the process held during some work, in MiB. Linux counts it, and starts anew when told to. */
async function peakOf({ pid }: Service, work: () => Promise<void>): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  await work();
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
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
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function exportAll(service: Service, apiKey: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/export`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  for await (const _ of response.body ?? []);
}
