import { describe, expect, it } from 'vitest';
import { analyzeDocument } from './analyze-document.ts';
import { passagesOf } from './passages.ts';

const sentence = 'The boats came home in the evening and nobody had caught a single fish. ';

describe('passagesOf', () => {
  it.each([
    ['nothing', ''],
    ['a sentence', sentence],
    ['32 kB of sentences', sentence.repeat(450)],
    ['32 kB of one word', 'a'.repeat(32_768)],
    ['32 kB of Han', '船'.repeat(32_768)],
    ['lone surrogates', '\ud800x'.repeat(10_000)],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(2_000)],
    ['line breaks', '\n'.repeat(5_000)],
    ['mixed scripts', `${sentence}漁船は夕方に帰ってきた。${sentence}`.repeat(100)],
  ])('puts %s together again, in at most 255 passages', (_, text) => {
    const passages = passagesOf(text);
    expect(passages.length).toBeLessThanOrEqual(255);
    expect(passages.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
    for (const { start } of passages.slice(1)) expect(text.slice(start)).not.toMatch(/^[\udc00-\udfff]/);
  });

  it('is one for a text that is read at a glance, and ends with sentences', () => {
    expect(passagesOf(sentence.repeat(5))).toHaveLength(1);
    const text = sentence.repeat(40);
    for (const { end } of passagesOf(text).slice(0, -1)) expect(text.slice(0, end)).toMatch(/fish\. $/);
  });
});

describe('analyzeDocument', () => {
  it('tells which passages hold a term', () => {
    const text = `${sentence.repeat(20)}The key hangs behind the shed. ${sentence.repeat(20)}`;
    const { passages } = analyzeDocument(text);
    const [place = -1] = passages?.get('shed') ?? [];
    const passage = passagesOf(text)[place];
    expect(text.slice(passage?.start, passage?.end)).toContain('behind the shed');
    expect(passages?.get('boat')?.length).toBeGreaterThan(5);
    expect(analyzeDocument(sentence).passages).toBeUndefined();
  });
});
