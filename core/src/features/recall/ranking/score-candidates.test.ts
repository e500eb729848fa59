import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '../../../text/analyze-query.ts';
import { createStaticEmbedder } from '../../embedding/static/static-embedder.ts';
import type { Corpus, RankInput } from './input.ts';
import { recallFrom, smallStores } from './ranking.fixture.ts';
import { scoreCandidates } from './score-candidates.ts';
import { EVEN, similarityScale } from './similarity.ts';

const embedder = createStaticEmbedder();
const now = new Date('2026-03-10T12:00:00Z');
const corpus: Corpus = { documents: 100, averageLength: 12, documentFrequency: new Map() };

function candidate(id: string, changes: Partial<RankInput> = {}): RankInput {
  return {
    id,
    cosine: null,
    matched: [],
    length: 12,
    importance: 0.5,
    time: Date.parse('2026-01-01T00:00:00Z'),
    ...changes,
  };
}

function order(query: string, candidates: readonly RankInput[]): string[] {
  return scoreCandidates(analyzeQuery(query, now), corpus, candidates, embedder.calibration).map(
    ({ id }) => id,
  );
}

describe('stores of a few memories', () => {
  async function rates(options?: { lexicalOnly: boolean }) {
    const counts = { asked: 0, first: 0, passed: 0, unanswerable: 0, silent: 0, wrong: 0 };
    for (const store of smallStores) {
      for (const [text, answer] of store.queries) {
        const results = await recallFrom(store, text, embedder, options);
        const passing = results.filter(({ similarity }) => similarity >= 0.5).map(({ id }) => id);
        // Neighbours in a session come along on purpose.
        if (!store.oneSession) counts.wrong += passing.filter((id) => id !== String(answer)).length;
        if (answer === null) {
          counts.unanswerable++;
          if (passing.length === 0) counts.silent++;
        } else {
          counts.asked++;
          if (results[0]?.id === String(answer)) counts.first++;
          if (passing.includes(String(answer))) counts.passed++;
        }
      }
    }
    return counts;
  }

  it('answers with the right memory first, above the default threshold, and little beside it', async () => {
    const { asked, first, passed, unanswerable, silent, wrong } = await rates();
    expect(asked).toBeGreaterThan(60);
    expect(first / asked).toBeGreaterThanOrEqual(0.92);
    expect(passed / asked).toBeGreaterThanOrEqual(0.85);
    expect(silent / unanswerable).toBeGreaterThanOrEqual(0.9);
    expect(wrong / asked).toBeLessThanOrEqual(0.2);
  });

  it('still answers by words alone when the embedder is away', async () => {
    const { asked, first, passed, unanswerable, silent } = await rates({ lexicalOnly: true });
    expect(first / asked).toBeGreaterThanOrEqual(0.9);
    expect(passed / asked).toBeGreaterThanOrEqual(0.7);
    expect(silent / unanswerable).toBeGreaterThanOrEqual(0.9);
  });

  it.each(smallStores)(
    'finds each memory of "$name" by its own text with a similarity of 0.9 or more',
    async (store) => {
      for (const [i, memory] of store.memories.entries()) {
        const [best] = await recallFrom(store, memory, embedder);
        expect(best?.id, memory).toBe(String(i));
        expect(best?.similarity, memory).toBeGreaterThanOrEqual(0.9);
      }
    },
  );

  it('finds by its own text even a memory without words', async () => {
    const [best] = await recallFrom({ memories: ['🎉', 'The party is on Friday.'] }, '🎉', embedder);
    expect(best).toMatchObject({ id: '0' });
    expect(best?.similarity).toBeGreaterThanOrEqual(0.9);
  });

  it('answers the question inside a long message', async () => {
    const store = {
      memories: [
        'The staging server is restarted every night at two.',
        'Office hours: meetings only after ten.',
        'Notes of the train journey to Bern.',
      ],
    };
    const message =
      'Good morning! I just came out of three meetings and have to catch a train to the office soon, so please be ' +
      'brief. When is the staging server restarted? I could not find it in my notes of the journey.';
    const results = await recallFrom(store, message, embedder);
    expect(results[0]?.id).toBe('0');
    expect(results[0]?.similarity).toBeGreaterThanOrEqual(0.5);
  });
});

describe('scoreCandidates', () => {
  it('returns every candidate, best first, with similarities between 0 and 1 in the same order', () => {
    const scored = scoreCandidates(
      analyzeQuery('violin lessons', now),
      corpus,
      [
        candidate('none'),
        candidate('both', {
          matched: [
            { term: 'violin', frequency: 3 },
            { term: 'lesson', frequency: 9 },
          ],
        }),
        candidate('one', { matched: [{ term: 'violin', frequency: 1 }] }),
      ],
      embedder.calibration,
    );
    expect(scored.map(({ id }) => id)).toEqual(['both', 'one', 'none']);
    const similarityOf = similarityScale({ loudest: scored[0]?.evidence ?? 0, even: EVEN });
    const similarities = scored.map(({ evidence }) => similarityOf(evidence));
    expect([...similarities].sort((a, b) => b - a)).toEqual(similarities);
    expect(Math.max(...similarities)).toBeLessThanOrEqual(1);
    expect(Math.min(...similarities)).toBe(0);
  });

  it('prefers the rarer word of the tenant', () => {
    const many: Corpus = {
      ...corpus,
      documentFrequency: new Map([
        ['meet', 80],
        ['violin', 1],
      ]),
    };
    const [best] = scoreCandidates(
      analyzeQuery('violin meeting', now),
      many,
      [
        candidate('frequent', { matched: [{ term: 'meet', frequency: 1 }] }),
        candidate('rare', { matched: [{ term: 'violin', frequency: 1 }] }),
      ],
      embedder.calibration,
    );
    expect(best?.id).toBe('rare');
  });

  it('orders by the vector what no word and no likeness speaks for', () => {
    expect(
      order('beverage', [
        candidate('a', { cosine: -0.2 }),
        candidate('b', { cosine: 0.05 }),
        candidate('c', { cosine: 0.3 }),
      ]),
    ).toEqual(['c', 'b', 'a']);
  });

  it('lets that decide nothing where anything else speaks for a memory', () => {
    const plan = [{ term: 'plan', frequency: 1 }];
    const [best] = scoreCandidates(
      analyzeQuery('plan budget', now),
      corpus,
      [
        candidate('a', { matched: plan, cosine: 0, importance: 0.8 }),
        candidate('b', { matched: plan, cosine: 0.3 }),
      ],
      embedder.calibration,
    );
    expect(best?.id).toBe('a');
  });

  it('finds by the vector what shares no word with the query', () => {
    expect(
      order('beverage', [candidate('far', { cosine: 0.1 }), candidate('near', { cosine: 0.7 })]),
    ).toEqual(['near', 'far']);
  });

  it('takes a vector that is not finite for none', () => {
    const [only] = scoreCandidates(
      analyzeQuery('beverage', now),
      corpus,
      [candidate('a', { cosine: Number.NaN })],
      embedder.calibration,
    );
    expect(only?.evidence).toBe(0);
  });

  const matched = [{ term: 'offic', frequency: 1 }];
  it('prefers what happened in the time the query names', () => {
    const may = candidate('may', { matched, time: Date.parse('2025-05-20T00:00:00Z') });
    const june = candidate('a june', { matched, time: Date.parse('2025-09-20T00:00:00Z') });
    expect(order('office in May 2025', [june, may])[0]).toBe('may');
  });

  it('prefers the newest when the query asks for the latest', () => {
    const old = candidate('a old', { matched, time: Date.parse('2024-05-20T00:00:00Z') });
    const recent = candidate('new', { matched, time: Date.parse('2026-02-20T00:00:00Z') });
    expect(order('latest office', [old, recent])[0]).toBe('new');
    expect(order('office', [old, recent])[0]).toBe('a old');
  });

  it('lets importance decide only between memories that match alike', () => {
    const important = candidate('z', { matched, importance: 1 });
    expect(order('office', [candidate('a', { matched, importance: 0 }), important])[0]).toBe('z');
    const better = candidate('b', { matched: [...matched, { term: 'violin', frequency: 1 }], importance: 0 });
    expect(order('office violin', [important, better])[0]).toBe('b');
  });

  it('gives the same order whatever the order of the candidates', () => {
    const candidates = ['c', 'a', 'b'].map((id) => candidate(id, { matched }));
    expect(order('office', candidates)).toEqual(order('office', [...candidates].reverse()));
  });

  it('accepts an empty query, an empty store and no candidates', () => {
    const empty = { documents: 0, averageLength: 0, documentFrequency: new Map() };
    expect(scoreCandidates(analyzeQuery('', now), empty, [], embedder.calibration)).toEqual([]);
    const [only] = scoreCandidates(analyzeQuery('', now), empty, [candidate('a')], embedder.calibration);
    expect(only).toMatchObject({ evidence: 0 });
  });
});
