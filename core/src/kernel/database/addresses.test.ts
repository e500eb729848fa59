import { expect, it } from 'vitest';
import { addressesOf } from './addresses.ts';

it.each([
  [
    'postgres://ada:pw@db:5433/memories?sslmode=require',
    ['postgres://ada:pw@db:5433/memories?sslmode=require'],
  ],
  [
    'postgresql://ada:p%2Cw@one:5432,two:5433/memories?sslmode=require',
    [
      'postgresql://ada:p%2Cw@one:5432/memories?sslmode=require',
      'postgresql://ada:p%2Cw@two:5433/memories?sslmode=require',
    ],
  ],
  ['postgres://one,[::1]:5433/memories', ['postgres://one/memories', 'postgres://[::1]:5433/memories']],
  ['postgres://one,two', ['postgres://one', 'postgres://two']],
  ['https://one,two/memories', ['https://one,two/memories']],
])('%s names %j', (url, addresses) => {
  expect(addressesOf(url)).toEqual(addresses);
});
