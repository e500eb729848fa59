import { LRUCache } from 'lru-cache';

/** Large tenants remembered; one that is forgotten is looked through once more. */
const REMEMBERED = 10_000;

/** Memories that hold a term from which on their number is remembered. */
const WORTH_KEEPING = 2_000;
/** Terms of large tenants remembered, in all: some 3 MiB. */
const TERMS = 20_000;
/** How long they are. */
const TERMS_MS = 10 * 60_000;

/** Which tenants are too large for recall to look at all their memories, as far as this process has seen. */
export interface Sizes {
  isLarge(tenantId: string): boolean;
  /** Notes how many memories a tenant turned out to have. */
  note(tenantId: string, documents: number): void;
  /** How many memories of a large tenant held a term some minutes ago: to weigh it, that will do. */
  holding(tenantId: string, term: string): number | undefined;
  noteHolding(tenantId: string, term: string, memories: number): void;
}

/** @param exactUpTo Memories of the largest tenant that is not large. */
export function createSizes(exactUpTo: number): Sizes {
  const large = new LRUCache<string, true>({ max: REMEMBERED });
  const held = new LRUCache<string, number>({ max: TERMS, ttl: TERMS_MS });
  return {
    isLarge: (tenantId) => large.has(tenantId),
    note: (tenantId, documents) => {
      if (documents > exactUpTo) large.set(tenantId, true);
      else large.delete(tenantId);
    },
    holding: (tenantId, term) => held.get(`${tenantId} ${term}`),
    noteHolding: (tenantId, term, memories) => {
      // Counting anew is cheap where few hold it, and there a few more change its weight.
      if (memories >= WORTH_KEEPING) held.set(`${tenantId} ${term}`, memories);
    },
  };
}
