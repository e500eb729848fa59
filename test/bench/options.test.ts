import { expect, it } from 'vitest';
import { namesOf, seconds, wholeNumber } from './options.ts';

it.each([
  [() => wholeNumber('memories', '1e3'), '--memories must be a whole number from 1 on, not "1e3"'],
  [() => wholeNumber('memories', '0'), '--memories must be a whole number from 1 on, not "0"'],
  [() => seconds('for', '0'), '--for must be a number of seconds above 0, not "0"'],
  [
    () => namesOf('only', ['nothing'], ['boot', 'recall']),
    '--only: there is no "nothing", only boot, recall',
  ],
])('%s is refused, and said how it should be', (read, message) => {
  expect(read).toThrow(message);
});
