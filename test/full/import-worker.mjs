import { createEngine, openPglite } from '@svc-memory/core';

// Prepares an import into a data folder, or does it; whoever started it kills it somewhere on the way. Plain JavaScript:
// to be compiled first would take longer than all else of its start.
const [, , what = '', folder = '', aheadMs = '0', memories = ''] = process.argv;
const engine = createEngine({
  database: await openPglite(folder),
  // As if the lease of the one before had ended.
  clock: () => new Date(Date.now() + Number(aheadMs)),
});
if (what === 'prepare') await prepare();
else await work();
await engine.close();

async function prepare() {
  const tenant = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
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
  await engine.streams(tenant.id).import(files);
}

async function work() {
  const [tenant] = await engine.tenants.list();
  const agent = engine.agent(tenant?.id ?? '');
  let [job] = (await agent.jobs({ kind: 'import' })).jobs;
  process.stdout.write('working\n');
  while (job && job.finished_at === null) {
    await engine.background.run('jobs.work');
    ({ job } = await agent.job({ id: job.id }));
  }
}
