import { expect, it } from 'vitest';
import { forgetRecent, keepRecent } from './recent.ts';

it('asks again for a text only once it is forgotten or long past', () => {
  const asked: string[] = [];
  const lengthOf = keepRecent(2, (text) => asked.push(text));
  for (const text of ['a', 'a', 'b', 'a']) lengthOf(text);
  expect(asked).toEqual(['a', 'b']);
  forgetRecent();
  lengthOf('a');
  expect(asked).toEqual(['a', 'b', 'a']);
  for (const text of ['b', 'c', 'd', 'e', 'a']) lengthOf(text);
  expect(asked).toEqual(['a', 'b', 'a', 'b', 'c', 'd', 'e', 'a']);
});
