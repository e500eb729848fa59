import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../../bench/scale/load.ts';
import { STALL_CASES } from '../../bench/stalls/cases.ts';
import { siteOf } from '../../bench/stalls/site.ts';
import { watchHealth } from '../../bench/stalls/watch-health.ts';
import type { Fault } from '../fault.ts';
import { prepareService } from '../lab/service.ts';
import { tenantOf } from '../lab/tenant.ts';

const CASES = [
  'zip of 500 tiny notes',
  'zip of 2,000 overlapping entries',
  'zip bomb of 64 MiB',
  'JSON list of 300,000 numbers',
  'JSON list of 300,000 empty texts',
  'one line of 20 MB',
  '2,000 soul memories',
  'batch of 500 memories of 1.9 kB',
];
/** As long as it takes: a quick run of the faults, of one round, reflects over fewer. */
const REFLECTION = {
  quick: 'reflection over 500 contradictions',
  long: 'reflection over 3,000 contradictions',
};
const HEALTH_MS = 250;
const ANSWERED_WITHIN_MS = 30_000;

/** Work of the worst kinds on the embedded database, which runs in the same thread as everything else. */
export const stalls: Fault = {
  name: 'work that once held the process',
  holds: '/health answers within 250 ms at p99, each call is done or refused within 30 s, no job is lost',
  timed: true,
  run: async ({ rounds }) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-stalls-'));
    const codes: Record<string, number> = {};
    const problems: string[] = [];
    const waits: number[] = [];
    let calls = 0;
    const names = [...CASES, REFLECTION[rounds === 1 ? 'quick' : 'long']];
    for (let round = 0; round < rounds; round += 1) {
      const service = await prepareService({ env: { SVC_DATA_DIR: join(folder, String(round)) } });
      await service.start();
      const { apiKey } = await tenantOf(join(folder, String(round)));
      const health = await watchHealth(service.url);
      const site = siteOf(service.url, apiKey);
      for (const { name, run } of STALL_CASES.filter((one) => names.includes(one.name))) {
        const { result, samples } = await health.during(() => run(site));
        waits.push(...samples.answered);
        calls += result.length;
        if (samples.unanswered > 0) problems.push(`${name}: ${samples.unanswered} /health without an answer`);
        for (const { ms, became } of result) {
          codes[became] = (codes[became] ?? 0) + 1;
          if (ms > ANSWERED_WITHIN_MS) problems.push(`${name}: answered after ${Math.round(ms)} ms`);
          if (!/^(2\d\d|4\d\d [A-Z_]+|503 UNAVAILABLE)(, job done)?$/.test(became)) {
            problems.push(`${name}: ${became}`);
          }
        }
      }
      health.stop();
      service.kill('SIGTERM');
      await service.ended();
    }
    await rm(folder, { recursive: true });
    const p99 = Math.round(quantile(waits, 0.99));
    if (p99 > HEALTH_MS) problems.push(`/health waited ${p99} ms at p99`);
    return {
      times: rounds * names.length,
      n: `${calls} calls`,
      lost: 0,
      duplicates: 0,
      codes,
      note: `/health p50 ${Math.round(quantile(waits, 0.5))} ms, p99 ${p99} ms, at most ${Math.round(Math.max(...waits))} ms`,
      problems,
    };
  },
};
