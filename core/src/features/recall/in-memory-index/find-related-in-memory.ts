import type { Source } from '../../../kernel/contract/fields.ts';
import { LONGEST_FACT } from '../../search-index/fact-type.ts';
import { readSketch } from '../../search-index/sketch.ts';
import {
  isComparable,
  type NewFact,
  OF_ONE_TERM,
  type StoredFact,
  shareOf,
  termsToLookUp,
} from '../../supersession/find-related.ts';
import type { IndexedRow } from '../../supersession/held-memories.ts';
import { shareMost } from '../../supersession/share-most.ts';
import { COVERED, DELETED } from './document-columns.ts';
import { slotOf } from './postings.ts';
import type { IndexedMemory, TenantIndex } from './tenant-index.ts';

/** Finds for each new fact the memories of its type that share the most telling words with it, as `findRelated` does in the database. */
export function findRelatedInMemory(
  index: TenantIndex,
  facts: readonly NewFact[],
  now: Date,
): StoredFact[][] {
  index.scratch.reserve(index.slots);
  return facts.map((fact) =>
    sharingMost(index, fact, now)
      .filter((slot) => isComparable(fact, describe(index, slot)))
      .map((slot) => storedFactAt(index, slot, now)),
  );
}

/** The slots that share the most terms. */
function sharingMost(index: TenantIndex, fact: NewFact, now: Date): number[] {
  const { own, others, least } = termsToLookUp(fact.analysis.terms.keys());
  const groups = [...own.map((term) => [term]), ...(others.length > 0 ? [others] : [])];
  const holders = groups.map((terms) => {
    return { numbers: holdersOf(index, fact, { terms, now }), share: Math.min(...terms.map(shareOf)) };
  });
  const isNewer = (one: number, other: number) => index.ids.isBefore(other, one);
  return shareMost(holders, index.scratch, { least, ofOneTerm: OF_ONE_TERM.few, isNewer });
}

/**
 * The slots that hold one of some terms and have not expired, of each those that were given last: as many as the database looks at
 * for a fact.
 */
function holdersOf(
  index: TenantIndex,
  fact: NewFact,
  { terms, now }: { readonly terms: readonly string[]; readonly now: Date },
): number[] {
  const { postings, columns, scratch } = index;
  const { entries } = scratch;
  const looksAtAll = fact.analysis.length > LONGEST_FACT;
  const found = new Set<number>();
  for (const term of terms) {
    let left = OF_ONE_TERM.few;
    for (let at = postings.read(term, columns.kinds, COVERED, entries) - 1; at >= 0 && left > 0; at -= 1) {
      const slot = slotOf(entries[at] ?? 0);
      if ((columns.expiries[slot] ?? 0) <= now.getTime()) continue;
      if (!looksAtAll && !isComparable(fact, describe(index, slot))) continue;
      found.add(slot);
      left -= 1;
    }
  }
  return [...found];
}

function describe(index: TenantIndex, slot: number) {
  return { type: index.typeOf(slot), length: index.columns.lengths[slot] ?? 0 };
}

function storedFactAt(index: TenantIndex, slot: number, now: Date): StoredFact {
  const { columns, sources } = index;
  const { expiresAt, supersededBy, validTo, ...memory } = index.memory(slot);
  return {
    id: memory.id,
    content: memory.content,
    version: columns.versions[slot] ?? 0,
    category: memory.category,
    source: (sources.values[columns.sources[slot] ?? 0] ?? '').split(' ')[0] as Source,
    createdAt: memory.createdAt,
    start: memory.validFrom ?? memory.occurredAt,
    isDistinct: validTo !== null || expiresAt !== null,
    key: memory.key,
    metadata: memory.metadata,
    supersededBy,
    supersededFrom: supersededBy === null ? null : startOfActive(index, supersededBy, now),
  };
}

function startOfActive(index: TenantIndex, id: string, now: Date): Date | null {
  const slot = index.ids.slotOf(id);
  if (slot === undefined || index.columns.kinds[slot] === DELETED) return null;
  const { expiresAt, validFrom, occurredAt } = index.memory(slot);
  return expiresAt !== null && expiresAt <= now ? null : (validFrom ?? occurredAt);
}

/**
 * A new memory as an index holds it.
 *
 * @param hasVector Whether its vector is of the model whose vectors the index holds.
 */
export function toIndexedMemory({ row, analysis }: IndexedRow, hasVector: boolean): IndexedMemory {
  const { terms, vector } = analysis;
  const all = [...terms.terms.keys()];
  return {
    ...row,
    sketch: readSketch(row.sketch, row.id),
    source: [row.source, row.credentialId].filter((part) => part !== null).join(' '),
    terms: all,
    frequencies: [...terms.terms.values()],
    passages: terms.passages ? all.map((term) => terms.passages?.get(term) ?? []) : null,
    vector: hasVector ? (vector ?? null) : null,
  };
}
