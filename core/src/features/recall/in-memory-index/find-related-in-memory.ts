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
    return sharingMost(index, own, others, least).flatMap((slot) => {
      const described = { type: index.typeOf(slot), length: index.columns.lengths[slot] ?? 0 };
      return isComparable(fact, described) ? (storedFactAt(index, slot, now) ?? []) : [];
    });
  });
}

/** The slots that share the most terms, as `shareMost` tells them: counted in buffers by slot, since each write asks for them. */
function sharingMost(
  index: TenantIndex,
  own: readonly string[],
  others: readonly string[],
  least: number,
): number[] {
  const { scores, marks, touched } = index.scratch;
  const enough: number[] = [];
  let found = 0;
  const count = (slots: ArrayLike<number>, from: number, to: number) => {
    const weight = 1 / (1 + to - from);
    for (let at = from; at < to; at += 1) {
      const slot = slots[at] ?? 0;
      if (scores[slot] === 0) touched[found++] = slot;
      scores[slot] = (scores[slot] ?? 0) + weight;
      marks[slot] = (marks[slot] ?? 0) + (to - from <= RARE ? ENOUGH : 1);
    }
  };
  for (const term of own) {
    const { slots, from, to } = newestHolders(index, term);
    count(slots, from, to);
  }
  if (others.length > 0) {
    const alike = new Set<number>();
    for (const term of others) {
      const { slots, from, to } = newestHolders(index, term);
      for (let at = from; at < to; at += 1) alike.add(slots[at] ?? 0);
    }
    count([...alike], 0, alike.size);
  }
  for (let at = 0; at < found; at += 1) {
    const slot = touched[at] ?? 0;
    if ((marks[slot] ?? 0) >= least) enough.push(slot);
  }
  const best = enough
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || other - one)
    .slice(0, MOST_RELATED);
  for (let at = 0; at < found; at += 1) {
    const slot = touched[at] ?? 0;
    scores[slot] = 0;
    marks[slot] = 0;
  }
  return best;
}

/** More than the terms that are asked of any. */
const ENOUGH = 1_000;

/** The slots that were given last among those of a term: a part of a buffer that the next call overwrites. */
function newestHolders({ postings, columns, scratch }: TenantIndex, term: string) {
  const { entries } = scratch;
  const to = postings.read(term, columns.kinds, COVERED, entries);
  const from = Math.max(0, to - OF_ONE_TERM.few);
  for (let at = from; at < to; at += 1) entries[at] = slotOf(entries[at] ?? 0);
  return { slots: entries, from, to };
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
