import { describe, expect, it } from 'vitest';
import { toConversation } from './conversation.ts';
import { callTurns, resultTurns, saidTurns } from './turns.ts';

const before = [
  ...saidTurns('user', 'My bicycle makes a noise.'),
  ...callTurns('search', { q: 'noise' }),
  ...resultTurns('search', 'Oil the chain.'),
  ...saidTurns('assistant', `Is it the chain? ${'Chains want oil. '.repeat(100)}`),
];
const hintOf = (said: string, turns = before) =>
  toConversation([...turns, ...saidTurns('user', said)], false).hint;

describe('what is recalled for', () => {
  it('is a question as it stands', () => {
    expect(hintOf('Where did I put the oil?')).toBe('Where did I put the oil?');
  });

  it.each(['It is behind, at the wheel.', 'And then?'])(
    'is the talk where "%s" asks nothing by itself',
    (said) => {
      const hint = hintOf(said);
      expect(hint).toMatch(/^My bicycle makes a noise\.\nIs it the chain\?/);
      expect(hint).not.toContain('search');
      expect(hint?.endsWith(said)).toBe(true);
    },
  );

  it('is at most 2,000 characters, of which half a character is none', () => {
    const turns = Array.from({ length: 20 }, () => saidTurns('user', '🚲'.repeat(1_000))).flat();
    const hint = hintOf('a'.repeat(1_500), turns) ?? '';
    expect(hint.length).toBeLessThanOrEqual(2_000);
    expect(hint).toBe(hint.toWellFormed());
    expect(hint.endsWith('a'.repeat(1_500))).toBe(true);
  });

  it('stays the same while tools are called for it, and is nothing where the user said nothing', () => {
    const turns = [...before, ...saidTurns('user', 'Please order a new chain.')];
    const later = [...turns, ...callTurns('order', {}), ...resultTurns('order', 'done')];
    expect(toConversation(later, false).hint).toBe(toConversation(turns, false).hint);
    expect(toConversation(callTurns('search', {}), true).hint).toBeUndefined();
  });
});
