import { LRUCache } from 'lru-cache';

/** Large tenants remembered; one that is forgotten is looked through once more. */
const REMEMBERED = 10_000;

/** Which tenants are too large for recall to look at all their memories, as far as this process has seen. */
export interface Sizes {
  isLarge(tenantId: string): boolean;
  /** Notes how many memories a tenant turned out to have. */
  note(tenantId: string, documents: number): void;
}

/** @param exactUpTo Memories of the largest tenant that is not large. */
export function createSizes(exactUpTo: number): Sizes {
  const large = new LRUCache<string, true>({ max: REMEMBERED });
  return {
    isLarge: (tenantId) => large.has(tenantId),
    note: (tenantId, documents) => {
      if (documents > exactUpTo) large.set(tenantId, true);
      else large.delete(tenantId);
    },
  };
}
