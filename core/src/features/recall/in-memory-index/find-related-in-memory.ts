import type { Source } from '../../../kernel/contract/fields.ts';
import { readSketch } from '../../search-index/sketch.ts';
import {
  isComparable,
  MOST_RELATED,
  type NewFact,
  OF_ONE_TERM,
  RARE,
  type StoredFact,
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
  return facts.map((fact) => {
    const { own, others, least } = termsToLookUp(fact.analysis.terms.keys());
    const holders = own.map((term) => newestHolders(index, term));
    const alike = new Set(others.flatMap((term) => newestHolders(index, term)));
    const wanted = {
      least,
      most: MOST_RELATED,
      rare: RARE,
      ties: (one: number, other: number) => other - one,
    };
    return shareMost([...holders, [...alike]], wanted).flatMap((slot) => {
      const described = { type: index.typeOf(slot), length: index.columns.lengths[slot] ?? 0 };
      return isComparable(fact, described) ? (storedFactAt(index, slot, now) ?? []) : [];
    });
  });
}

/** The slots that were given last among those of a term. */
function newestHolders({ postings, columns, scratch }: TenantIndex, term: string): number[] {
  const { entries } = scratch;
  const count = postings.read(term, columns.kinds, COVERED, entries);
  return Array.from(entries.subarray(Math.max(0, count - OF_ONE_TERM.few), count), slotOf);
}

/** Undefined where it has expired. */
function storedFactAt(index: TenantIndex, slot: number, now: Date): StoredFact | undefined {
  const { columns, sources } = index;
  const { expiresAt, supersededBy, validTo, ...memory } = index.memory(slot);
  if (expiresAt !== null && expiresAt <= now) return undefined;
  return {
    id: memory.id,
    content: memory.content,
    version: columns.versions[slot] ?? 0,
    category: memory.category,
    source: (sources.values[columns.sources[slot] ?? 0] ?? '').split(' ')[0] as Source,
    createdAt: memory.createdAt,
    start: memory.validFrom ?? memory.occurredAt,
    isDistinct: validTo !== null || expiresAt !== null,
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
