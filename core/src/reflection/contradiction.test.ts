import { describe, expect, it } from 'vitest';
import { contradicts } from './contradiction.ts';
import { sayingOf } from './said-alike.ts';

describe('contradictions by rule', () => {
  it.each([
    ['The release manager of Orchard is Maya.', 'The release manager of Orchard is Ben.'],
    ['Maya lives in Lisbon', 'Maya now lives in Porto'.replace('now ', '')],
    ['The port of the staging server is 8080.', 'The port of the staging server is 9090.'],
    ['My favourite colour is blue.', 'My favourite colour is dark green.'],
    ['Deploys are frozen on Fridays.', 'Deploys are not frozen on Fridays.'],
    ['Ben likes cilantro in soup', 'Ben does not like cilantro in soup'],
    ['Ben can approve a release.', "Ben can't approve a release."],
  ])('%s / %s', (one, other) => {
    expect(contradicts(one, other)).toBe(true);
    expect(contradicts(other, one)).toBe(true);
  });

  it.each([
    ['Port 8080 is taken.', 'Port 8081 is taken.'],
    ['Maya is a mother.', 'Maya is a vegetarian.'],
    ['Maya likes tea.', 'Maya likes coffee.'],
    ['The kitchen is clean.', 'The kitchen is large.'],
    ['Maya lives in Lisbon in summer.', 'Maya lives in Porto in winter.'],
    ['The friend of Maya is Ben.', 'The friend of Maya is Ines.'],
    ['Release 2.4 went out.', 'Release 2.5 went out.'],
    ['The release manager of Orchard is Maya.', 'The release manager of Birch is Ben.'],
    ['Same words here.', 'same words here'],
  ])('not: %s / %s', (one, other) => {
    expect(contradicts(one, other)).toBe(false);
  });
});

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
