import type { Source } from '../../../kernel/contract/fields.ts';
import { LONGEST_FACT } from '../../search-index/fact-type.ts';
import { readSketch } from '../../search-index/sketch.ts';
import {
  isComparable,
  MOST_RELATED,
  type NewFact,
  OF_EACH_TERM,
  OF_ONE_TERM,
  RARE,
  type StoredFact,
  shareOf,
  termsToLookUp,
  UNSEEN,
} from '../../supersession/find-related.ts';
import type { IndexedRow } from '../../supersession/held-memories.ts';
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
    sharingMost(index, fact)
      .filter((slot) => isComparable(fact, describe(index, slot)))
      .flatMap((slot) => storedFactAt(index, slot, now) ?? []),
  );
}

/** The slots that share the most terms: counted in buffers by slot, since each write asks for them. */
function sharingMost(index: TenantIndex, fact: NewFact): number[] {
  const { scores, marks, touched } = index.scratch;
  const { own, others, least } = termsToLookUp(fact.analysis.terms.keys());
  const groups = [...own.map((term) => [term]), ...(others.length > 0 ? [others] : [])].map((terms) => ({
    slots: holdersOf(index, fact, terms),
    share: Math.min(...terms.map(shareOf)),
  }));
  let found = 0;
  for (const { slots, share } of groups) {
    const held = slots.length < OF_ONE_TERM.few ? slots.length : UNSEEN * slots.length;
    const weight = share / (1 + held);
    for (const slot of slots) {
      if (scores[slot] === 0) touched[found++] = slot;
      scores[slot] = (scores[slot] ?? 0) + weight;
      marks[slot] = (marks[slot] ?? 0) + (slots.length <= RARE ? ENOUGH : 1);
    }
  }
  const comesBefore = (one: number, other: number) => {
    const apart = (scores[one] ?? 0) - (scores[other] ?? 0);
    return apart === 0 ? index.ids.isBefore(other, one) : apart > 0;
  };
  const bestOf = (slots: Iterable<number>, most: number) => {
    const best: number[] = [];
    for (const slot of slots) {
      if ((marks[slot] ?? 0) < least) continue;
      let at = best.length;
      while (at > 0 && comesBefore(slot, best[at - 1] ?? 0)) at -= 1;
      if (at < most) best.splice(at, 0, slot);
      if (best.length > most) best.pop();
    }
    return best;
  };
  const kept = new Set(bestOf(touched.subarray(0, found), MOST_RELATED));
  for (const { slots } of groups) for (const slot of bestOf(slots, OF_EACH_TERM)) kept.add(slot);
  const related = bestOf(kept, kept.size);
  for (let at = 0; at < found; at += 1) {
    const slot = touched[at] ?? 0;
    scores[slot] = 0;
    marks[slot] = 0;
  }
  return related;
}

/** More than the terms that are asked of any. */
const ENOUGH = 1_000;

/** The slots that hold one of some terms, of each those that were given last: as many as the database looks at for a fact. */
function holdersOf(index: TenantIndex, fact: NewFact, terms: readonly string[]): number[] {
  const { postings, columns, scratch } = index;
  const { entries } = scratch;
  const looksAtAll = fact.analysis.length > LONGEST_FACT;
  const found = new Set<number>();
  for (const term of terms) {
    let left = OF_ONE_TERM.few;
    for (let at = postings.read(term, columns.kinds, COVERED, entries) - 1; at >= 0 && left > 0; at -= 1) {
      const slot = slotOf(entries[at] ?? 0);
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
