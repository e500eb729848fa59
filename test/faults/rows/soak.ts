import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { startFloor } from '../lab/floor.ts';
import { startMixedCalls } from '../lab/mixed-calls.ts';
import { startPostgresServer } from '../lab/postgres-server.ts';
import { createRandom, type Random } from '../lab/random.ts';
import { prepareService, type Service } from '../lab/service.ts';
import { type Course, plotSoak } from '../lab/soak-plot.ts';
import { cpuOf, describeSamples, growthIn, type Sample, takeSample } from '../lab/soak-samples.ts';
import { newTenant, SECRET, tenantOf } from '../lab/tenant.ts';

const MINUTE_MS = 60_000;
const SAMPLES = 240;
const SHORTEST_SAMPLE_MS = 1_000;
// In less time a process is still warming up, and chance is larger than any growth.
const JUDGED_FROM_MINUTES = 10;

/** Mixed calls for as long as one wants, on the embedded database and on Postgres at the same time. */
export const soak: Fault = {
  name: 'soak',
  holds: `no call fails; from ${JUDGED_FROM_MINUTES} minutes on (--minutes): memory, handles, data, processor time a call and latencies beside those of a floor stay flat`,
  timed: true,
  missing: () => (process.platform === 'linux' ? undefined : 'the figures are read from /proc'),
  run: async ({ random, minutes = 0.5, svg }) => {
    const sides = await Promise.all([startEmbedded(), startOnPostgres()]);
    const seeds = sides.map(() => random.between(1, 1_000_000_000));
    try {
      const courses = await Promise.all(
        sides.map((side, place) => watch(side, minutes, createRandom(seeds[place] ?? 1))),
      );
      if (svg !== undefined) await writeFile(svg, plotSoak(courses));
      const isJudged = minutes >= JUDGED_FROM_MINUTES;
      const sum = (name: 'calls' | 'writes') =>
        courses.flatMap(({ samples }) => samples).reduce((all, sample) => all + sample[name], 0);
      return {
        times: 1,
        n: `${sum('calls')} calls, ${sum('writes')} writes`,
        lost: 0,
        duplicates: 0,
        codes: {},
        note: courses.map(({ name, samples }) => `${name}: ${describeSamples(samples)}`).join('; '),
        problems: courses.flatMap(({ name, samples, failures }) => [
          ...Object.entries(failures).map(([code, count]) => `${name}: ${count} calls failed with ${code}`),
          ...(isJudged ? growthIn(samples).map((growth) => `${name}: ${growth}`) : []),
        ]),
      };
    } finally {
      await Promise.all(sides.map((side) => side.remove()));
    }
  },
};

/** A service to be called. */
interface Side {
  readonly name: string;
  readonly service: Service;
  readonly apiKey: string;
  /** What grows with what is stored. */
  readonly folder: string;
  remove(): Promise<void>;
}

async function startEmbedded(): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-faults-soak-'));
  const service = await prepareService({ env: { SVC_DATA_DIR: folder } });
  await service.start();
  const { apiKey } = await tenantOf(folder);
  const remove = async () => {
    await end(service);
    await rm(folder, { recursive: true });
  };
  return { name: 'embedded', service, apiKey, folder, remove };
}

async function startOnPostgres(): Promise<Side> {
  const postgres = await startPostgresServer();
  const service = await prepareService({ env: { SVC_DATABASE_URL: postgres.url, SVC_SECRET: SECRET } });
  await service.start();
  const { apiKey } = await newTenant(postgres.url);
  const remove = async () => {
    await end(service);
    await postgres.remove();
  };
  return { name: 'Postgres', service, apiKey, folder: postgres.folder, remove };
}

async function end(service: Service): Promise<void> {
  service.kill('SIGTERM');
  await service.ended();
}

async function watch(
  { name, service, apiKey, folder }: Side,
  minutes: number,
  random: Random,
): Promise<Course & { readonly failures: Readonly<Record<string, number>> }> {
  const everyMs = Math.max(SHORTEST_SAMPLE_MS, (minutes * MINUTE_MS) / SAMPLES);
  const floor = await startFloor();
  const began = performance.now();
  const passed = () => (performance.now() - began) / MINUTE_MS;
  const calls = startMixedCalls(service.url, apiKey, random);
  const samples: Sample[] = [];
  while (passed() < minutes) {
    const { pid } = service;
    const cpuBefore = await cpuOf(pid);
    await setTimeout(everyMs);
    samples.push(await takeSample(passed(), { pid, folder, cpuBefore }, calls.take(), floor.take()));
  }
  await Promise.all([calls.stop(), floor.stop()]);
  return { name, samples, failures: calls.failures };
}
