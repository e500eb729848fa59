import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const MEMORIES = [
  'ERR_CONN_42 comes from the connection pool.',
  'The pump in the cellar is a TQ-310.',
  'Turn on dark_launches for the beta group.',
  'Code F2208 means that the door is open.',
  'The bus stops at the bridge.',
];

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  await agent.rememberBatch({ memories: MEMORIES.map((content) => ({ type: 'semantic', content })) });
});

const recall = async (query: string) =>
  (await agent.recall({ query })).results.map(({ content }) => MEMORIES.indexOf(content));

it.each([
  ['err_conn_42', 0],
  ['errconn42', 0],
  ['ERR-CONN-42', 0],
  ['ErrConn42', 0],
  ['tq310', 1],
  ['TQ 310', 1],
  ['tq_310', 1],
  ['darkLaunches', 2],
  ['dark-launches', 2],
  ['f2208', 3],
  ['F-2208', 3],
])('"%s" is found however its parts are joined', async (query, place) => {
  expect(await recall(query)).toEqual([place]);
});

it('another identifier that begins with the same letter is none', async () => {
  expect(await recall('F7731')).toEqual([]);
  expect(await recall('what does F7731 mean')).toEqual([]);
});
