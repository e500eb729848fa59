import { LRUCache } from 'lru-cache';

/**
 * A cache of the entries that were used last. It takes memory for those that it holds; given a `max`, the package takes it for
 * as many as there may ever be, at once, which a start would wait for.
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
