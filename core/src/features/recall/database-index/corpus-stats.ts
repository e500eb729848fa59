import { createLruCache } from '../../../kernel/runtime/lru-cache.ts';

/** Large tenants that are cached. An evicted one is searched exactly once more. */
const CACHED_TENANTS = 10_000;

/** Cache a term's document frequency from this many documents on. */
const MIN_FREQUENCY = 2_000;
/** Terms of all large tenants that are cached: about 3 MiB. */
const CACHED_TERMS = 20_000;
/** How long they are cached. */
const TERM_TTL_MS = 10 * 60_000;

declare module '../../../kernel/context/context.ts' {
  interface Services {
    readonly corpusStats: CorpusStats;
  }
}

/** Cached statistics of large tenants: those with too many memories for recall to look at all of them. */
export interface CorpusStats {
  isLarge(tenantId: string): boolean;
  /** Records the number of a tenant's memories. */
  rememberSize(tenantId: string, documents: number): void;
  /** How many memories held a term some minutes ago; undefined when not cached. Precise enough for the term's weight. */
  documentFrequency(tenantId: string, term: string): number | undefined;
  rememberDocumentFrequency(tenantId: string, term: string, memories: number): void;
  /** Drops what is cached of a tenant that is erased. */
  drop(tenantId: string): void;
}

/** @param exactUpTo Tenants with more memories than this are large. */
export function createCorpusStats(exactUpTo: number): CorpusStats {
  const large = createLruCache<true>(CACHED_TENANTS);
  const frequencies = createLruCache<number>(CACHED_TERMS, TERM_TTL_MS);
  return {
    isLarge: (tenantId) => large.has(tenantId),
    rememberSize: (tenantId, documents) => {
      if (documents > exactUpTo) large.set(tenantId, true);
      else large.delete(tenantId);
    },
    documentFrequency: (tenantId, term) => frequencies.get(`${tenantId} ${term}`),
    rememberDocumentFrequency: (tenantId, term, memories) => {
      // A rare term is cheap to count, and a few more documents would change its weight.
      if (memories >= MIN_FREQUENCY) frequencies.set(`${tenantId} ${term}`, memories);
    },
    drop: (tenantId) => {
      large.delete(tenantId);
      for (const key of frequencies.keys()) if (key.startsWith(`${tenantId} `)) frequencies.delete(key);
    },
  };
}
