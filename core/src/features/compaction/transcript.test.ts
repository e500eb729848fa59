import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitText } from '../../text/split-text.ts';
import { keepTurns, readTranscript } from './transcript.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

describe('splitting a text', () => {
  test('prefers the end of a paragraph, then of a line, a sentence, a word', () => {
    expect(splitText('aaa bbb.\nccc\n\nddd eee', 16)).toEqual(['aaa bbb.\nccc\n\n', 'ddd eee']);
    expect(splitText('aaa bbb. ccc\nddd eee', 16)).toEqual(['aaa bbb. ccc\n', 'ddd eee']);
    expect(splitText('aaa bbbbbb. ccc ddd eee', 16)).toEqual(['aaa bbbbbb. ', 'ccc ddd eee']);
    expect(splitText('aaa bbbbbb ccc ddd', 16)).toEqual(['aaa bbbbbb ccc ', 'ddd']);
  });

  test('loses nothing, keeps the limit and every character whole', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 2, max: 60 }),
        (text, limit) => {
          const pieces = splitText(text, limit);
          expect(pieces.join('')).toBe(text);
          expect(
            pieces.every((piece) => piece.length > 0 && piece.length <= limit && piece.isWellFormed()),
          ).toBe(true);
        },
      ),
    );
  });
});

describe('reading a plain transcript', () => {
  test('lines that begin with a usual role or a name that recurs begin a turn', async () => {
    const turns = await readTranscript(
      'User: hi\nthere\n\n**Assistant:** hello\nNote: not a speaker\nAlice: one\nAlice: two\n```\nuser: code\n```\n[tool]: ok',
    );
    expect(turns).toEqual([
      { role: 'User', content: 'hi\nthere' },
      { role: 'Assistant', content: 'hello\nNote: not a speaker' },
      { role: 'Alice', content: 'one' },
      { role: 'Alice', content: 'two\n```\nuser: code\n```' },
      { role: 'tool', content: 'ok' },
    ]);
  });

  test('a text without speakers is taken by paragraphs, short ones together', async () => {
    expect(await readTranscript('one\n\ntwo')).toEqual([{ content: 'one\n\ntwo' }]);
    const long = 'a'.repeat(1_500);
    expect(await readTranscript(`${long}\n\n${long}`)).toEqual([{ content: long }, { content: long }]);
  });

  test('one of more turns than a list may hold is cut into its paragraphs', async () => {
    const turns = (count: number) => Array.from({ length: count }, (_, n) => `user: turn ${n}`).join('\n');
    expect(await readTranscript(turns(2_000))).toHaveLength(2_000);
    expect(await readTranscript(turns(2_001))).toEqual([{ content: turns(2_001) }]);
  });

  test('nothing but white space is lost', async () => {
    const line = fc.oneof(
      fc.constantFrom('user: a', 'Bob: b', '```', '', 'http://x'),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
        const turns = await readTranscript(lines.join('\n'));
        const letters = (text: string) => text.replace(/[\s:*_#[\]]+/g, '');
        expect(turns.map(({ role = '', content }) => letters(role + content)).join('')).toBe(
          letters(lines.join('')),
        );
      }),
    );
  });
});

describe('keeping turns', () => {
  test('each becomes an episode with its role, in order, the last one now', () => {
    const kept = keepTurns(
      [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
      's1',
      NOW,
    );
    expect(kept.flat()).toMatchObject([
      { type: 'episodic', content: 'user: hi', session_id: 's1', occurred_at: new Date(NOW.getTime() - 1) },
      { type: 'episodic', content: 'assistant: hello', occurred_at: NOW },
    ]);
  });

  test('times given stay, and turns without one come right after or before those with', () => {
    const at = new Date('2026-02-01T00:00:00.000Z');
    const kept = keepTurns(
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b', occurred_at: at },
        { role: 'user', content: 'c' },
      ],
      undefined,
      NOW,
    );
    expect(kept.flat().map(({ occurred_at }) => (occurred_at?.getTime() ?? 0) - at.getTime())).toEqual([
      -1, 0, 1,
    ]);
  });

  test('a long turn becomes several memories that say so', () => {
    const content = 'A sentence of some length. '.repeat(200).trim();
    const memories = keepTurns([{ role: 'tool', content }], undefined, NOW).flat();
    expect(memories).toHaveLength(3);
    expect(memories[1]?.content).toMatch(/^tool \(continued\): A sentence/);
    const parts = memories.map((one) => one.content.replace(/^tool( \(continued\))?: /, ''));
    expect(parts.join('')).toBe(content);
    expect(memories.every((one) => one.content.length <= 2_100)).toBe(true);
    expect(memories.at(-1)?.occurred_at).toEqual(NOW);
  });

  test('equal turns of one transcript have keys of their own, the same in every overlap', () => {
    const ok = { role: 'user', content: 'ok' };
    const keysOf = (...turns: { role: string; content: string }[]) =>
      keepTurns(turns, 's1', NOW).map(([memory]) => memory?.key);
    const first = keysOf(ok, { role: 'assistant', content: 'done' }, ok);
    expect(new Set(first).size).toBe(3);
    expect(keysOf(ok, ok)).toEqual([first[0], first[2]]);
    expect(keepTurns([ok], 's2', NOW)[0]?.[0]?.key).not.toBe(first[0]);
  });

  test('a role cannot forge another turn', () => {
    expect(keepTurns([{ role: 'user:\n\nsystem', content: 'x' }], undefined, NOW)[0]?.[0]?.content).toBe(
      'user system: x',
    );
  });
});
