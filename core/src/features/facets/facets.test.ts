import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { isEmbedded } from '../../testing/index.ts';
import { processorMs } from '../../testing/processor-time.ts';
import { createNameCount } from './names.ts';

const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-000000000001' };

const kit = useTestEngine();

const MEMORIES = [
  { type: 'episodic', content: 'Met Maya at the fair.', tags: ['people', 'fair'], session_id: 's1' },
  { type: 'episodic', content: 'Asked Maya about Berlin.', tags: ['people'], session_id: 's2' },
  { type: 'semantic', content: 'Maya lives in Berlin.', tags: ['people'] },
  { type: 'core', category: 'tools', content: 'Use the drill.' },
] as const;

describe('facets', () => {
  it('tell what there is to filter by, what most memories have first', async () => {
    const agent = (await kit.tenant()).agent();
    for (const [minute, memory] of MEMORIES.entries()) {
      await agent.remember({
        ...memory,
        tags: [...('tags' in memory ? memory.tags : [])],
        occurred_at: `2026-01-01T10:0${minute}:00Z`,
      });
    }
    const facets = await agent.memoryFacets();
    expect(facets).toEqual({
      tags: [
        { value: 'people', memories: 3 },
        { value: 'fair', memories: 1 },
      ],
      categories: [{ value: 'tools', memories: 1 }],
      sources: [{ value: 'agent', memories: 4 }],
      sessions: [
        { value: 's2', memories: 1, last_at: '2026-01-01T10:01:00.000Z' },
        { value: 's1', memories: 1, last_at: '2026-01-01T10:00:00.000Z' },
      ],
      names: [
        { value: 'Maya', memories: 3 },
        { value: 'Berlin', memories: 2 },
      ],
    });
    const [name] = facets.names;
    expect((await agent.query({ entity: name?.value ?? '' })).memories).toHaveLength(3);
    expect((await agent.memoryFacets({ type: 'core' })).tags).toEqual([]);
    expect((await agent.memoryFacets({ limit: 1 })).tags).toEqual([{ value: 'people', memories: 3 }]);
  });

  it.runIf(isEmbedded())('leave the database to other calls between the pages that they read', async () => {
    const agent = (await kit.tenant()).agent();
    const memories = Array.from({ length: 300 }, (_, number) => ({
      type: 'episodic' as const,
      content: `Note ${number}`,
    }));
    await agent.rememberBatch({ memories });
    const ended: string[] = [];
    const facets = agent.memoryFacets().then(() => ended.push('facets'));
    const query = agent.query({ limit: 1 }).then(() => ended.push('query'));
    await Promise.all([facets, query]);
    expect(ended).toEqual(['query', 'facets']);
  });

  it('hold nothing that is withheld from the human', async () => {
    const { agent: as } = await kit.tenant();
    const agent = as();
    const { session_key: sessionKey } = await agent.sessionKey();
    for (const content of ['We met Zelda there.', 'We saw Zelda again.']) {
      await agent.remember({ type: 'episodic', content, tags: ['gift'], session_id: 'party' });
    }
    for (const level of ['redacted', 'hidden'] as const) {
      await agent.setVisibility({ tags: { gift: level } }, { sessionKey });
      expect(await as(HUMAN).memoryFacets()).toEqual({
        ...{ tags: [], categories: [], sources: [], sessions: [], names: [] },
      });
    }
    expect((await agent.memoryFacets()).names).toEqual([{ value: 'Zelda', memories: 2 }]);
  });
});

describe('names', () => {
  const namesOf = (...texts: string[]) => {
    const count = createNameCount();
    for (const text of texts) count.add(text);
    return count.most(10).map(({ value }) => value);
  };

  it.each([
    ['within a sentence', ['I met Maya.', 'Then Maya left.'], ['Maya']],
    ['at a beginning, where they stand elsewhere, too', ['I met Maya.', 'Maya left.'], ['Maya']],
    ['of several words', ['The grave of Ada Lovelace.', 'We read Ada Lovelace.'], ['Ada Lovelace']],
    ['as a whole only', ['Ada Lovelace wrote.', 'We read Ada Lovelace.'], ['Ada Lovelace']],
    ['with a possessive', ["It is Maya's.", 'For Maya.'], ['Maya']],
    ['in other scripts', ['Я видел Анну.', 'Это для Анну.'], ['Анну']],
    ['but no first words', ['Deploys are frozen.', 'Deploys wait.'], []],
    ['and no days of the week', ['Come on Friday.', 'Not on Friday.'], []],
    ['and no name of one memory', ['I met Maya and Maya.', 'Nobody.'], []],
  ])('are found %s', (_, texts, expected) => {
    expect(namesOf(...texts)).toEqual(expected);
  });

  it.each([' ', '\n', '|---|', '👩\u200d', '— '])(
    'are looked for to the end of a text of half a million characters that repeats %j',
    (run) => {
      const text = `Ada ${run.repeat(524_288 / run.length)}I met Maya.`;
      expect(namesOf(text, text)).toEqual(['Maya']);
    },
    20_000,
  );

  it('are told of many texts that hold many each', () => {
    const word = (number: number) => `Q${number.toString(36)}`;
    const all = Array.from({ length: 60_000 }, (_, number) => `at ${word(number)}y ${word(number)}z`);
    expect(namesOf(all.join(), all.join())).toHaveLength(10);
  }, 20_000);

  it('are looked for in time that grows with the text alone', () => {
    const began = processorMs();
    namesOf('A'.repeat(1_000), '-'.repeat(1_000), 'Aa '.repeat(333), "A'".repeat(500), ' '.repeat(1_000));
    expect(processorMs() - began).toBeLessThan(1_000);
  });
});
