import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { isEmbedded } from '../../testing/index.ts';
import { principalPlane } from './project.ts';

const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-000000000001' };
const SEA = ['whales', 'sharks', 'seals', 'the tide', 'coral reefs', 'deep water'].map(
  (what) => `Swimming in the sea among ${what} and waves.`,
);
const LAW = ['contracts', 'courts', 'statutes', 'appeals', 'judges', 'verdicts'].map(
  (what) => `The lawyer argued in court about ${what} and liability.`,
);

const kit = useTestEngine();

const meet = async () => {
  const { agent: as } = await kit.tenant();
  const agent = as();
  const { session_key: sessionKey } = await agent.sessionKey();
  return { agent, human: as(HUMAN), sessionKey };
};

describe('the memory map', () => {
  it('places what is alike near each other, the same way each time', async () => {
    const { agent } = await meet();
    await agent.rememberBatch({
      memories: [...SEA, ...LAW].map((content) => ({ type: 'semantic' as const, content, tags: ['t'] })),
    });
    const { places, unplaced } = await agent.memoryMap();
    expect([places.length, unplaced]).toEqual([12, 0]);
    expect(places[0]).toEqual({
      id: expect.any(String),
      type: 'semantic',
      content: expect.stringContaining('The lawyer'),
      category: null,
      key: null,
      tags: ['t'],
      occurred_at: '2026-03-01T12:00:00.000Z',
      x: expect.any(Number),
      y: expect.any(Number),
      cluster: expect.any(Number),
    });
    const mean = (word: string) => {
      const own = places.filter(({ content }) => content.includes(word));
      return own.reduce((sum, { x }) => sum + x / own.length, 0);
    };
    expect(Math.abs(mean('sea') - mean('lawyer'))).toBeGreaterThan(0.8);
    expect((await agent.memoryMap()).places).toEqual(places);
    expect((await agent.memoryMap({ limit: 3 })).places.map(({ id }) => id)).toEqual(
      places.slice(0, 3).map(({ id }) => id),
    );
  });

  it('groups what lies together and names each group by its own words', async () => {
    const { agent } = await meet();
    const memories = [...SEA, ...LAW].map((content) => ({ type: 'semantic' as const, content }));
    await agent.rememberBatch({ memories });
    const { places, clusters } = await agent.memoryMap();
    expect(clusters.reduce((sum, { memories: size }) => sum + size, 0)).toBe(12);
    for (const [number, { terms, memories: size }] of clusters.entries()) {
      const own = places.filter(({ cluster }) => cluster === number);
      expect(own).toHaveLength(size);
      for (const term of terms) {
        expect(own.some(({ content }) => content.toLowerCase().includes(term))).toBe(true);
      }
    }
    const words = clusters.flatMap(({ terms }) => terms);
    expect(words.some((word) => ['sea', 'swimming', 'waves'].includes(word))).toBe(true);
    expect(words.some((word) => ['lawyer', 'argued', 'court', 'liability'].includes(word))).toBe(true);
    expect(words).not.toContain('the');
  });

  it('manages none, one, and copies of one', async () => {
    const { agent } = await meet();
    expect(await agent.memoryMap()).toEqual({ places: [], clusters: [], unplaced: 0 });
    await agent.remember({ type: 'semantic', content: 'The same sea.' });
    await agent.remember({ type: 'episodic', content: 'The same sea.' });
    const { places } = await agent.memoryMap();
    expect(places.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('shows the human no hidden memory, and no redacted one a place', async () => {
    const { agent, human, sessionKey } = await meet();
    await agent.remember({ type: 'semantic', content: 'An open book.' });
    await agent.remember({ type: 'semantic', content: 'A xyzzy secret.', tags: ['secret'] });
    await agent.remember({ type: 'episodic', content: 'A xyzzy diary.' });
    await agent.setVisibility(
      { types: { episodic: 'redacted' }, tags: { secret: 'hidden' } },
      { sessionKey },
    );
    const seen = await human.memoryMap();
    expect(seen.places.map(({ content }) => content)).toEqual(['An open book.']);
    expect(seen.unplaced).toBe(1);
    expect((await agent.memoryMap()).places).toHaveLength(3);
  });

  it.runIf(isEmbedded())('lets others use the database while it is made', async () => {
    const { agent } = await meet();
    const { agent: other } = await meet();
    const memories = Array.from({ length: 500 }, (_, n) => ({
      type: 'episodic' as const,
      content: `${SEA[n % 6]} ${LAW[n % 5]} Day ${n}.`,
    }));
    for (let batch = 0; batch < 3; batch += 1) await agent.rememberBatch({ memories });
    let isDone = false;
    const making = agent.memoryMap().finally(() => {
      isDone = true;
    });
    let answered = 0;
    for (; !isDone; answered += 1) await other.status();
    expect((await making).places).toHaveLength(1_500);
    // With one transaction for all of it, a single call comes before it and waits for all of it.
    expect(answered).toBeGreaterThan(5);
  });

  it('cuts long contents', async () => {
    const { agent } = await meet();
    await agent.remember({ type: 'semantic', content: 'sea '.repeat(1_000) });
    expect((await agent.memoryMap()).places[0]?.content).toHaveLength(160);
  });
});

describe('the calendar', () => {
  it('counts by the days of a time zone, also where the clocks change', async () => {
    const { agent } = await meet();
    const moments = [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ];
    await agent.rememberBatch({
      memories: moments.map((at) => ({ type: 'episodic' as const, content: `at ${at}`, occurred_at: at })),
    });
    const period = { since: '2026-03-27', until: '2026-04-01' };
    expect((await agent.memoryCalendar({ ...period, time_zone: 'Europe/Berlin' })).days).toEqual([
      { date: '2026-03-28', memories: 1 },
      { date: '2026-03-29', memories: 2 },
      { date: '2026-03-30', memories: 1 },
    ]);
    expect((await agent.memoryCalendar({ ...period, time_zone: 'Asia/Kathmandu' })).days[0]).toEqual({
      date: '2026-03-29',
      memories: 2,
    });
  });

  it.each(['Nowhere/Town', '+02:00', "UTC'; DROP TABLE memories; --", ''])(
    'knows no time zone %j',
    async (name) => {
      const { agent } = await meet();
      await expect(
        agent.memoryCalendar({ since: '2026-03-27', until: '2026-04-01', time_zone: name }),
      ).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'time_zone' }],
      });
    },
  );

  it('counts the memories of each day that the caller may know of', async () => {
    const { agent, human, sessionKey } = await meet();
    const on = (at: string, tags: string[] = []) => ({
      type: 'episodic' as const,
      content: `at ${at}`,
      occurred_at: at,
      tags,
    });
    await agent.rememberBatch({
      memories: [
        on('2026-01-01T23:59:59.999Z'),
        on('2026-01-01T00:00:00Z', ['secret']),
        on('2026-01-03T12:00:00+13:00'),
        on('2025-12-31T12:00:00Z'),
        { type: 'semantic', content: 'known', occurred_at: '2026-01-01T10:00:00Z' },
      ],
    });
    const period = { since: '2026-01-01', until: '2026-01-31' };
    expect((await agent.memoryCalendar(period)).days).toEqual([
      { date: '2026-01-01', memories: 3 },
      { date: '2026-01-02', memories: 1 },
    ]);
    await agent.setVisibility(
      { types: { semantic: 'redacted' }, tags: { secret: 'hidden' } },
      { sessionKey },
    );
    expect((await human.memoryCalendar(period)).days[0]).toEqual({ date: '2026-01-01', memories: 2 });
    expect((await agent.memoryCalendar({ ...period, types: ['semantic'] })).days).toEqual([
      { date: '2026-01-01', memories: 1 },
    ]);
  });
});

describe('the plane in which vectors differ most', () => {
  it('has the longest spread first, at right angles to the second', async () => {
    const vectors = Array.from({ length: 40 }, (_, index) =>
      Float32Array.of(0.5, Math.cos(index) * 3, Math.sin(index), 7),
    );
    const { axes, middle } = await principalPlane(vectors);
    expect([...axes[0]].map((part) => Math.round(10 * part) / 10 + 0)).toEqual([0, 1, 0, 0]);
    expect([...axes[1]].map((part) => Math.round(10 * part) / 10 + 0)).toEqual([0, 0, 1, 0]);
    expect(middle[3]).toBeCloseTo(7);
  });
});
