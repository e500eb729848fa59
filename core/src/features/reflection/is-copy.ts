import { isDeepStrictEqual } from 'node:util';
import type { MemoryRow } from '../records/schema.ts';
import { mayContradict } from '../supersession/compare-fact.ts';
import { judgeSame } from '../supersession/judge-same.ts';

/** In UTF-16 code units. Shorter texts are often said again and meant anew. */
const LEAST = 12;

/**
 * Whether a memory only says again what an older one says, which may stand for it: by the rules by which nothing new is stored, and
 * with nothing of its own that would be lost. What came from outside does not stand for what the agent or its human says.
 */
export function isCopy(older: MemoryRow, copy: MemoryRow): boolean {
  return (
    // Its author finds it by its key.
    copy.key === null &&
    copy.content.length >= LEAST &&
    mayContradict(older.source, copy.source) &&
    isDeepStrictEqual(decidedBy(older), decidedBy(copy)) &&
    judgeSame(older.content, copy.content) === 'same'
  );
}

/** What makes two memories of the same words two. */
function decidedBy({ type, category, sessionId, validFrom, validTo, expiresAt, metadata }: MemoryRow) {
  return { type, category, sessionId, validFrom, validTo, expiresAt, metadata };
}
