import type { Counter } from '../../kernel/commit/counter.ts';
import type { MemoryRow } from '../records/schema.ts';
import { corpusSizes } from './schema.ts';

/** Change in the number of memories that recall can find, and in the sum of their lengths in words. */
type CorpusDelta = Readonly<Record<'documents' | 'words', number>>;

/** Counts a tenant's memories that recall can find, and their words. */
export const corpusCounter: Counter<keyof CorpusDelta> = {
  name: 'corpus',
  table: corpusSizes,
  columns: ['documents', 'words'],
};

/** The contribution of memories to the corpus: active ones count, except covered digests. */
export function corpusDelta(
  rows: readonly Pick<MemoryRow, 'archivedAt' | 'echoes' | 'length'>[],
): CorpusDelta {
  const counted = rows.filter(({ archivedAt, echoes }) => archivedAt === null && !echoes);
  return { documents: counted.length, words: counted.reduce((sum, { length }) => sum + length, 0) };
}
