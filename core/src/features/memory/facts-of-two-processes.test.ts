import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine, type Engine } from '../../app/engine.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const ROUNDS = 10;
const kit = useTestEngine();
let second: Engine;
beforeAll(() => {
  second = createEngine({ database: kit.engine.database, clock: kit.clock });
});

it.each(['stated', 'found by the rules'])(
  'of two facts that two processes tell at once in place of the same older one, one holds, where that is %s',
  async (basis) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { tenantId } = await kit.tenant();
      const one = kit.engine.agent(tenantId);
      const tell = async (agent: AgentMemory, port: number, supersedes?: string[]) =>
        (
          await agent.remember({
            type: 'semantic',
            content: `The gateway listens on port ${port}.`,
            ...(supersedes && { supersedes }),
          })
        ).memory;
      const older = await tell(one, 8000);
      kit.clock.advance(60_000);
      const named = basis === 'stated' ? [older.id] : undefined;
      await Promise.all([tell(one, 8001, named), tell(second.agent(tenantId), 8002, named)]);
      const { memories } = await one.query({ type: 'semantic' });
      expect(memories).toHaveLength(1);
    }
  },
);
