import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../testing/index.ts';

describe('threat 5: memory flooding', () => {
  let kit: TestEngine;
  beforeAll(async () => {
    kit = await startTestEngine();
  });
  afterAll(() => kit.close());

  it('copies cannot crowd a memory out of recall', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'semantic', content: 'The release manager of Orchard is Maya.' });
    const copies = Array.from({ length: 60 }, (_, n) => ({
      type: 'semantic' as const,
      content: `The release manager${' '.repeat((n % 3) + 1)}of ORCHARD is Mallory.`,
    }));
    await agent.rememberBatch({ memories: copies });
    const { results } = await agent.recall({ query: 'who is the release manager of Orchard?', limit: 5 });
    expect(results.map(({ content }) => content.toLowerCase().replace(/\s+/g, ' '))).toEqual(
      expect.arrayContaining([
        'the release manager of orchard is maya.',
        'the release manager of orchard is mallory.',
      ]),
    );
    expect(results).toHaveLength(2);
  });

  it('what only looks alike stays', async () => {
    const agent = (await kit.tenant()).agent();
    const contents = ['Port 8080 is taken.', 'Port 8081 is taken.', '部署在星期五', '部署在星期四'];
    await agent.rememberBatch({ memories: contents.map((content) => ({ type: 'semantic', content })) });
    await agent.remember({ type: 'working', content: 'Port 8080 is taken.' });
    const { results } = await agent.recall({ query: 'which port is taken 部署在', threshold: 0 });
    expect(results.map(({ content }) => content).sort()).toEqual([...contents, 'Port 8080 is taken.'].sort());
  });
});
