import { expect, test } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { rememberUncompared } from './uncompared.fixture.ts';

const kit = useTestEngine();

const NAMES = ['Ada', 'Ben', 'Chloe', 'Dmitri', 'Eve'];

/** An agent that knows something about projects: each fact a second after the one before. */
async function agentKnowing(facts: readonly string[]) {
  const { tenantId, agent } = await kit.tenant();
  const memory = agent();
  await Promise.all(
    facts.map((content, second) => {
      const occurred_at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      return rememberUncompared(memory, { type: 'semantic', content, occurred_at });
    }),
  );
  // On a busy machine some are stored before they are embedded.
  await kit.engine.background.run('embedding.catch-up');
  const reflect = async () => {
    let { job } = await memory.reflect();
    while (job.status !== 'done' && job.status !== 'failed') {
      await kit.engine.background.run('jobs.work');
      job = (await memory.job({ id: job.id })).job;
      // A step that the database refused on a busy machine is due again after a while.
      kit.clock.advance(60_000);
    }
    return job;
  };
  return { tenantId, memory, reflect };
}

const THINGS =
  `kettle garden invoice violin harbour compass orchard curtain ladder blanket candle mirror basket
  hammer pillow bottle carpet window engine camera guitar piano drum bicycle tractor helmet lantern anchor bridge
  castle temple market library museum theatre stadium airport station bakery brewery vineyard meadow forest desert
  glacier`.split(/\s+/);
const ATTRIBUTES = ['owner', 'price', 'deadline', 'budget', 'location', 'status', 'version', 'address'];
const owners = (name: (n: number) => string | undefined) =>
  THINGS.map((thing, n) => `The ${ATTRIBUTES[n % ATTRIBUTES.length]} of the ${thing} is ${name(n)}.`);

test('contradictions are all found, however far apart and more than one step writes', async () => {
  const before = owners((n) => NAMES[n % 2]);
  const between = Array.from({ length: 120 }, (_, n) => `House ${n} has a garden with ${n % 9} trees.`);
  const after = owners((n) => NAMES[2 + (n % 3)]);
  const { memory, reflect } = await agentKnowing([...before, ...between, ...after]);
  expect(await reflect()).toMatchObject({ status: 'done', result: { superseded: 45, merged: 0 } });
  const { memories } = await memory.query({ limit: 100, include_superseded: true });
  const superseded = memories.filter(({ superseded_by }) => superseded_by);
  expect(superseded.every(({ content }) => before.includes(content))).toBe(true);
});

test('copies are merged into the oldest, and a second reflection finds nothing more', async () => {
  const copies = Array.from(
    { length: 80 },
    (_, n) => `The office in Porto opens at nine${'.'.repeat(n % 2)}`,
  );
  const { memory, reflect } = await agentKnowing(copies);
  expect(await reflect()).toMatchObject({ status: 'done', result: { merged: 79 } });
  expect((await memory.query({ limit: 100 })).memories.map(({ content }) => content)).toEqual([copies[0]]);
  expect(await reflect()).toMatchObject({ status: 'done', result: { merged: 0, superseded: 0 } });
});

test('other calls are answered while it goes on', async () => {
  const { memory } = await agentKnowing(NAMES.slice(0, 2).flatMap((name) => owners(() => name)));
  await memory.reflect();
  let working = true;
  const reflecting = kit.engine.background.run('jobs.work').finally(() => {
    working = false;
  });
  let answered = 0;
  while (working && answered < 5) {
    await memory.status();
    answered += 1;
  }
  expect(working).toBe(true);
  await reflecting;
});
