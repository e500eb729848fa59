import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { genericFramework } from './frameworks/generic.ts';
import { type Range, readTurns } from './transcript.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-transcript-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 't.jsonl');

const said = (content: string, role = 'user') => `${JSON.stringify({ role, content })}\n`;
const used = (command: string) =>
  `${JSON.stringify({ role: 'assistant', content: [{ type: 'tool_use', name: 'Bash', input: { command } }] })}\n`;

function read(text: string, { start = 0, complete = false }: Partial<Range> = {}) {
  writeFileSync(path, text);
  const batches = [...readTurns(path, genericFramework.toLine, { start, complete })];
  return {
    batches,
    end: batches.at(-1)?.end ?? -1,
    turns: batches.flatMap(({ turns }) => turns.map(({ content }) => content)),
  };
}

describe('reading a transcript', () => {
  test('goes on where it ended, and leaves a line that is still being written', () => {
    const whole = said('One.') + said('Two.');
    const first = read(`${whole}{"role":"us`);
    expect(first).toMatchObject({ turns: ['One.', 'Two.'], end: whole.length });
    const second = read(`${whole}${said('Three.')}`, { start: first.end });
    expect(second.turns).toEqual(['Three.']);
    expect(read(`${whole}${said('Three.')}`, { start: second.end }).turns).toEqual([]);
  });

  test('starts anew in a file that has become shorter', () => {
    expect(read(said('One.'), { start: 10_000 }).turns).toEqual(['One.']);
  });

  test('passes over what is no JSON, empty lines and a byte order mark', () => {
    expect(read(`\uFEFFx\n\r\nnull\n7\n${said('One.').replace('\n', '\r\n')}`).turns).toEqual(['One.']);
    expect(read(`\uFEFF${said('One.')}${said('Two.')}`).turns).toEqual(['One.', 'Two.']);
  });

  test('tells tool calls together, once the turn they belong to is over', () => {
    const calls = used('a') + used('b');
    const open = read(said('Go.') + calls);
    expect(open).toMatchObject({ turns: ['Go.'], end: said('Go.').length });
    const closed = read(said('Go.') + calls + said('Done.', 'assistant'), { start: open.end });
    expect(closed.turns).toEqual(['[tools used] Bash: a; Bash: b', 'Done.']);
    expect(read(said('Go.') + calls, { complete: true }).turns).toEqual([
      'Go.',
      '[tools used] Bash: a; Bash: b',
    ]);
  });

  test('comes in bounded batches, whatever the chunks it is read in', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => said(`${index} ${'ü€😀'.repeat(800)}`));
    const { batches, turns, end } = read(lines.join(''));
    expect(turns).toHaveLength(1_000);
    expect(new Set(turns.map((turn) => Number.parseInt(turn, 10))).size).toBe(1_000);
    expect(turns.every((turn) => turn.endsWith('😀'))).toBe(true);
    for (const batch of batches) {
      expect(batch.turns.length).toBeLessThanOrEqual(100);
      expect(batch.turns.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(110_000);
    }
    expect(end).toBe(Buffer.byteLength(lines.join('')));
  });

  test('passes over a line that never ends, without keeping it', () => {
    const { turns } = read(said('x'.repeat(17 * 1_048_576)) + said('After.'));
    expect(turns).toEqual(['After.']);
  });

  test('leaves out the middle of an endless paste, keys, NUL and half characters', () => {
    const { turns } = read(
      said('a'.repeat(200_000)) + said(`svs_${'k'.repeat(36)} \u0000 x`) + said('\ud800!'),
    );
    expect(turns[0]?.length).toBeLessThanOrEqual(65_536);
    expect(turns[0]).toMatch(/a\n\[… \d+ characters left out …\]\na/);
    expect(turns.slice(1)).toEqual(['svs_[redacted]  x', '\ufffd!']);
  });
});
