import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

/** Recalls until what is searched is held in memory, one place after the other. */
const WARM_UP = 12;
const QUERIES = ['who likes the harbor?', 'harbour', 'harbuor plums', 'the gate of the tide', 'Zwergkolibri'];

const kits: TestEngine[] = [];
beforeAll(async () => {
  kits.push(await startTestEngine());
  // Answers all recalls by the database.
  kits.push(await startTestEngine({ settings: { recallHeldBytes: 0 } }));
});
afterAll(async () => {
  for (const kit of kits) await kit.close();
});

const sentence = (n: number) =>
  `Note ${n}: the ${n % 3 ? 'harbour' : 'tide'} has ${n % 4 ? 'gulls' : 'plums'}.`;

/** What is the agent's own and what is u1's, the same for each agent. */
async function grow(agent: AgentMemory): Promise<void> {
  const memories = (from: number) =>
    Array.from({ length: 12 }, (_, n) => ({
      type: 'semantic' as const,
      content: sentence(from + n),
      tags: [n % 2 ? 'odd' : 'even'],
      occurred_at: new Date(Date.UTC(2026, 0, 1, 0, from + n)).toISOString(),
    }));
  await agent.rememberBatch({ memories: memories(0) });
  await agent.rememberBatch({ memories: memories(100), user_id: 'u1' });
}

/** Words of the same kinds, so many that the weight of each would be another, and names and misspelt words that they would explain. */
async function crowd(agent: AgentMemory, place: { user_id?: string; space_id?: string }): Promise<void> {
  const memories = Array.from({ length: 150 }, (_, n) => ({
    type: 'semantic' as const,
    content: `Harbor, harbuor and harbour ${n}: Zwergkolibri of the gate, ${sentence(n)}`,
    tags: ['odd', 'crowded'],
    session_id: `s${n % 9}`,
  }));
  await agent.rememberBatch({ memories, ...place });
}

/** All that a caller is told, with contents in place of ids. */
async function toldTo(agent: AgentMemory, user: { user_id?: string }): Promise<string[]> {
  const { memories } = await agent.query({ limit: 100, ...user });
  const contents = new Map(memories.map(({ id, content }) => [id, content]));
  const told: object[] = [memories.map(({ content }) => content)];
  for (let n = 0; n < WARM_UP; n += 1) await agent.recall({ query: 'tide', ...user });
  for (const query of QUERIES) {
    const asked = { query, threshold: 0, limit: 50, explain: true } as const;
    const { results, explained } = await agent.recall({ ...asked, ...user });
    const shown = results.map(({ content, similarity, explanation }) => ({
      content,
      similarity,
      explanation,
    }));
    const leftOut = explained?.left_out.map((one) => ({ ...one, id: contents.get(one.id) }));
    told.push({ shown, least: explained?.least_total, leftOut });
  }
  const boot = await agent.boot({ preview: true, context_hint: 'harbour', ...user });
  told.push({ injection: boot.injection, tokens: boot.estimated_tokens, counts: boot.counts });
  if (user.user_id === undefined) {
    const { counts } = await agent.status();
    told.push({ facets: await agent.memoryFacets(), counts });
  }
  return told.map((one) => JSON.stringify(one));
}

describe.each([
  ['held in memory', 0],
  ['in the database', 1],
])('what is %s', (_place, at) => {
  let alone: AgentMemory;
  let among: AgentMemory;
  beforeAll(async () => {
    const kit = kits[at];
    if (!kit) throw new TypeError('there are two');
    const newAgent = async () => (await kit.tenant()).agent();
    const neighbour = await newAgent();
    [alone, among] = [await newAgent(), await newAgent()];
    await grow(alone);
    await crowd(among, { user_id: 'u10' });
    await crowd(among, { user_id: 'u' });
    await crowd(neighbour, { space_id: (await neighbour.createSpace({ name: 'Crowd' })).space.id });
    await grow(among);
  });

  it.each([
    ['the agent itself', {}],
    ['a user', { user_id: 'u1' }],
  ])('is told to %s to the last digit as if other users and foreign spaces held nothing', async (_, user) => {
    expect(await toldTo(among, user)).toEqual(await toldTo(alone, user));
  });
});
