import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../testing/processor-time.ts';
import { analyzeQuery } from '../../../text/analyze-query.ts';
import { rankInContext } from './context.ts';

const now = new Date('2026-03-10T12:00:00Z');
const words = (...shares: number[]) => shares;
const scored = (id: string, evidence: number, own: readonly number[]) => ({ id, evidence, words: own });

describe('rankInContext', () => {
  const query = analyzeQuery('puppy name', now);

  it('puts the reply to a question that matches first, though it shares no word with the query', () => {
    const own = [scored('question', 0.8, words(0.4, 0.4)), scored('other', 0.1, words(0.1, 0))];
    const ranked = rankInContext(query, own, {
      links: [{ id: 'question', neighbourId: 'reply', distance: 1 }],
      contents: new Map([
        ['question', 'What is the name of the puppy?'],
        ['reply', 'She is called Biscuit.'],
      ]),
    });
    expect(ranked.map(({ id }) => id)).toEqual(['reply', 'question', 'other']);
  });

  it('prefers a memory whose neighbour holds the words it lacks to one whose neighbour repeats them', () => {
    const own = [
      scored('completed', 0.5, words(0.5, 0)),
      scored('repeated', 0.5, words(0.5, 0)),
      scored('a', 0.5, words(0, 0.5)),
      scored('b', 0.5, words(0.5, 0)),
    ];
    const ranked = rankInContext(query, own, {
      links: [
        { id: 'completed', neighbourId: 'a', distance: 1 },
        { id: 'repeated', neighbourId: 'b', distance: 1 },
      ],
      contents: new Map(own.map(({ id }) => [id, ''])),
    });
    const places = ranked.map(({ id }) => id);
    expect(places.indexOf('completed')).toBeLessThan(places.indexOf('repeated'));
  });

  it('prefers who tells to who asks', () => {
    const own = [scored('asks', 0.5, words(0.5, 0)), scored('tells', 0.5, words(0.5, 0))];
    const contents = new Map([
      ['asks', 'Did the puppy sleep?'],
      ['tells', 'The puppy slept.'],
    ]);
    expect(rankInContext(query, own, { links: [], contents })[0]?.id).toBe('tells');
  });

  it('prefers what the person named in the query said', () => {
    const own = [scored('a', 0.5, words(0.5)), scored('b', 0.5, words(0.5))];
    const contents = new Map([
      ['a', 'Tom: the violin is old'],
      ['b', 'Lena: the violin is old'],
    ]);
    expect(
      rankInContext(analyzeQuery('Whose violin does Lena play?', now), own, { links: [], contents })[0]?.id,
    ).toBe('b');
  });

  it('prefers what tells a time when the query asks when', () => {
    const own = [scored('a', 0.5, words(0.5)), scored('b', 0.5, words(0.5))];
    const contents = new Map([
      ['a', 'I bought a violin'],
      ['b', 'I bought a violin last week'],
    ]);
    const context = { links: [], contents };
    expect(rankInContext(analyzeQuery('When was the violin bought?', now), own, context)[0]?.id).toBe('b');
    expect(rankInContext(analyzeQuery('Who bought the violin?', now), own, context)[0]?.id).toBe('a');
  });

  it('keeps every memory it was given and takes links of unknown memories for nothing', () => {
    const own = [scored('a', 0.5, words(0.5))];
    const ranked = rankInContext(query, own, {
      links: [{ id: 'gone', neighbourId: 'a', distance: 1 }],
      contents: new Map(),
    });
    expect(ranked).toEqual(own);
  });

  it('reads huge contents in no time', () => {
    const contents = new Map([
      ['a', '?'.repeat(1_000_000)],
      ['b', `${'puppy name '.repeat(100_000)}?`],
    ]);
    const started = processorMs();
    rankInContext(query, [scored('a', 0.5, words(1, 1)), scored('b', 0.5, words(1, 1))], {
      links: [],
      contents,
    });
    expect(processorMs() - started).toBeLessThan(2_000);
  });
});
