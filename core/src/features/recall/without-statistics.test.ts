import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine } from '../../app/engine.ts';
import { openPglite } from '../../kernel/database/open-database.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { processorMs } from '../../testing/processor-time.ts';

const MEMORIES = 2_000;
const DAY = '2026-02-28';
/** Several times what these searches take together. Comparing each entry with all memories takes several times as long as this. */
const MOST_MS = 2_500;

let kit: TestEngine;
let tenantId: string;
beforeAll(async () => {
  // A database of its own, which has analyzed no table yet.
  kit = await startTestEngine({ database: await openPglite(), settings: { recallHeldBytes: 0 } });
  const created = await kit.tenant();
  ({ tenantId } = created);
  const agent = created.agent();
  const contents = Array.from({ length: MEMORIES }, (_, n) => `Day ${n}: guest${n % 97} was in the garden.`);
  for (let done = 0; done < MEMORIES; done += 500) {
    const memories = contents.slice(done, done + 500).map((content, n) => ({
      ...{ type: 'episodic' as const, content, tags: [`t${n % 2}`], session_id: `s${n % 2}` },
      occurred_at: `${DAY}T10:00:00Z`,
    }));
    await agent.rememberBatch({ memories });
  }
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility({ tags: { t1: 'hidden' } }, { sessionKey });
});
afterAll(() => kit.close());

it.each([
  ['that it looks at whole', MEMORIES],
  ['that it takes for large', MEMORIES / 10],
])(
  'finds among many of a new store %s in little time, whatever filters the search',
  async (_, recallExactUpTo) => {
    const { database } = kit.engine;
    const engine = createEngine({
      database,
      clock: kit.clock,
      settings: { recallHeldBytes: 0, recallExactUpTo },
    });
    const agent = engine.agent(tenantId);
    const human = engine.agent(tenantId, { source: 'human', credentialId: null });
    // How many there are is known from here on.
    await agent.recall({ query: 'garden' });
    const started = processorMs();
    const found = [
      await agent.recall({ query: 'garden', types: ['episodic'] }),
      await agent.recall({ query: 'garden', tags: ['t1'] }),
      await agent.recall({ query: 'garden', session_id: 's1' }),
      await agent.recall({ query: 'garden', since: `${DAY}T00:00:00Z` }),
      await agent.recall({ query: 'What happened yesterday?' }),
      await human.recall({ query: 'garden' }),
      await human.recall({ query: 'garden', types: ['episodic'] }),
    ];
    expect(processorMs() - started).toBeLessThan(MOST_MS);
    for (const { results } of found) expect(results).toHaveLength(10);
  },
);
