import { readFile } from 'node:fs/promises';
import type { Fault } from '../fault.ts';
import { readAll } from '../lab/check.ts';
import { percentile, storm } from '../lab/start-storm.ts';

const CALLS = 10_000;
const MOST_MIB = 512;

/** Ten thousand writes at the same moment, each over a connection of its own. */
export const manyCalls: Fault = {
  name: '10,000 concurrent calls',
  holds: 'each is served or refused with 503 or 429 and Retry-After, none reset; memory stays bounded',
  run: async ({ cluster, rounds }) => {
    const { tenant, apis } = await cluster();
    const codes: Record<string, number> = {};
    const problems: string[] = [];
    const served: number[] = [];
    let lost = 0;
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const own = await tenant();
      const result = await storm({
        targets: apis.map(({ url }) => url),
        apiKey: own.apiKey,
        calls: CALLS,
        method: 'POST',
        path: '/api/v1/memories',
        body: '{"type":"working","content":"call number #"}',
        timeoutMs: 60_000,
      });
      for (const [code, count] of Object.entries(result.codes)) {
        codes[code] = (codes[code] ?? 0) + count;
        if (!['201', '503', '429'].includes(code)) problems.push(`${count} answers ${code}`);
      }
      if (result.silent > 0) problems.push(`${result.silent} refusals without Retry-After`);
      const stored = await readAll(apis[0].url, own);
      const ids = result.answers.map((text): string => JSON.parse(text).memory.id);
      lost += ids.filter((id) => !stored.has(id)).length;
      acknowledged += ids.length;
      served.push(...result.served);
    }
    served.sort((a, b) => a - b);
    const peaks = await Promise.all(apis.map(({ pid }) => peakMib(pid)));
    const peak = Math.max(...peaks);
    if (peak > MOST_MIB) problems.push(`a process took ${peak} MiB`);
    return {
      times: rounds,
      n: `${acknowledged} acknowledged of ${rounds * CALLS}`,
      lost,
      duplicates: 0,
      codes,
      note: `served p50 ${percentile(served, 0.5)} ms, p99 ${percentile(served, 0.99)} ms; peak ${peak} MiB a process`,
      problems,
    };
  },
};

/** Most memory a process ever had, as Linux tells. */
export async function peakMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
