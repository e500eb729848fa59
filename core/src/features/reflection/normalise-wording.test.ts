import { describe, expect, it } from 'vitest';
import { sayingOf } from './normalise-wording.ts';

describe('copies by rule', () => {
  it('look past letter case, articles, quotation marks and final stops', () => {
    expect(sayingOf('The deploys are “frozen” on Fridays.')).toBe(sayingOf('Deploys are frozen on fridays'));
  });

  it.each([
    ["Maya can't approve releases", 'Maya can approve releases'],
    ['The limit is -5 degrees', 'The limit is 5 degrees'],
    ['Is the deploy frozen?', 'Is the deploy frozen'],
    ['Maya was the manager', 'Maya is the manager'],
  ])('not: %s / %s', (one, other) => {
    expect(sayingOf(one)).not.toBe(sayingOf(other));
  });
});
