import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const PEOPLE = ['Ada', 'Bo', 'Cleo', 'Dirk', 'Edda', 'Finn', 'Greta'];
const THINGS = ['boiler', 'tax return', 'lease', 'violin', 'fence', 'dentist', 'printer', 'kettle', 'ferry'];
const VERBS = ['paid for', 'asked about', 'forgot', 'repaired', 'likes', 'sold', 'looks after', 'dreams of'];
const OAK = 'Brandel in Krems sells oak by the metre.';
const COPY = 'Brandel in Krems sells oak by the metre, cut to size.';

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  const others = Array.from({ length: 56 }, (_, n) => {
    const of = (list: readonly string[], step: number) => list[(n * step) % list.length];
    return `${of(PEOPLE, 1)} ${of(VERBS, 1)} the ${of(THINGS, 2)}.`;
  });
  await agent.rememberBatch({
    memories: [...others, OAK, COPY].map((content) => ({ type: 'semantic' as const, content })),
  });
});

const recall = async (query: string) => (await agent.recall({ query })).results.map(({ content }) => content);

it('a question is answered by the one memory that is near to it, though that holds one of its words', async () => {
  expect((await recall('Which joinery has oak boards for our cabin?')).sort()).toEqual([OAK, COPY].sort());
});

it('nothing answers a question to which many are as near', async () => {
  expect(await recall('What about Finn and mountaineering?')).toEqual([]);
});
