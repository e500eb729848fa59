import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { uuidV7 } from '../runtime/runtime.ts';
import { createUsageMeter } from './usage-meter.ts';

const kit = useTestEngine();

it('lets uses share one query only where they read the same spaces', async () => {
  const { tenantId, agent } = await kit.tenant();
  const spaces: string[] = [];
  for (const content of ['In the first.', 'In the second.']) {
    const { space } = await agent().createSpace({ name: 'Team' });
    await agent().remember({ type: 'semantic', content, space_id: space.id });
    spaces.push(space.id);
  }
  const meter = createUsageMeter(kit.engine.database);
  const use = async (place: number) => {
    const id = spaces[place] ?? '';
    const commit = {
      ...{ tenantId, agentId: tenantId, now: kit.clock(), units: 1, refuse: true },
      ...{ events: [], changes: [], ids: uuidV7 },
      readsSpaces: [{ id, name: 'Team', right: 'read' as const }],
    };
    // No condition: what it finds is what row-level security shows.
    const { found } = await meter.record(commit, () => sql`SELECT content FROM memories ORDER BY content`);
    return found;
  };
  const before = (await agent().status()).usage.operations_this_month;
  // The first goes alone; those that come meanwhile go together, as far as they may.
  const found = await Promise.all([0, 0, 1, 0, 1, 1, 0].map(use));
  const first = [{ content: 'In the first.' }];
  const second = [{ content: 'In the second.' }];
  expect(found).toEqual([first, first, second, first, second, second, first]);
  expect((await agent().status()).usage.operations_this_month).toBe(before + 7);
});
