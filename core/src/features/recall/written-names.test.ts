import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const PEOPLE = 'Will May Don Can Anna Peter Rose Tom Lena Vera'.split(' ');
const TOWNS = 'Oslo Bergen Hamar Lille Cork Bonn Ghent Turin Split Varna'.split(' ');

const kit = useTestEngine();
let agent: AgentMemory;
beforeAll(async () => {
  agent = (await kit.tenant()).agent();
  const people = PEOPLE.map((name, place) => `${name} lives in ${TOWNS[place]}.`);
  const others = [
    'The lease of the flat ends in May.',
    'The lease of the garage ends in June.',
    'The lease of the shop ends in April.',
    'The US office has 40 desks.',
    'The Swiss office has 25 desks.',
    'The Dutch office has 12 desks.',
    'Requests to IT are sent by the form on the intranet.',
    'Requests to payroll are sent by post.',
    'Requests to legal are sent by fax.',
    'Der Schlüssel von Will hängt am Haken im Flur.',
    'Der Schlüssel von Jutta hängt am Brett im Keller.',
    "Can'ın köpeği Boncuk bahçede uyuyor.",
    "Elif'in köpeği Paşa bahçede uyuyor.",
  ];
  await agent.rememberBatch({
    memories: [...people, ...others].map((content) => ({ type: 'semantic' as const, content })),
  });
});

const first = async (query: string) => (await agent.recall({ query })).results[0]?.content;

describe('a name that is also a word of every text', () => {
  it.each([
    ['Where does Will live?', 'Will lives in Oslo.'],
    ['In which town does May live?', 'May lives in Bergen.'],
    ['Where does Don live?', 'Don lives in Hamar.'],
    ['What town is Can living in?', 'Can lives in Lille.'],
    ['Where will Will live?', 'Will lives in Oslo.'],
    ['Which lease ends in May?', 'The lease of the flat ends in May.'],
    ['How many desks has the US office?', 'The US office has 40 desks.'],
    ['How do I send requests to IT?', 'Requests to IT are sent by the form on the intranet.'],
    ['Wo hängt der Schlüssel von Will?', 'Der Schlüssel von Will hängt am Haken im Flur.'],
    ["Bahçede uyuyan Can'ın köpeği hangisi?", "Can'ın köpeği Boncuk bahçede uyuyor."],
  ])('%s', async (query, content) => expect(await first(query)).toBe(content));

  it.each([
    'Will you tell me where Anna lives?',
    'Can you tell me where Anna lives?',
    'May I ask where Anna lives?',
    "Don't you know where Anna lives?",
    'WILL IT BE ANNA WHO LIVES IN CORK?',
  ])('is no name in "%s"', async (query) => {
    const { results } = await agent.recall({ query });
    expect(results.map(({ content }) => content)).toEqual(['Anna lives in Cork.']);
  });
});
