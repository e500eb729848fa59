import type { Fault } from '../fault.ts';
import type { Cluster } from '../lab/cluster.ts';
import { endLeases, eventually } from '../lab/events.ts';
import type { Tenant } from '../lab/tenant.ts';

const MEMORIES = 3_000;
const KILLS = 5;

/** kill -9 of the worker, five times while it does the same job. Bull alone would give the job up after the second. */
export const jobKilled: Fault = {
  name: 'kill -9 of the worker five times within one job',
  holds: 'the job goes on where it was and ends; each of its memories is there once',
  run: async ({ cluster: shared, random, rounds }) => {
    const cluster = await shared();
    const problems: string[] = [];
    let [lost, duplicates, recoveryMs] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const own = await cluster.tenant();
      const job = await startImport(cluster, own);
      const progress = async () => Number((await rowOf(cluster, own, job))?.done);
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const goal = Math.round((MEMORIES * kill) / (KILLS + 2)) + random.between(0, 100);
        await eventually(async () => (await progress()) >= goal, 60_000);
        cluster.worker.kill('SIGKILL');
        await cluster.worker.ended();
        await endLeases(cluster, own, 'jobs');
        const killed = Date.now();
        const before = await progress();
        await cluster.worker.start();
        await eventually(async () => (await progress()) > before, 60_000);
        recoveryMs = Math.max(recoveryMs, Date.now() - killed);
      }
      const isOver = async () => (await rowOf(cluster, own, job))?.finished === true;
      await eventually(isOver, 120_000).catch(() => {});
      const end = await rowOf(cluster, own, job);
      if (end?.status !== 'done') problems.push(`the job is ${end?.status}`);
      const [stored] = await cluster.sql(
        `SELECT count(*)::int AS all, count(DISTINCT content)::int AS different
         FROM memories WHERE tenant_id = '${own.id}'`,
      );
      lost += MEMORIES - Number(stored?.different);
      duplicates += Number(stored?.all) - Number(stored?.different);
    }
    const times = KILLS * rounds;
    const note = 'leases aged by 60 s';
    return {
      times,
      n: `${MEMORIES * rounds} imported`,
      lost,
      duplicates,
      recoveryMs,
      codes: {},
      note,
      problems,
    };
  },
};

async function startImport({ apis }: Cluster, { apiKey }: Tenant): Promise<string> {
  const lines = Array.from({ length: MEMORIES }, (_, n) =>
    JSON.stringify({ type: 'semantic', content: `Box ${n} stands on shelf ${n % 17}.` }),
  );
  const answer = await fetch(`${apis[0].url}/api/v1/import?name=boxes.jsonl`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  const body = (await answer.json()) as { job?: { id: string } };
  if (answer.status !== 202 || !body.job) throw new Error(`the import was answered ${answer.status}`);
  return body.job.id;
}

async function rowOf({ sql }: Cluster, { id }: Tenant, job: string) {
  const [row] = await sql(
    `SELECT status, done, finished_at IS NOT NULL AS finished FROM jobs
     WHERE tenant_id = '${id}' AND id = '${job}'`,
  );
  return row;
}
