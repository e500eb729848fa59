import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, type TestEngine } from '../../testing/index.ts';
import { processorMs } from '../../testing/processor-time.ts';
import { seeded } from './flood.fixture.ts';
import { startHolding } from './in-memory-index/index-cache.fixture.ts';

let kit: TestEngine;
let held: Awaited<ReturnType<typeof startHolding>>['held'];
beforeAll(async () => {
  ({ kit, held } = await startHolding());
});
afterAll(() => kit.close());

/** Pieces that texts are put together from: scripts, signs, marks, and what looks like markup, dates or identifiers. */
const PIECES = [
  ...'violin|Käfer|Straße|жук|甲虫|カブトムシ|딱정벌레|خنفساء|חיפושית|भृंग|ด้วง|🪲|👩‍👩‍👧|e\u0301\u0301|ﷺ|ß|İ|ǆ'.split(
    '|',
  ),
  ...'?|!|。|？|\n|\t| | \u00a0|\u200d|\u202e|\ufeff|%_\\|\'"|--|$1|{}|[(|*+|a.b.c|x_y/z@q|2024-13-45|31.02.2024|Q9 2025'.split(
    '|',
  ),
  ...'last 999 weeks ago|上个月|vor 999 Tagen|between may and may|1,000,000|0x7f|#### |user: |null'.split(
    '|',
  ),
];
const random = seeded(18);
const made = (most: number): string => {
  let text = 'violin';
  const length = Math.floor(random() * most);
  while (text.length < length) {
    text += `${PIECES[Math.floor(random() * PIECES.length)]}${random() < 0.3 ? ' ' : ''}`;
  }
  return text.slice(0, most).toWellFormed();
};

const LONGEST_QUERY = 4_096;
const LONGEST_CONTENT = 32_768;
const repeated = (piece: string, most: number) =>
  piece
    .repeat(Math.ceil(most / piece.length))
    .slice(0, most)
    .toWellFormed();
const REPEATED = [
  'a',
  'violin',
  'violin ',
  'käfer? ',
  '甲',
  '甲虫。',
  '🪲',
  '?',
  'may ',
  '1',
  'x.',
  'e\u0301',
  '\u202e',
];
/** Of processor time, far above what any takes: a search whose time grows with the square of a text takes minutes. */
const STALL_MS = 5_000;

describe('recall of any text', () => {
  it('answers any query over any memories, wherever it searches, in no time', async () => {
    const { here, there } = await held(20);
    const contents = [
      ...REPEATED.map((piece) => repeated(piece, LONGEST_CONTENT)),
      ...Array.from({ length: 20 }, () => made(2_000)),
      ...Array.from({ length: 4 }, () => made(LONGEST_CONTENT)),
    ];
    const { memories } = await there.rememberBatch({
      memories: contents.map((content) => ({ type: 'semantic', content })),
    });
    expect(memories).toHaveLength(contents.length);
    const queries = [
      ...REPEATED.map((piece) => repeated(piece, LONGEST_QUERY)).filter((query) => query.trim() !== ''),
      ...Array.from({ length: cases(4, 75) }, () => made(120)),
      ...Array.from({ length: cases(2, 25) }, () => made(LONGEST_QUERY)),
    ];
    for (const query of queries) {
      for (const memory of [here, there]) {
        const started = processorMs();
        const { results } = await memory.recall({ query, threshold: 0, max_content_characters: 100 });
        expect(processorMs() - started, query.slice(0, 80)).toBeLessThan(STALL_MS);
        expect(results.length, query.slice(0, 80)).toBeGreaterThan(0);
        for (const { content, similarity } of results) {
          expect(content).toBe(content.toWellFormed());
          expect(similarity >= 0 && similarity <= 1).toBe(true);
        }
      }
    }
  });

  it.each(['violin \ud83e', '\udeb2 violin', 'violin \u0000'])(
    'refuses what no text can be: %j',
    async (query) => {
      const { agent } = await kit.tenant();
      await expect(agent().recall({ query })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );
});
