import { LRUCache } from 'lru-cache';

/**
 * A cache of the entries that were used last. It is bounded by `maxSize`, because the package allocates all of `max` at once, for
 * which a start would wait.
 *
 * @param most How many entries it holds at most.
 * @param ttl Milliseconds after which an entry is forgotten; default 0, never.
 */
export function createLruCache<Value extends object | string | number | boolean>(
  most: number,
  ttl = 0,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl });
}
