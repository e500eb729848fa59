import { expect, it } from 'vitest';
import { addressesOf, verifiedAddress } from './addresses.ts';

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

it.each([
  ['postgres://db/memories?sslmode=require', 'postgres://db/memories?sslmode=verify-full'],
  [
    'postgres://db/m?channel_binding=require&sslmode=prefer&x=1',
    'postgres://db/m?channel_binding=require&sslmode=verify-full&x=1',
  ],
  ['postgres://db/m?sslmode=no-verify', 'postgres://db/m?sslmode=no-verify'],
  ['postgres://db/m?sslmode=disable', 'postgres://db/m?sslmode=disable'],
  [
    'postgres://db/m?uselibpqcompat=true&sslmode=require',
    'postgres://db/m?uselibpqcompat=true&sslmode=require',
  ],
])('the certificate of %s is verified as of %s', (address, verified) => {
  expect(verifiedAddress(address)).toBe(verified);
});
