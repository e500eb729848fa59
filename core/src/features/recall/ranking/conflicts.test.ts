import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../../testing/engine.fixture.ts';

const kit = useTestEngine();

it('puts a newer fact before an older one that it contradicts, which names it', async () => {
  const agent = (await kit.tenant()).agent();
  const say = async (content: string, occurred_at: string) =>
    (await agent.remember({ type: 'semantic', content, occurred_at })).memory.id;
  const older = await say('All alerts land in #ops-alarms on Slack', '2026-01-01');
  const newer = await say(
    'The only place alerts are sent to is the Teams channel Siren, mute it at your own risk',
    '2026-01-02',
  );
  const { results } = await agent.recall({
    query: 'Where do alerts land?',
    threshold: 0,
    explain: true,
  });
  expect(results.map(({ id }) => id)).toEqual([newer, older]);
  const [first, second] = results;
  expect(first).not.toHaveProperty('conflicts_with');
  expect(second).toMatchObject({ conflicts_with: [newer] });
  expect(first?.similarity).toBeGreaterThanOrEqual(second?.similarity ?? 1);
  const parts = first?.explanation?.parts.reduce((sum, { value }) => sum + value, 0) ?? 0;
  expect(parts).toBeCloseTo(first?.explanation?.total ?? -1, 5);
});

describe('of somebody of whom much is told', () => {
  const TOLD = [
    'Ms. Okafor lives in Leeds.',
    'Ms. Okafor plays the viola.',
    'Ms. Okafor drives a blue Fiat.',
    'Ms. Okafor has two cats.',
    'Ms. Okafor switched her pension to Aegon.',
    'Ms. Okafor moved her piano lesson to Thursday.',
    'Ms. Okafor cancelled her gym membership.',
  ];
  const told = async () => {
    const agent = (await kit.tenant()).agent();
    const stored = [];
    for (const [day, content] of TOLD.entries())
      stored.push(await agent.remember({ type: 'semantic', content, occurred_at: `2026-01-0${day + 1}` }));
    return { agent, stored };
  };

  it.each([
    ['Where does Ms. Okafor live?', TOLD[0]],
    ['Which car does Ms. Okafor drive?', TOLD[2]],
    ['How many cats does Ms. Okafor have?', TOLD[3]],
  ])('puts what is asked for before newer facts about something else: %s', async (query, answer) => {
    const { agent } = await told();
    const { results } = await agent.recall({ query, threshold: 0 });
    expect(results[0]?.content).toBe(answer);
    expect(results[0]).not.toHaveProperty('conflicts_with');
  });

  it('says of no newer fact about something else that it replaces or contradicts one', async () => {
    const { agent, stored } = await told();
    expect(stored.flatMap(({ superseded, conflicts }) => [superseded, conflicts]).filter(Boolean)).toEqual(
      [],
    );
    const { memory, superseded } = await agent.remember({
      type: 'semantic',
      content: 'Ms. Okafor moved to York.',
    });
    expect(superseded).toMatchObject([{ content: TOLD[0] }]);
    const { results } = await agent.recall({ query: 'Where does Ms. Okafor live?', threshold: 0 });
    expect(results.map(({ content }) => content)).not.toContain(TOLD[0]);
    expect(results.some(({ id }) => id === memory.id)).toBe(true);
  });

  it('says so of a business, too', async () => {
    const agent = (await kit.tenant()).agent();
    const say = (content: string) => agent.remember({ type: 'semantic', content });
    for (const content of [
      'Corner Bikes is run by Lotte.',
      'Corner Bikes takes cards with SumUp.',
      'The tyres at Corner Bikes come from Vredestein.',
      'Visits of the workshop at Corner Bikes are booked by phone.',
      'The till of Corner Bikes is a Lightspeed.',
      'Corner Bikes has a cellar.',
      'Corner Bikes opens at nine.',
    ])
      await say(content);
    for (const content of [
      'Corner Bikes moved its newsletter to Mailjet.',
      'Corner Bikes stopped selling helmets.',
    ])
      expect(await say(content)).not.toHaveProperty('conflicts');
    expect((await say('Corner Bikes now takes cards with Square.')).superseded).toMatchObject([
      { content: 'Corner Bikes takes cards with SumUp.' },
    ]);
  });
});

describe('a fact below the threshold', () => {
  const OLDER = 'All alerts land in #ops-alarms on Slack';
  const NEWER = 'The only place alerts are sent to is the Teams channel Siren, mute it at your own risk';
  const ASKED = 'Maya: Where do alerts land?';
  const told = async () => {
    const agent = (await kit.tenant()).agent();
    const say = async (type: 'semantic' | 'episodic', content: string, occurred_at: string) =>
      (await agent.remember({ type, content, occurred_at })).memory.id;
    await say('semantic', OLDER, '2026-01-01');
    await say('semantic', NEWER, '2026-01-02');
    await say('episodic', ASKED, '2026-01-03');
    return async (threshold: number) =>
      (await agent.recall({ query: 'Where do alerts land?', threshold, limit: 5 })).results;
  };

  it('is no result for contradicting what is below the threshold too', async () => {
    const recall = await told();
    const [asked, newer, older] = await recall(0);
    expect([asked, newer, older].map((one) => one?.content)).toEqual([ASKED, NEWER, OLDER]);
    expect(older?.conflicts_with).toHaveLength(1);
    const between = ((asked?.similarity ?? 0) + (newer?.similarity ?? 1)) / 2;
    expect((await recall(between)).map(({ content }) => content)).toEqual([ASKED]);
  });
});

it('names a newer fact also where that is none of the results, so that it can be read', async () => {
  const agent = (await kit.tenant()).agent();
  const say = (content: string, occurred_at: string) =>
    agent.remember({ type: 'semantic', content, occurred_at });
  await say('The wiki service uses Oracle.', '2025-01-01');
  const { memory: newer } = await say('The wiki was migrated to MariaDB.', '2025-05-03');
  const query = 'Which database did the wiki service use before?';
  const { results } = await agent.recall({ query, threshold: 0, limit: 1 });
  expect(results).toMatchObject([{ content: 'The wiki service uses Oracle.', conflicts_with: [newer.id] }]);
  expect((await agent.get({ id: newer.id })).memory.content).toBe(newer.content);
});

it('marks nothing where both hold', async () => {
  const agent = (await kit.tenant()).agent();
  await agent.remember({ type: 'semantic', content: 'My brother Tom is 30', occurred_at: '2026-01-01' });
  await agent.remember({ type: 'semantic', content: 'My sister Ann is 27', occurred_at: '2026-01-02' });
  const { results } = await agent.recall({ query: 'How old are my brother and sister?', threshold: 0 });
  expect(results).toHaveLength(2);
  for (const result of results) expect(result).not.toHaveProperty('conflicts_with');
});

it('lets what comes from outside contradict nothing that the agent wrote', async () => {
  const tenant = await kit.tenant();
  const agent = tenant.agent();
  await agent.remember({ type: 'semantic', content: 'The login page is slow', occurred_at: '2026-01-01' });
  const outside = tenant.agent({ source: 'webhook', credentialId: null });
  await outside.remember({
    type: 'semantic',
    content: 'The login page is blue now',
    occurred_at: '2026-01-02',
  });
  const { results } = await agent.recall({ query: 'How is the login page?', threshold: 0 });
  expect(results).toHaveLength(2);
  for (const result of results) expect(result).not.toHaveProperty('conflicts_with');
});

it('leaves the older one first where the newer one says little of what is asked', async () => {
  const agent = (await kit.tenant()).agent();
  const say = async (content: string, occurred_at: string) =>
    (await agent.remember({ type: 'semantic', content, occurred_at })).memory.id;
  const older = await say('The login page is painfully slow', '2026-01-01');
  await say('The login page is blue now', '2026-01-02');
  const { results } = await agent.recall({ query: 'what is painfully slow?', threshold: 0 });
  expect(results[0]?.id).toBe(older);
});

it.each([
  [
    'The invoices are checked by Mrs. Holt',
    'Mr. Adeyemi checks the invoices before they go out',
    'Who checks the invoices?',
  ],
  [
    'The mail gateway listens on port 2525.',
    'Curl against the mail gateway answers at 2587 only, noted that in the smoke test.',
    'Which port does the mail gateway use?',
  ],
  [
    'Mira is captain of the rowing crew.',
    'The rowing crew voted after training and made Tove captain.',
    'Who captains the rowing crew?',
  ],
  // In conflict by what the two say alone, whatever of it is asked.
  ['The wiki service uses Oracle.', 'The wiki was migrated to MariaDB.', 'Which database does the wiki use?'],
])(
  'puts a newer fact about what is asked first, however it is worded, and marks the older one',
  async (old, other, query) => {
    const agent = (await kit.tenant()).agent();
    const say = async (content: string, occurred_at: string) =>
      (await agent.remember({ type: 'semantic', content, occurred_at })).memory.id;
    const older = await say(old, '2026-01-01');
    const newer = await say(other, '2026-01-02');
    const { results } = await agent.recall({ query, threshold: 0 });
    expect(results.map(({ id }) => id)).toEqual([newer, older]);
    expect(results[1]).toMatchObject({ conflicts_with: [newer] });
  },
);

it.each([
  ['by its name', 'Oskar sleeps in the attic', 'Berta sleeps in the cellar', 'Where does Oskar sleep?'],
  ['by its number', 'Room 12 seats 30', 'Room 14 seats 18', 'How many does room 12 seat?'],
  ['by its time', 'On Monday we eat fish', 'On Tuesday we eat rice', 'What do we eat on Monday?'],
])('marks nothing and keeps the older one first where it is asked for %s', async (_, old, other, query) => {
  const agent = (await kit.tenant()).agent();
  const { memory } = await agent.remember({ type: 'semantic', content: old, occurred_at: '2026-01-01' });
  await agent.remember({ type: 'semantic', content: other, occurred_at: '2026-01-02' });
  const { results } = await agent.recall({ query, threshold: 0 });
  expect(results).toHaveLength(2);
  expect(results[0]?.id).toBe(memory.id);
  for (const result of results) expect(result).not.toHaveProperty('conflicts_with');
});

describe.each([
  [
    'The quarterly report of the sales team is written by Ada.',
    'Ben writes the report now.',
    'Who writes the quarterly report of the sales team?',
  ],
  [
    'The staging database of the billing service runs on host db-7 in Frankfurt.',
    'Moved the billing staging database to db-9.',
    'On which host does the staging database of the billing service run?',
  ],
])(
  'an older fact is not shown without the newer one, which shares less with the question: %s',
  (older, newer, query) => {
    const stored = async () => {
      const { agent } = await kit.tenant();
      const say = async (content: string, occurred_at: string) =>
        (await agent().remember({ type: 'semantic', content, occurred_at })).memory.id;
      const others = [
        'The cat sleeps on the sofa.',
        'Tea is kept in the blue tin.',
        'Lunch is at noon.',
        'Friday is for reviews.',
      ];
      for (const content of others) await say(content, '2025-06-01');
      await say(older, '2025-01-10');
      return { agent, id: await say(newer, '2026-01-10') };
    };

    it('by default', async () => {
      const { agent, id } = await stored();
      const { results } = await agent().recall({ query });
      expect(results.map(({ content }) => content)).toEqual([newer, older]);
      expect(results[1]?.conflicts_with).toEqual([id]);
    });

    it.each([{ limit: 1 }, { max_tokens: 16 }])('where there is room for one: %j', async (room) => {
      const { agent } = await stored();
      const { results } = await agent().recall({ query, ...room });
      expect(results.map(({ content }) => content)).toEqual([newer]);
    });

    it('but as of a time before it', async () => {
      const { agent } = await stored();
      const { results } = await agent().recall({ query, as_of: '2025-12-31' });
      expect(results.map(({ content }) => content)).toEqual([older]);
    });
  },
);

it.each([
  [
    "Maja's shoe size is 31.",
    "Leo's shoe size is 35 now.",
    "what is Maja's shoe size?",
    "what is Leo's shoe size?",
  ],
  [
    'Log retention is 30 days.',
    'Audit log retention is now 365 days.',
    'what is the log retention?',
    'what is the retention of audit logs?',
  ],
  [
    'The session timeout of the customer app is 60 minutes.',
    'The session timeout of the admin app is now 15 minutes.',
    'session timeout of the customer app',
    'session timeout of the admin app',
  ],
])(
  'a question for one of two finds that first, although the newer may contradict it: %s',
  async (older, newer, forOlder, forNewer) => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'semantic', content: older });
    await agent.remember({ type: 'semantic', content: newer });
    const first = async (query: string) => (await agent.recall({ query })).results[0]?.content;
    expect(await first(forOlder)).toBe(older);
    expect(await first(forNewer)).toBe(newer);
  },
);

it('a newer memory of what was before stays behind the one that holds', async () => {
  const agent = (await kit.tenant()).agent();
  const holding = 'La oficina se mudó a la Bertoldstraße 5.';
  for (const content of [holding, 'La panadería abre a las 7.', 'Antes la oficina estaba en Emmendingen.'])
    await agent.remember({ type: 'semantic', content });
  const { results } = await agent.recall({ query: '¿dónde está la oficina?' });
  expect(results[0]?.content).toBe(holding);
});

it.each([
  [
    'The wiki service uses Oracle.',
    'The wiki was migrated to MariaDB.',
    'Which database did the wiki use before?',
    'Which database does the wiki use, before we release?',
  ],
  [
    'The wiki service uses Oracle.',
    'The wiki was migrated to MariaDB.',
    'Which database did the wiki use previously?',
    'What did we choose as the database of the wiki?',
  ],
  [
    'La base de datos de Lince es MySQL.',
    'Migramos Lince a PostgreSQL el mes pasado.',
    '¿Qué base de datos usaba Lince antes?',
    '¿Qué base de datos usa Lince antes de migrar otra vez?',
  ],
])(
  'a question for what was finds the older of two in doubt first: %s',
  async (old, other, forBefore, forNow) => {
    const agent = (await kit.tenant()).agent();
    const older = (await agent.remember({ type: 'semantic', content: old })).memory.id;
    const { memory, conflicts } = await agent.remember({ type: 'semantic', content: other });
    expect(conflicts).toMatchObject([{ id: older }]);
    const asked = async (query: string) =>
      (await agent.recall({ query, threshold: 0 })).results.map(({ id }) => id);
    expect(await asked(forBefore)).toEqual([older, memory.id]);
    expect(await asked(forNow)).toEqual([memory.id, older]);
  },
);
