import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../testing/processor-time.ts';
import { judgeSame } from './judge-same.ts';

describe('says the same again', () => {
  it.each([
    ['apart from case', 'Maya lives in Lisbon', 'maya lives in lisbon'],
    ['apart from spaces', 'Maya  lives\nin Lisbon', 'Maya lives in Lisbon'],
    ['apart from the full stop', 'Maya lives in Lisbon', 'Maya lives in Lisbon.'],
    ['apart from a comma', 'In May, we ship', 'In May we ship'],
    ['apart from an article', 'The port is 80', 'port is 80'],
    ['apart from quotation marks', 'The plan is called “Pro”', 'The plan is called "Pro"'],
    ['written in capitals', 'the office is closed', 'THE OFFICE IS CLOSED'],
    ['with another sign for the apostrophe', "Maya's plan isn't due", 'Maya’s plan isn’t due'],
    ['with a capital behind a number', 'The shop opens at 9 in May', 'The shop opens at 9 In May'],
    ['in Japanese', '会議は月曜日です。', '会議は月曜日です'],
  ])('%s', (_, one, other) => {
    expect(judgeSame(one, other)).toBe('same');
    expect(judgeSame(other, one)).toBe('same');
  });
});

describe('says something else', () => {
  it.each([
    ['with another number', 'The port is 80', 'The port is 81'],
    ['with a negation', 'The port is open', 'The port is not open'],
    ['with another name', 'Maya lives in Lisbon', 'Mara lives in Lisbon'],
    ['as a question', 'The port is open', 'The port is open?'],
    ['with a path in another case', 'Logs are in /var/Log', 'Logs are in /var/log'],
    ['with an address in another case', 'See https://a.example/X', 'See https://a.example/x'],
    ['with an identifier in another case', 'Call readFile first', 'Call readfile first'],
    ['with a password in another case', 'The password is Sunflower', 'The password is sunflower'],
    ['with a branch in another case', 'Deploy from branch Release', 'Deploy from branch release'],
    ['with an abbreviation in another case', 'It belongs to US', 'It belongs to us'],
    ['with an assignment in another case', 'MODE=Fast', 'MODE=fast'],
    ['with an option in another case', 'Remove it with rm -r build', 'Remove it with rm -R build'],
    ['with a unit in another case', 'The cable is 5 m long', 'The cable is 5 M long'],
    ['with bits for bytes', 'Frames take 5 Mb', 'Frames take 5 MB'],
    ['with another sign', 'x < 3', 'x > 3'],
    ['with another order', 'tabs over spaces', 'spaces over tabs'],
    ['with an indented line', 'do:\n    x', 'do:\n  x'],
    ['with accents that make another word', 'Tengo un ano', 'Tengo un año'],
    ['with a name that begins like an article', 'I was in La Paz', 'I was in Paz'],
  ])('%s', (_, one, other) => {
    expect(judgeSame(one, other)).toBe('different');
    expect(judgeSame(other, one)).toBe('different');
  });
});

it('finds a text to be the same as itself, and judges both ways alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      expect(judgeSame(one, one)).toBe('same');
      expect(judgeSame(one, other)).toBe(judgeSame(other, one));
    }),
  );
});

it.each([
  ['marks', '.'.repeat(32_000)],
  ['spaces', ' '.repeat(32_000)],
  ['letters', 'a'.repeat(32_000)],
  ['words', 'password '.repeat(3_600)],
])('compares 32 kB of %s at once', (_, text) => {
  const start = processorMs();
  judgeSame(`${text}a`, `${text}b`);
  expect(processorMs() - start).toBeLessThan(1_000);
});
