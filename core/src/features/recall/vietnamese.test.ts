import { beforeAll, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const SEEDLINGS = 'Mạ được gieo ở ruộng phía bắc.';
const GRAVE = 'Mả của ông nằm trên đồi.';
const MOTHER = 'Má nấu phở vào chủ nhật.';
const NOODLES = 'Quán bún của chị Hằng mở cửa lúc sáu giờ.';
const SIGNED = 'Nguyen Van Minh signed the lease of the warehouse.';

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  await agent.rememberBatch({
    memories: [SEEDLINGS, GRAVE, MOTHER, NOODLES, SIGNED].map((content) => ({ type: 'semantic', content })),
  });
});

it.each([
  ['another tone is another word', 'Mạ ở đâu?', SEEDLINGS],
  ['another tone is another word', 'Mả ở đâu?', GRAVE],
  ['a syllable that without marks is an English function word', 'Má nấu gì?', MOTHER],
  ['a question typed without marks', 'quan bun cua chi Hang mo cua luc nao', NOODLES],
  ['a name that an English memory has without marks', 'Nguyễn Văn Minh đã ký gì?', SIGNED],
  ['a Vietnamese name in an English question', 'What did Nguyễn Văn Minh sign?', SIGNED],
])('%s: %s', async (_, query, answer) => {
  const { results } = await agent.recall({ query, threshold: 0 });
  expect(results[0]?.content).toBe(answer);
});
