import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine } from '../../app/engine.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

/** Noon of 1 March 2026, a Sunday. */
const YESTERDAY = [
  'Deployed version 4.2 of the billing service.',
  'Anna reported that the export button does nothing.',
  'Bought 2 kg of flour for the birthday cake.',
  '小丽把会议改到了周四。',
];
const BEFORE = ['Wrote the draft of the grant proposal.', 'The heating in the office broke down.'];
const PLAN = 'The plan for February is to paint the hall.';
const LONG_AGO = ['Visited the museum of natural history.', 'Discussed the budget of 2025 with Tom.'];

const kit = useTestEngine();
let agent: AgentMemory;
let tenantId: string;
beforeAll(async () => {
  const created = await kit.tenant();
  ({ tenantId } = created);
  agent = created.agent();
  const on = (day: string, contents: readonly string[]) =>
    contents.map((content, hour) => ({
      type: 'episodic' as const,
      content,
      occurred_at: `${day}T${10 + hour}:00:00Z`,
    }));
  await agent.rememberBatch({
    memories: [
      ...on('2026-02-28', YESTERDAY),
      ...on('2026-02-25', BEFORE),
      ...on('2025-11-03', LONG_AGO),
      { type: 'semantic', content: PLAN, occurred_at: '2026-01-20T00:00:00Z' },
      { type: 'semantic', content: 'The user was born in Oslo.', occurred_at: '2026-01-05T00:00:00Z' },
    ],
  });
});

const recall = async (query: string, more: object = {}) =>
  (await agent.recall({ query, ...more })).results.map(({ content }) => content).sort();
const sorted = (...contents: (readonly string[])[]) => contents.flat().sort();

describe('a question that names only a time finds all of that time', () => {
  it.each([
    'What happened yesterday?',
    'what did we do yesterday',
    'What did we discuss yesterday?',
    'Anything new yesterday?',
    'What did we work on on 28 February?',
    'What happened on 2026-02-28?',
    'Give me a summary of yesterday',
    'What have I told you yesterday?',
    'Was ist gestern passiert?',
    'Was haben wir gestern gemacht?',
    'Worüber haben wir am 28. Februar gesprochen?',
    '¿Qué pasó ayer?',
    '¿Qué hicimos ayer?',
    "Qu'est-ce qui s'est passé hier ?",
    "Qu'avons-nous fait hier ?",
    'Cosa è successo ieri?',
    'O que aconteceu ontem?',
    'Wat is er gisteren gebeurd?',
    'Что случилось вчера?',
    '昨天发生了什么?',
    '我们昨天做了什么?',
    '昨日何がありましたか?',
    '昨日は何をした?',
    '어제 무엇을 했어?',
    '2026년 2월 28일에 뭐 했어?',
  ])('%s', async (query) => {
    expect(await recall(query)).toEqual(sorted(YESTERDAY));
  });

  it('of a longer time', async () => {
    expect(await recall('What happened in the last 7 days?')).toEqual(sorted(YESTERDAY, BEFORE));
    expect(await recall('What did we do in November?')).toEqual(sorted(LONG_AGO));
  });

  it.each([
    'What happened between 25 February and 28 February 2026?',
    'What did we do from February 25 to 28, 2026?',
    'my diary from 2026-02-25 to 2026-02-28',
    'Was ist vom 25. bis 28. Februar passiert?',
    "Qu'avons-nous fait entre le 25 et le 28 février ?",
    '2026년 2월 25일부터 2월 28일까지 무엇을 했어?',
  ])('of a range of days: %s', async (query) => {
    expect(await recall(query)).toEqual(sorted(YESTERDAY, BEFORE));
  });

  it('that a filter names', async () => {
    const until = '2026-02-25T23:59:59Z';
    expect(await recall('What happened?', { since: '2026-02-25T00:00:00Z', until })).toEqual(sorted(BEFORE));
    expect(await recall('Anything new?', { since: '2026-02-28T00:00:00Z' })).toEqual(sorted(YESTERDAY));
    expect(await recall('What happened yesterday?', { until: '2026-02-28T11:30:00Z' })).toEqual(
      sorted(YESTERDAY.slice(0, 2)),
    );
  });

  it('whether the index is in this process or in the database', async () => {
    const settings = { recallHeldBytes: 0 };
    const engine = createEngine({ database: kit.engine.database, clock: kit.clock, settings });
    const find = async (query: string, filters: object = {}) =>
      (await engine.agent(tenantId).recall({ query, ...filters })).results
        .map(({ content }) => content)
        .sort();
    expect(await find('What happened yesterday?')).toEqual(sorted(YESTERDAY));
    expect(await find('What happened?', { until: '2025-12-31T00:00:00Z' })).toEqual(sorted(LONG_AGO));
    expect(await find('What happened?', { since: '2026-02-28T00:00:00Z' })).toEqual(sorted(YESTERDAY));
  });
});

describe('a question for a topic and a day', () => {
  const PEOPLE =
    'Ada Bo Cleo Dirk Edda Finn Greta Hans Ilse Jon Kaja Lars Mona Nils Olga Piet Rosa Sven Tara Ulf'.split(
      ' ',
    );
  const THINGS =
    'boiler roof tax lease violin fence dentist printer garden invoice harbour kettle school ferry orchard tunnel'.split(
      ' ',
    );
  const PLACES =
    'station bakery library market cinema museum airport chapel stadium canteen nursery quay tower'.split(
      ' ',
    );
  const DAY = 'Lunch with Ottilie, who keeps bees.';
  const some = (list: readonly string[], n: number) => list[n % list.length];
  let settings: { recallHeldBytes: number } | undefined;
  let large: string;
  beforeAll(async () => {
    const created = await kit.tenant();
    large = created.tenantId;
    const meetings = Array.from({ length: 350 }, (_, n) => ({
      type: 'episodic' as const,
      content: `Meet ${some(PEOPLE, n * 7)} and ${some(PEOPLE, n * 3 + 1)} about the ${some(THINGS, n)} and the ${some(THINGS, n * 5 + 3)} at the ${some(PLACES, n)}.`,
      occurred_at: new Date(Date.UTC(2025, 5 + (n % 8), 1 + (n % 27), 9)).toISOString(),
    }));
    const lunch = { type: 'episodic' as const, content: DAY, occurred_at: '2025-05-03T12:00:00Z' };
    await created.agent().rememberBatch({ memories: [...meetings, lunch] });
  });
  const find = async (query: string, more: object = {}) => {
    const engine = createEngine({
      database: kit.engine.database,
      clock: kit.clock,
      ...(settings ? { settings } : {}),
    });
    return (await engine.agent(large).recall({ query, ...more })).results.map(({ content }) => content);
  };

  it.each([undefined, { recallHeldBytes: 0 }])(
    'finds what was on that day among much that has the topic, with %j',
    async (held) => {
      settings = held;
      expect(await find('Who did I meet on the 3rd of May?')).toContain(DAY);
      expect(await find('meeting on 2025-05-03')).toContain(DAY);
      expect(await find('Wen habe ich am 3. Mai getroffen?')).toContain(DAY);
    },
  );

  it('keeps to filters, and to what was before for a day that has nothing', async () => {
    expect(await find('Who did I meet on the 3rd of May?', { types: ['semantic'] })).toEqual([]);
    expect(await find('Who did I meet on the 4th of May?', { threshold: 0 })).not.toContain(DAY);
  });
});

describe('a question that names more, or no time at all,', () => {
  it('is answered by that, whatever its time', async () => {
    expect(await recall('What did Anna report yesterday?')).toEqual([YESTERDAY[1]]);
    expect(await recall('Which museum did we visit last week?')).toEqual([LONG_AGO[0]]);
    expect(await recall('When did the heating break down?')).toEqual([BEFORE[1]]);
  });

  it.each([
    'Can you do this yesterday?',
    'It was yesterday.',
    'Das war gestern.',
    'What must be done yesterday?',
  ])('as "%s" does', async (query) => expect((await recall(query)).length).toBeLessThan(YESTERDAY.length));

  it('is answered by what was said before that time about it', async () => {
    expect(await recall('What was the plan for last month?')).toContain(PLAN);
  });

  it('is answered by what happened then, which does not name the date', async () => {
    expect(await recall('What was deployed on 28 February 2026?')).toEqual([YESTERDAY[0]]);
  });
});

describe('a time in which nothing happened is answered by what has its words', () => {
  it.each([
    ['What happens tomorrow?', 'Tomorrow the dentist is closed.'],
    ['Anything new in June 2026?', 'In June 2026 there is a new office.'],
    ['What happened on 3 March 2024?', 'The flood of 3 March 2024 ruined the cellar.'],
  ])('%s', async (query, content) => {
    const other = (await kit.tenant()).agent();
    await other.remember({ type: 'semantic', content });
    await other.remember({ type: 'semantic', content: 'The user likes almonds.' });
    const { results } = await other.recall({ query, explain: true });
    expect(results.map((result) => result.content)).toEqual([content]);
    const [{ explanation } = {}] = results;
    const sum = explanation?.parts.reduce((all, { value }) => all + value, 0) ?? 0;
    expect(sum).toBeCloseTo(explanation?.total ?? -1, 6);
  });

  it('not what the agent or its user did otherwise, where one of them did something then', async () => {
    const other = (await kit.tenant()).agent();
    const content = 'What happened yesterday is told on the wiki.';
    const ofUser = { user_id: 'u1', occurred_at: '2026-02-28T10:00:00Z' };
    await other.remember({ type: 'semantic', content, ...ofUser });
    await other.remember({ type: 'semantic', content: 'The column "yesterday" happened to be empty.' });
    const { results } = await other.recall({ query: 'What happened yesterday?', user_id: 'u1' });
    expect(results.map((result) => result.content)).toEqual([content]);
  });
});

it('a time of which nothing is known finds nothing', async () => {
  expect(await recall('What happened in June 2019?')).toEqual([]);
});

it('explains what the time gave, in parts that add up', async () => {
  const { results } = await agent.recall({ query: 'What happened yesterday?', explain: true });
  for (const { explanation } of results) {
    expect(explanation?.parts.map(({ name }) => name)).toContain('time');
    const sum = explanation?.parts.reduce((all, { value }) => all + value, 0) ?? 0;
    expect(sum).toBeCloseTo(explanation?.total ?? -1, 6);
  }
});
