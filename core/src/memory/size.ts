import type { Growth } from '../engine/settle.ts';
import type { MemoryRow } from './schema.ts';

/** What memories add to the sizes that recall's statistics need: active ones, but for digests that say nothing new. */
export function sizeOf(rows: readonly Pick<MemoryRow, 'archivedAt' | 'echoes' | 'length'>[]): Growth {
  const counted = rows.filter(({ archivedAt, echoes }) => archivedAt === null && !echoes);
  return { documents: counted.length, words: counted.reduce((sum, { length }) => sum + length, 0) };
}
