import { expect, test } from 'vitest';
import { createLruCache } from './lru-cache.ts';

test('It holds no more than it may, and forgets what was not used for longest.', () => {
  const cache = createLruCache<number>(2);
  cache.set('a', 1).set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c']);
});

test('A value set anew takes no second place.', () => {
  const cache = createLruCache<number>(2);
  for (let value = 0; value < 5; value += 1) cache.set('a', value);
  cache.set('b', 9);
  expect([cache.get('a'), cache.get('b')]).toEqual([4, 9]);
});
