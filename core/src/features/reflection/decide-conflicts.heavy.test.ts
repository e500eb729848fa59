import { expect, it, onTestFinished } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { startTestEngine } from '../../testing/index.ts';

it('a pair in doubt does not wait for those of many agents of which no more may be asked today', async () => {
  const own = await startTestEngine({
    llm: { model: 'm', complete: async () => '{"replaces": false}' },
    settings: { conflictsPerDay: 1 },
  });
  onTestFinished(() => own.close());
  const begin = async (things: readonly string[]) => {
    const agent = (await own.tenant()).agent();
    const say = (tool: string, valid_from: string) =>
      agent.rememberBatch({
        memories: things.map((thing) => ({
          ...{ type: 'semantic' as const, valid_from },
          content: `${thing} are written with ${tool}.`,
        })),
      });
    await say('Lexoffice', '2026-01-01');
    await say('Sevdesk', '2026-01-02');
    return agent;
  };
  const agents: AgentMemory[] = [];
  // A run asks about those of the 50 agents that have waited longest.
  for (let agent = 0; agent < 51; agent += 1) {
    agents.push(await begin(['Invoices', 'Letters']));
    own.clock.advance(1_000);
  }
  for (let run = 0; run < 2; run += 1) await own.engine.background.run('conflicts.decide');
  for (const agent of agents)
    expect((await agent.conflicts()).conflicts.map(({ status }) => status).sort()).toEqual([
      'kept',
      'waiting',
    ]);
});
