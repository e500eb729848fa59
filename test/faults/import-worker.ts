import { createEngine, openPglite } from '@svc-memory/core';

// Imports into a data folder and says how far it is; whoever started it kills it somewhere on the way.
const [, , folder = '', aheadMs = '0', memories = '2000'] = process.argv;
const engine = createEngine({
  database: await openPglite(folder),
  // As if the lease of the one before had ended.
  clock: () => new Date(Date.now() + Number(aheadMs)),
});
let [tenant] = await engine.tenants.list();
tenant ??= await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
const agent = engine.agent(tenant.id);
let [job] = (await agent.jobs({ kind: 'import' })).jobs;
if (!job) {
  const records = Array.from({ length: Number(memories) }, (_, n) => ({
    id: n,
    content: n % 50 === 49 ? '' : `Box ${n} holds ${['nails', 'screws', 'glue'][n % 3]} for shelf ${n % 17}.`,
    type: n % 100 === 1 ? 'core' : 'semantic',
    tags: [`shelf ${n % 17}`],
    ...(n % 10 === 0 ? { key: `box-${n % 200}` } : {}),
  }));
  const bytes = (async function* () {
    yield Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'));
  })();
  const files = (async function* () {
    yield { path: 'boxes.jsonl', bytes };
  })();
  ({ job } = await engine.streams(tenant.id).import(files));
}
process.stdout.write('working\n');
while (job && job.finished_at === null) {
  await engine.background.run('jobs.work');
  ({ job } = await agent.job({ id: job.id }));
}
await engine.close();
process.stdout.write('done\n');
